// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/lanes.hpp>
#include <zkgpu/field/lanes/radix52_avx512ifma_impl.hpp>

/// Eight field elements in radix 2^52, for the 52-bit multiply-add of AVX-512 IFMA.
///
/// Limbs between operations are in [0, 2^52). The Montgomery factor is 2^(52·limbs), which leaves
/// 35 bits above the modulus of Fq and 5 above that of Fr: values are reduced lazily, see `Bound`.
namespace zkgpu {

template <PrimeField F, unsigned Bound>
struct Lanes<F, arch::avx512ifma, Bound> {
  using Arch = arch::avx512ifma;
  using Vector = ifma::Vector;
  using Constants = Radix52<F>;
  using Arithmetic = ifma::Radix52Arithmetic<F>;
  static constexpr std::size_t width = ifma::width;
  static constexpr std::size_t limbs = Constants::limbs;
  /// Bounds a, b with a·b <= this have a Montgomery product below 2 · modulus.
  static constexpr std::uint64_t max_bound_product = std::uint64_t{1} << Constants::spare_bits;
  static_assert(Bound >= 1 && Bound <= max_bound_product, "the limbs could overflow");

  Vector limb[limbs];

  static Lanes zero() noexcept {
    Lanes r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_setzero_si512();
    });
    return r;
  }
  static Lanes broadcast_digits(const typename Constants::Digits& digits) noexcept {
    Lanes r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i] = ifma::splat(digits[i]);
    });
    return r;
  }

  /// A value below a smaller bound is below a larger one.
  template <unsigned Wider>
  [[gnu::always_inline]] Lanes<F, Arch, Wider> widened() const noexcept {
    static_assert(Wider >= Bound, "a bound can only be widened");
    Lanes<F, Arch, Wider> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = limb[i].data;
    });
    return r;
  }

  template <unsigned Other>
  [[gnu::always_inline]] Lanes<F, Arch, Bound + Other> operator+(
      const Lanes<F, Arch, Other>& b) const noexcept {
    Lanes<F, Arch, Bound + Other> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_add_epi64(limb[i].data, b.limb[i].data);
    });
    r.carry();
    return r;
  }

  /// a - b + Other · modulus
  template <unsigned Other>
  [[gnu::always_inline]] Lanes<F, Arch, Bound + Other> operator-(
      const Lanes<F, Arch, Other>& b) const noexcept {
    constexpr auto lift = Constants::multiple(Other);
    Lanes<F, Arch, Bound + Other> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i lifted = _mm512_add_epi64(limb[i].data, ifma::splat(lift[i]).data);
      r.limb[i].data = _mm512_sub_epi64(lifted, b.limb[i].data);
    });
    r.carry();
    return r;
  }

  /// Bound · modulus - this
  [[gnu::always_inline]] Lanes operator-() const noexcept {
    constexpr auto lift = Constants::multiple(Bound);
    Lanes r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_sub_epi64(ifma::splat(lift[i]).data, limb[i].data);
    });
    r.carry();
    return r;
  }

  /// 4·limbs² multiply-adds.
  template <unsigned Other>
  [[gnu::always_inline]] Lanes<F, Arch, 2> operator*(
      const Lanes<F, Arch, Other>& b) const noexcept {
    static_assert(std::uint64_t{Bound} * Other <= max_bound_product,
                  "the product of these bounds is too large: reduce an operand first");
    Lanes<F, Arch, 2> r;
    Arithmetic::multiply(r.limb, limb, b.limb);
    return r;
  }

  /// limbs·(limbs - 1) + 2·limbs + 2·limbs² multiply-adds.
  [[gnu::always_inline]] Lanes<F, Arch, 2> square() const noexcept {
    static_assert(std::uint64_t{Bound} * Bound <= max_bound_product,
                  "the square of this bound is too large: reduce first");
    Lanes<F, Arch, 2> r;
    Arithmetic::square(r.limb, limb);
    return r;
  }

  [[gnu::always_inline]] auto doubled() const noexcept { return *this + *this; }

  /// k · this
  template <unsigned k>
  [[gnu::always_inline]] Lanes<F, Arch, k * Bound> times() const noexcept {
    static_assert(k == 2 || k == 3 || k == 4 || k == 8);
    Lanes<F, Arch, k * Bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i x = limb[i].data;
      if constexpr (k == 3) {
        r.limb[i].data = _mm512_add_epi64(_mm512_add_epi64(x, x), x);
      } else {
        constexpr unsigned shift = k == 2 ? 1 : k == 4 ? 2 : 3;
        r.limb[i].data = _mm512_maskz_slli_epi64(0xff, x, shift);
      }
    });
    r.carry();
    return r;
  }

  /// Below 2 · modulus, by an estimate of the quotient from the top limb; Bound <= 8.
  ///
  /// With top = modulus' highest limb, floor(limb/(top + 1)) is at most one below the true quotient
  /// as long as Bound² < top, and never above it.
  [[gnu::always_inline]] Lanes<F, Arch, 2> partially_reduced() const noexcept {
    static_assert(Bound <= 8 && std::uint64_t{Bound} * Bound < Constants::modulus[limbs - 1]);
    return reduced_by(limb, limb[limbs - 1]);
  }

  /// a·b - c, below 2 · modulus; limbs of c may be signed. One carry pass for all.
  template <unsigned A, unsigned B>
  [[gnu::always_inline]] static Lanes<F, Arch, 2> product_less(
      const Lanes<F, Arch, A>& a, const Lanes<F, Arch, B>& b, const Lanes<F, Arch, 2>& c) noexcept {
    static_assert(std::uint64_t{A} * B <= max_bound_product / 64);
    Loose product;
    Arithmetic::multiply_loose(product, a.limb, b.limb);
    return reduced_difference<3>(product, c);
  }
  /// a² - b - c, below 2 · modulus; limbs of b and c may be signed. One carry pass for all.
  template <unsigned A>
  [[gnu::always_inline]] static Lanes<F, Arch, 2> square_less(const Lanes<F, Arch, A>& a,
                                                              const Lanes<F, Arch, 2>& b,
                                                              const Lanes<F, Arch, 2>& c) noexcept {
    static_assert(std::uint64_t{A} * A <= max_bound_product / 64);
    Loose square;
    Arithmetic::square_loose(square, a.limb);
    return reduced_difference<5>(square, b, c);
  }

  using Loose = typename Arithmetic::Number;
  /// x - the subtrahends, below 2 · modulus. The value of x is in [0, (7 - Lift)·modulus] or at
  /// most modulus/16 above, and the sum of the subtrahends at most (Lift - 1)·modulus; limbs of x
  /// without a carry pass, those of subtrahends in [-2^52, 2^52].
  template <unsigned Lift, class... Subtrahends>
  [[gnu::always_inline]] static Lanes<F, Arch, 2> reduced_difference(
      const Loose& x, const Subtrahends&... subtrahends) noexcept {
    static_assert(Lift > 2 * sizeof...(subtrahends) && Lift < 7);
    constexpr auto lift = Constants::multiple(Lift);
    Loose d;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      __m512i limb_i = _mm512_add_epi64(x[i].data, ifma::splat(lift[i]).data);
      ((limb_i = _mm512_sub_epi64(limb_i, subtrahends.limb[i].data)), ...);
      d[i].data = limb_i;
    });
    // The highest limb is at most `slack` from what carries would make it, above or below: taken
    // that much less it gives a quotient that is at most one too small. The value is at least the
    // modulus, so nothing is negative.
    constexpr std::uint64_t slack = 32;
    static_assert(Constants::modulus[limbs - 1] > 8 * slack);
    Vector top;
    top.data = _mm512_sub_epi64(d[limbs - 1].data, ifma::splat(slack).data);
    return reduced_by(d, top);
  }

  /// 2^k · this, for k < 52: two multiply-adds a limb and no carries.
  template <unsigned k>
  [[gnu::always_inline]] Lanes<F, Arch, (Bound << k)> times_power_of_two() const noexcept {
    static_assert(k < ifma::limb_bits && (std::uint64_t{Bound} << k) <= max_bound_product);
    const Vector power = ifma::splat(std::uint64_t{1} << k);
    Lanes<F, Arch, (Bound << k)> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i] = ifma::madd_low(ifma::splat(0), limb[i], power);
      if constexpr (i > 0) r.limb[i] = ifma::madd_high(r.limb[i], limb[i - 1], power);
    });
    return r;
  }

  /// The representative in [0, modulus); Bound <= 8.
  [[gnu::always_inline]] Lanes<F, Arch, 1> canonical() const noexcept {
    const Lanes<F, Arch, 2> x = partially_reduced();
    Lanes<F, Arch, 1> less;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      less.limb[i].data = _mm512_sub_epi64(x.limb[i].data, ifma::splat(Constants::modulus[i]).data);
    });
    const Vector borrow = less.carry();  // -1 where x was below the modulus
    const __mmask8 below = _mm512_movepi64_mask(borrow);
    Lanes<F, Arch, 1> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_mask_blend_epi64(below, less.limb[i].data, x.limb[i].data);
    });
    return r;
  }

  /// Bit k: is element k congruent to zero? Bound <= 8.
  [[gnu::always_inline]] std::uint8_t zero_mask() const noexcept {
    const Lanes<F, Arch, 1> x = canonical();
    Vector any = x.limb[0];
    unrolled<limbs - 1>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      any.data = _mm512_or_si512(any.data, x.limb[i + 1].data);
    });
    return static_cast<std::uint8_t>(_mm512_testn_epi64_mask(any, any));
  }

  /// Bit k of `mask` set: element k of a, else of b.
  [[gnu::always_inline]] static Lanes select(std::uint8_t mask, const Lanes& a,
                                             const Lanes& b) noexcept {
    Lanes r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_mask_blend_epi64(mask, b.limb[i].data, a.limb[i].data);
    });
    return r;
  }

  /// One signed carry pass: limbs in (-2^63, 2^63) to [0, 2^52) for a value in [0, 2^(52·limbs)).
  /// @return what the highest limb gave out: 0, or -1 for a negative value
  [[gnu::always_inline]] Vector carry() noexcept { return Arithmetic::carry(limb); }

  /// From eight elements of F, at the addresses given; @cost 1M, 24 shuffles and 3 operations a
  /// limb
  static Lanes<F, Arch, 2> load(const F* const (&from)[width]) noexcept {
    return load_digits(from) * Lanes<F, Arch, 1>::broadcast_digits(Constants::from_field);
  }
  /// The digits of the elements' own Montgomery form, for 2^(64N).
  ///
  /// @tparam before  masked words that a register reaches before an element, the rest of it behind:
  ///                 they are not read, but their cache line is waited for
  template <std::size_t before = 0>
  [[gnu::always_inline]] static Lanes<F, Arch, 1> load_digits(
      const F* const (&from)[width]) noexcept {
    static_assert(before + words <= width);
    Vector word[width];
    unrolled<width>([&](auto lane) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(lane)::value;
      // from the element's memory, not its array of limbs: the address is outside of that
      const auto* const own = reinterpret_cast<const std::uint64_t*>(from[k]);
      word[k] = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(all_words << before), own - before);
    });
    ifma::transpose(word);
    Lanes<F, Arch, 1> raw;
    unrolled<limbs>([&](auto index) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(index)::value;
      constexpr unsigned at = ifma::limb_bits * i, w = before + at / 64, low = at % 64;
      __m512i x = _mm512_maskz_srli_epi64(0xff, word[w], low);
      if constexpr (low + ifma::limb_bits > 64 && w + 1 < before + words) {
        x = _mm512_or_si512(x, _mm512_maskz_slli_epi64(0xff, word[w + 1], 64 - low));
      }
      raw.limb[i] = ifma::low_limb(x);
    });
    return raw;
  }

  /// To eight elements of F; @cost 1M, a full reduction, 24 shuffles and 4 operations a limb
  void store(F* const (&to)[width]) const noexcept {
    const auto plain = *this * Lanes<F, Arch, 1>::broadcast_digits(Constants::to_field);
    const auto raw = plain.canonical();
    Vector word[width];
    unrolled<width>([&](auto index) __attribute__((always_inline)) {
      constexpr std::size_t j = decltype(index)::value;
      word[j] = ifma::splat(0);
      if constexpr (j < words) {
        constexpr unsigned first = 64 * j / ifma::limb_bits, low = 64 * j % ifma::limb_bits;
        __m512i x = _mm512_maskz_srli_epi64(0xff, raw.limb[first], low);
        unrolled<2>([&](auto next) __attribute__((always_inline)) {
          constexpr unsigned i = first + 1 + decltype(next)::value;
          constexpr unsigned shift = ifma::limb_bits * i - 64 * j;
          if constexpr (i < limbs && shift < 64) {
            x = _mm512_or_si512(x, _mm512_maskz_slli_epi64(0xff, raw.limb[i], shift));
          }
        });
        word[j] = x;
      }
    });
    ifma::transpose(word);
    unrolled<width>([&](auto lane) __attribute__((always_inline)) {
      constexpr std::size_t k = decltype(lane)::value;
      typename F::Integer n;
      _mm512_mask_storeu_epi64(n.limb, all_words, word[k]);
      *to[k] = F::from_montgomery(n);
    });
  }

 private:
  /// x minus a multiple of the modulus told by the highest limb, or an estimate of it.
  [[gnu::always_inline]] static Lanes<F, Arch, 2> reduced_by(const Loose& x,
                                                             const Vector& highest) noexcept {
    // floor(x/(top + 1)) for x < 8·(top + 1): the number of k with k·(top + 1) <= x.
    constexpr std::uint64_t top = Constants::modulus[limbs - 1];
    constexpr std::uint64_t reciprocal = (std::uint64_t{1} << limb_bits_of_reciprocal) / (top + 1);
    const Vector quotient =
        ifma::madd_high(ifma::splat(0), highest,
                        ifma::splat(reciprocal << (ifma::limb_bits - limb_bits_of_reciprocal)));
    Lanes<F, Arch, 2> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i multiple =
          _mm512_maskz_permutexvar_epi64(0xff, quotient.data, multiples_of_limb(i).data);
      r.limb[i].data = _mm512_sub_epi64(x[i].data, multiple);
    });
    r.carry();
    return r;
  }

  static constexpr std::size_t words = F::limb_count;
  static_assert(words <= width);
  static constexpr __mmask8 all_words = (1U << words) - 1;
  static constexpr unsigned limb_bits_of_reciprocal = 51;

  /// Limb i of 0·modulus, 1·modulus, ..., 7·modulus.
  static Vector multiples_of_limb(std::size_t i) noexcept {
    alignas(64) static constexpr auto table = [] {
      std::array<std::array<std::uint64_t, width>, limbs> made{};
      for (std::size_t k = 0; k < width; ++k) {
        const auto digits = Constants::multiple(k);
        for (std::size_t l = 0; l < limbs; ++l) made[l][k] = digits[l];
      }
      return made;
    }();
    return Vector::load_aligned(table[i].data());
  }

  template <PrimeField, CpuArch, unsigned>
  friend struct Lanes;
};

}  // namespace zkgpu
