// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/unrolled.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/lanes/radix52.hpp>

/// Arithmetic on four numbers in radix 2^52, limb-major, for processors whose only wide multiplier
/// is that of doubles: the 52-bit multiply-add of AVX-512 IFMA by two fused ones.
///
/// For digits x, y in [0, 2^52), rounding towards zero,
///
///     h = fma(x, y, 2^104)              = 2^104 + 2^52·floor(x·y/2^52)
///     l = fma(x, y, 2^104 + 2^52 - h)   = 2^52 + x·y mod 2^52,
///
/// both exactly; the words of h and l are those of 2^104 and 2^52 plus the halves. They are added
/// up as integers, and sums begin with what their terms' exponents come to. No digit may reach
/// 2^52: `to_double` takes the low 52 bits of a word. A sum of columns has at most 20 halves, below
/// 2^57.
namespace zkgpu::avx2_fma {

using Vector = __m256i;
using Double = __m256d;
using radix52::limb_bits;
using radix52::limb_mask;
inline constexpr std::size_t width = 4;

/// The words of 2^104 and 2^52.
inline constexpr std::uint64_t high_word = std::uint64_t{1023 + 104} << limb_bits;
inline constexpr std::uint64_t low_word = std::uint64_t{1023 + 52} << limb_bits;

/// Rounding towards zero, with all exceptions masked, as long as it lives. What is computed under
/// it has to be in memory when it ends: compilers do not know that results depend on the mode.
class RoundTowardZero {
 public:
  [[gnu::always_inline]] RoundTowardZero() noexcept : before_(_mm_getcsr()) {
    _mm_setcsr(masked_toward_zero);
    asm volatile("" : : : "memory");
  }
  [[gnu::always_inline]] ~RoundTowardZero() {
    asm volatile("" : : : "memory");
    _mm_setcsr(before_);
  }
  RoundTowardZero(const RoundTowardZero&) = delete;
  RoundTowardZero& operator=(const RoundTowardZero&) = delete;

 private:
  static constexpr unsigned masked_toward_zero = 0x1f80 | 0x6000;  // of MXCSR
  unsigned before_;
};

[[gnu::always_inline]] inline Vector splat(std::uint64_t x) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(x));
}
[[gnu::always_inline]] inline Double as_double(Vector word) noexcept {
  return _mm256_castsi256_pd(word);
}
[[gnu::always_inline]] inline Vector as_word(Double x) noexcept { return _mm256_castpd_si256(x); }
[[gnu::always_inline]] inline Double constant(std::uint64_t digit) noexcept {
  return _mm256_set1_pd(static_cast<double>(digit));  // exact below 2^53
}
[[gnu::always_inline]] inline Vector low_limb(Vector x) noexcept {
  return _mm256_and_si256(x, splat(limb_mask));
}
[[gnu::always_inline]] inline Double to_double(Vector x) noexcept {
  const Vector above = _mm256_or_si256(low_limb(x), splat(low_word));  // 2^52 + the digit
  return _mm256_sub_pd(as_double(above), as_double(splat(low_word)));
}

/// The word of 2^104 and the upper half of x·y.
[[gnu::always_inline]] inline Double high(Double x, Double y) noexcept {
  return _mm256_fmadd_pd(x, y, as_double(splat(high_word)));
}
/// The word of 2^52 and the lower half, from what `high` gave.
[[gnu::always_inline]] inline Double low(Double x, Double y, Double h) noexcept {
  return _mm256_fmadd_pd(x, y, _mm256_sub_pd(as_double(splat(high_word + 1)), h));
}
/// What a sum of so many halves begins with to be `initial` plus the halves.
constexpr std::uint64_t start_of_sum(std::size_t lows, std::size_t highs,
                                     std::uint64_t initial = 0) noexcept {
  return initial - lows * low_word - highs * high_word;
}
/// sum += the half in x, before what follows: gcc 12 makes trees of long sums, and spills them.
[[gnu::always_inline]] inline void accumulate(Vector& sum, Double x) noexcept {
  sum = _mm256_add_epi64(sum, as_word(x));
  asm("" : "+x"(sum));
}

/// Products with digits as doubles. An operand is a function of the digit's number: of constants
/// alone, so that arrays live in registers.
template <PrimeField F>
struct Radix52Products {
  using Constants = Radix52<F>;
  static constexpr std::size_t limbs = Constants::limbs;
  static_assert(Constants::inverse == limb_mask - (std::uint64_t{1} << 32),
                "the modulus must be 1 - 2^32 mod 2^52: reductions multiply by shifts");
  static_assert(limbs <= 5, "sums of columns are stated for ten terms and their upper halves");

  /// Digits i, k - i of a product that stand in column k.
  static constexpr std::size_t first_of(std::size_t k) { return k < limbs ? 0 : k - limbs + 1; }
  static constexpr std::size_t terms(std::size_t k) {
    return k < limbs ? k + 1 : k < 2 * limbs ? 2 * limbs - 1 - k : 0;
  }

  /// Column k of x·y: lower halves to here, upper ones to next.
  template <std::size_t k, bool with_upper = true, class X, class Y>
  [[gnu::always_inline]] static void add_column(Vector& here, Vector& next, const X& x,
                                                const Y& y) noexcept {
    unrolled<terms(k)>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = first_of(k) + decltype(at)::value;
      add_product<with_upper>(here, next, x(i), y(k - i));
    });
  }

  /// x·w - floor(x·w'/2^(52 limbs))·modulus - modulus, modulo 2^(52 limbs), up to two moduli more.
  ///
  /// @param x  digits below 2^52
  /// @param w  digits of w below the modulus, then those of w' = floor(w·2^(52 limbs)/modulus)
  /// @param r  column sums
  template <class X, class W>
  [[gnu::always_inline]] static void multiply_known(Vector (&r)[limbs], const X& x,
                                                    const W& w) noexcept {
    constexpr std::size_t n = limbs;
    const auto quotient = [&](std::size_t i) __attribute__((always_inline)) { return w(n + i); };
    // Of x·w' the columns from n on are needed; below, only what column n - 2 carries.
    Vector here = splat(start_of_sum(terms(n - 1), terms(n - 2)));
    unrolled<n - 1>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      accumulate(here, high(x(i), quotient(n - 2 - i)));
    });
    Double q[n];
    unrolled<n>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(at)::value;
      Vector next = splat(start_of_sum(terms(k + n), terms(k + n - 1), k == 0 ? 1 : 0));
      add_column<k + n - 1>(here, next, x, quotient);
      if constexpr (k > 0) q[k - 1] = to_double(here);
      here = _mm256_add_epi64(next, _mm256_srli_epi64(here, limb_bits));
    });
    q[n - 1] = to_double(here);
    const auto of_quotient = [&](std::size_t i) __attribute__((always_inline)) { return q[i]; };
    const auto negated = [](std::size_t i) __attribute__((always_inline)) {
      return constant(Constants::negated_modulus[i]);
    };
    here = splat(start_of_sum(2, 0));
    unrolled<n>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(at)::value;
      Vector next = splat(start_of_sum(2 * terms(k) + 2, 2 * terms(k)));
      add_column<k, (k + 1 < n)>(here, next, x, w);
      add_column<k, (k + 1 < n)>(here, next, of_quotient, negated);
      r[k] = here;
      here = next;
    });
  }

  /// x·y modulo 2^(52 limbs), column sums.
  template <class X, class Y>
  [[gnu::always_inline]] static void multiply_low(Vector (&r)[limbs], const X& x,
                                                  const Y& y) noexcept {
    Vector here = splat(start_of_sum(1, 0));
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(at)::value;
      Vector next = splat(start_of_sum(terms(k) + 1, terms(k)));
      add_column<k, (k + 1 < limbs)>(here, next, x, y);
      r[k] = here;
      here = next;
    });
  }

  /// x·y/2^(52 limbs) mod modulus, by Montgomery's reduction: below y + modulus, less `less` times
  /// the modulus; column sums.
  template <unsigned less, class X, class Y>
  [[gnu::always_inline]] static void multiply(Vector (&r)[limbs], const X& x, const Y& y) noexcept {
    constexpr std::size_t n = limbs;
    Double m[n];
    Vector here = splat(start_of_column(0, less));
    unrolled<2 * n - 1>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(at)::value;
      Vector next = splat(start_of_column(k + 1, less));
      add_column<k>(here, next, x, y);
      unrolled<terms(k) - (k < n ? 1 : 0)>([&](auto term) __attribute__((always_inline)) {
        constexpr std::size_t i = first_of(k) + decltype(term)::value;
        add_product<true>(here, next, m[i], constant(Constants::modulus[k - i]));
      });
      if constexpr (k < n) {
        // -1/modulus = -(1 + 2^32); what is carried is here/2^52 rounded up, and the upper half.
        const Vector sum = _mm256_add_epi64(here, _mm256_slli_epi64(here, 32));
        m[k] = to_double(_mm256_sub_epi64(_mm256_setzero_si256(), sum));
        const Vector above = _mm256_add_epi64(here, splat(limb_mask));
        next = _mm256_add_epi64(next, _mm256_srli_epi64(above, limb_bits));
        accumulate(next, high(m[k], constant(Constants::modulus[0])));
      } else {
        r[k - n] = here;
      }
      here = next;
    });
    r[n - 1] = here;
  }

 private:
  /// Columns of m·modulus are those of x·y, but for the lower half of digit 0, which cancels.
  static constexpr std::uint64_t start_of_column(std::size_t k, std::uint64_t less) noexcept {
    const std::uint64_t initial = k < limbs ? 0 : 0 - less * Constants::modulus[k - limbs];
    return start_of_sum(2 * terms(k) - (k < limbs ? 1 : 0), k == 0 ? 0 : 2 * terms(k - 1), initial);
  }
  template <bool with_upper>
  [[gnu::always_inline]] static void add_product(Vector& here, Vector& next, Double x,
                                                 Double y) noexcept {
    const Double h = high(x, y);
    if constexpr (with_upper) accumulate(next, h);
    accumulate(here, low(x, y, h));
  }
};

}  // namespace zkgpu::avx2_fma
