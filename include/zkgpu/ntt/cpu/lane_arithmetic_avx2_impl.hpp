// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/lanes/radix52_avx2_impl.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>

namespace zkgpu::ntt_cpu {

/// The arithmetic of transforms with four elements a vector: two groups where memory has eight
/// lanes. Digits as they stand in memory, bounds and results are those of the form for AVX-512
/// IFMA; the words of factors are doubles.
/// @see docs/math/ntt.md
template <NttField F>
struct LaneArithmetic<F, arch::avx2> {
  using Vector = avx2_fma::Vector;
  using Double = avx2_fma::Double;
  using Radix = Radix52<F>;
  using Products = avx2_fma::Radix52Products<F>;
  using Digits = typename Radix::Digits;
  static_assert(Radix::limbs == lane_digits && F::limb_count == 4 && F::bits == 255);
  static constexpr std::size_t digits = lane_digits;
  /// Lanes of a group, and groups that make eight lanes.
  static constexpr std::size_t group_lanes = avx2_fma::width;
  static constexpr std::size_t parts = lane_width / group_lanes;
  using Scope = avx2_fma::RoundTowardZero;  ///< what a kernel holds while it runs

  struct Group {
    Vector digit[digits];
  };
  /// Four words an element, as in memory.
  struct Words {
    Vector word[4];
  };
  /// One factor for all lanes: ten words.
  struct BroadcastFactor {
    const std::uint64_t* at;
    [[gnu::always_inline]] Double operator()(std::size_t i) const noexcept {
      return avx2_fma::as_double(_mm256_set1_epi64x(static_cast<long long>(at[i])));
    }
  };
  /// A factor a lane: ten vectors.
  struct LaneFactor {
    const std::uint64_t* at;
    [[gnu::always_inline]] Double operator()(std::size_t i) const noexcept {
      return avx2_fma::as_double(read_vector(at + lane_width * i));
    }
  };
  /// A factor w a lane as w·2^260 mod r: five vectors, half of the memory.
  struct MontgomeryFactor {
    const std::uint64_t* at;
    [[gnu::always_inline]] Double operator()(std::size_t i) const noexcept {
      return avx2_fma::as_double(read_vector(at + lane_width * i));
    }
  };

  [[gnu::always_inline]] static Group broadcast(const Digits& d) noexcept {
    Group r;
    unrolled<digits>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.digit[i] = avx2_fma::splat(d[i]);
    });
    return r;
  }

  /// a + multiple·r
  template <unsigned multiple>
  [[gnu::always_inline]] static void lift(Group& a) noexcept {
    constexpr Digits lifted = Radix::multiple(multiple);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      a.digit[i] = _mm256_add_epi64(a.digit[i], avx2_fma::splat(lifted[i]));
    }
  }
  template <unsigned multiple>
  [[gnu::always_inline]] static void lower(Group& a) noexcept {
    constexpr Digits lowered = Radix::multiple(multiple);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      a.digit[i] = _mm256_sub_epi64(a.digit[i], avx2_fma::splat(lowered[i]));
    }
  }
  [[gnu::always_inline]] static Group sum(const Group& a, const Group& b) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = _mm256_add_epi64(a.digit[i], b.digit[i]);
    }
    return r;
  }
  [[gnu::always_inline]] static Group difference(const Group& a, const Group& b) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = _mm256_sub_epi64(a.digit[i], b.digit[i]);
    }
    return r;
  }

  /// The digits modulo 2^52, in the low 52 bits of each word; what stands above them is left over.
  ///
  /// There is no arithmetic shift of 64 bits: digits, within 2^62, are raised by 2^62 first.
  [[gnu::always_inline]] static Group carried(const Group& a) noexcept {
    Group r = a;
    r.digit[0] = _mm256_add_epi64(r.digit[0], avx2_fma::splat(raise));
    ZKGPU_UNROLL for (std::size_t i = 0; i + 1 < digits; ++i) {
      const std::uint64_t next = (i + 2 < digits ? raise : 0) - (raise >> avx2_fma::limb_bits);
      r.digit[i + 1] = _mm256_add_epi64(r.digit[i + 1], avx2_fma::splat(next));
      r.digit[i + 1] =
          _mm256_add_epi64(r.digit[i + 1], _mm256_srli_epi64(r.digit[i], avx2_fma::limb_bits));
    }
    return r;
  }
  /// Digits in [0, 2^52), of a value in [0, 2^260).
  [[gnu::always_inline]] static Group settled(const Group& a) noexcept {
    Group r = carried(a);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = avx2_fma::low_limb(r.digit[i]);
    }
    return r;
  }

  /// x·w mod r, in [-r, r + 2^-40 r].
  ///
  /// @param x  a value in [0, 2^260), of which the low 52 bits of each digit are read
  /// @param w  below r, with w' = floor(w·2^260/r)
  /// @see Shoup's factors: D. Harvey, arXiv 1205.2926, section 3
  template <class Factor>
  [[gnu::always_inline]] static Group product(const Group& x, const Factor& w) noexcept {
    const Doubles a = doubles(x);
    Group r;
    Products::multiply_known(r.digit, a, w);
    return r;
  }
  /// The same by Montgomery's reduction, in [-r, r].
  [[gnu::always_inline]] static Group product(const Group& x, const MontgomeryFactor& w) noexcept {
    const Doubles a = doubles(x);
    Group r;
    Products::template multiply<1>(r.digit, a, w);
    return r;
  }
  /// x·y/2^260 mod r, in [0, 2r], digits in [0, 2^52).
  /// @param x, y  digits in [0, 2^52), values of which the product is below 32 r^2
  [[gnu::always_inline]] static Group product(const Group& x, const Group& y) noexcept {
    const Doubles a = doubles(x), b = doubles(y);
    Group r;
    Products::template multiply<0>(r.digit, a, b);
    return settled(r);
  }
  /// x·y mod 2^260, digits in [0, 2^52).
  [[gnu::always_inline]] static Group product_low(const Group& x, const Group& y) noexcept {
    const Doubles a = doubles(x), b = doubles(y);
    Group r;
    Products::multiply_low(r.digit, a, b);
    return settled(r);
  }

  /// The residue in [0, r + 2^-40 r), digits in [0, 2^52), of a value in [0, 2^260).
  [[gnu::always_inline]] static Group reduced(const Group& a) noexcept {
    const Group x = carried(a);
    constexpr std::uint64_t r_top = Radix::modulus[digits - 1];
    static_assert(r_top >> 45 != 0);
    // floor(top/(r_top + 1)), from a reciprocal that is at most 2^-52 of it below: never above the
    // quotient, and below by 2^-45 where it is not exact.
    constexpr double reciprocal = (1 - 0x1p-52) / static_cast<double>(r_top + 1);
    const Double quotient =
        _mm256_fmadd_pd(avx2_fma::to_double(x.digit[digits - 1]), _mm256_set1_pd(reciprocal),
                        avx2_fma::as_double(avx2_fma::splat(avx2_fma::low_word)));
    const Vector q = avx2_fma::as_word(quotient);  // its low 32 bits: at most 35
    Group r;
    ZKGPU_UNROLL for (std::size_t j = 0; j < digits; ++j) {
      const Vector low = _mm256_mul_epu32(q, avx2_fma::splat(Radix::modulus[j]));
      const Vector high = _mm256_mul_epu32(q, avx2_fma::splat(Radix::modulus[j] >> 32));
      r.digit[j] = _mm256_sub_epi64(avx2_fma::low_limb(x.digit[j]),
                                    _mm256_add_epi64(low, _mm256_slli_epi64(high, 32)));
    }
    return settled(r);
  }

  /// The residue in [0, r) of what `reduced` gives.
  [[gnu::always_inline]] static Group canonical(const Group& a) noexcept {
    // Below r unless the highest digit is at least that of r: one value in 2^46, and 0, 1, ...
    const Vector doubtful =
        _mm256_cmpgt_epi64(a.digit[digits - 1], avx2_fma::splat(Radix::modulus[digits - 1] - 1));
    if (__builtin_expect(_mm256_testz_si256(doubtful, doubtful) != 0, 1)) return a;
    return less_modulus(a);
  }

  [[gnu::always_inline]] static Group from_words(const Words& w) noexcept {
    const auto middle = [](Vector low, Vector high) __attribute__((always_inline)) {
      return avx2_fma::low_limb(_mm256_or_si256(low, high));
    };
    return {{avx2_fma::low_limb(w.word[0]),
             middle(_mm256_srli_epi64(w.word[0], 52), _mm256_slli_epi64(w.word[1], 12)),
             middle(_mm256_srli_epi64(w.word[1], 40), _mm256_slli_epi64(w.word[2], 24)),
             middle(_mm256_srli_epi64(w.word[2], 28), _mm256_slli_epi64(w.word[3], 36)),
             _mm256_srli_epi64(w.word[3], 16)}};
  }
  /// @param a  digits in [0, 2^52), a value below 2^256
  [[gnu::always_inline]] static Words to_words(const Group& a) noexcept {
    const auto join = [](Vector low, Vector high) __attribute__((always_inline)) {
      return _mm256_or_si256(low, high);
    };
    return {{join(a.digit[0], _mm256_slli_epi64(a.digit[1], 52)),
             join(_mm256_srli_epi64(a.digit[1], 12), _mm256_slli_epi64(a.digit[2], 40)),
             join(_mm256_srli_epi64(a.digit[2], 24), _mm256_slli_epi64(a.digit[3], 28)),
             join(_mm256_srli_epi64(a.digit[3], 36), _mm256_slli_epi64(a.digit[4], 16))}};
  }

  /// Lane l from the four words at from + l·step; @cost 8 shuffles
  [[gnu::always_inline]] static Words load(const std::uint64_t* from,
                                           std::ptrdiff_t step) noexcept {
    Words w;
    ZKGPU_UNROLL for (std::size_t l = 0; l < group_lanes; ++l) {
      w.word[l] = _mm256_loadu_si256(
          reinterpret_cast<const __m256i*>(from + static_cast<std::ptrdiff_t>(l) * step));
    }
    transpose_square(w.word[0], w.word[1], w.word[2], w.word[3]);
    return w;
  }
  [[gnu::always_inline]] static void store(Words w, std::uint64_t* to,
                                           std::ptrdiff_t step) noexcept {
    transpose_square(w.word[0], w.word[1], w.word[2], w.word[3]);
    ZKGPU_UNROLL for (std::size_t l = 0; l < group_lanes; ++l) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + static_cast<std::ptrdiff_t>(l) * step),
                          w.word[l]);
    }
  }

  [[gnu::always_inline]] static Group read(const std::uint64_t* from) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = read_vector(from + lane_width * i);
    }
    return r;
  }
  [[gnu::always_inline]] static void write(const Group& a, std::uint64_t* to) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + lane_width * i), a.digit[i]);
    }
  }
  /// As factors are kept; digits in [0, 2^52).
  [[gnu::always_inline]] static void write_factor(const Group& a, std::uint64_t* to) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      const Double x = avx2_fma::to_double(a.digit[i]);
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + lane_width * i), avx2_fma::as_word(x));
    }
  }

  /// Lane l of eight becomes lane 7 - l.
  [[gnu::always_inline]] static void reverse_lanes(Group (&a)[parts]) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      const Vector first = _mm256_permute4x64_epi64(a[0].digit[i], 0x1b);
      a[0].digit[i] = _mm256_permute4x64_epi64(a[1].digit[i], 0x1b);
      a[1].digit[i] = first;
    }
  }
  /// Digit by digit: lane l of row k becomes lane k of row l.
  [[gnu::always_inline]] static void transpose(Group (&rows)[lane_width][parts]) noexcept {
    for (std::size_t i = 0; i < digits; ++i) {
      ZKGPU_UNROLL for (std::size_t p = 0; p < parts; ++p) {
        ZKGPU_UNROLL for (std::size_t k = 0; k < lane_width; k += group_lanes) {
          transpose_square(rows[k][p].digit[i], rows[k + 1][p].digit[i], rows[k + 2][p].digit[i],
                           rows[k + 3][p].digit[i]);
        }
      }
      ZKGPU_UNROLL for (std::size_t k = 0; k < group_lanes; ++k) {
        const Vector upper = rows[k][1].digit[i];
        rows[k][1].digit[i] = rows[k + group_lanes][0].digit[i];
        rows[k + group_lanes][0].digit[i] = upper;
      }
    }
  }

 private:
  static constexpr std::uint64_t raise = std::uint64_t{1} << 62;

  /// Digits as operands of products.
  struct Doubles {
    Double digit[digits];
    [[gnu::always_inline]] Double operator()(std::size_t i) const noexcept { return digit[i]; }
  };
  [[gnu::always_inline]] static Doubles doubles(const Group& x) noexcept {
    Doubles r;
    unrolled<digits>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.digit[i] = avx2_fma::to_double(x.digit[i]);
    });
    return r;
  }
  [[gnu::always_inline]] static Vector read_vector(const std::uint64_t* from) noexcept {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
  }
  [[gnu::always_inline]] static void transpose_square(Vector& a, Vector& b, Vector& c,
                                                      Vector& d) noexcept {
    const Vector ab_even = _mm256_unpacklo_epi64(a, b), ab_odd = _mm256_unpackhi_epi64(a, b);
    const Vector cd_even = _mm256_unpacklo_epi64(c, d), cd_odd = _mm256_unpackhi_epi64(c, d);
    a = _mm256_permute2x128_si256(ab_even, cd_even, 0x20);
    b = _mm256_permute2x128_si256(ab_odd, cd_odd, 0x20);
    c = _mm256_permute2x128_si256(ab_even, cd_even, 0x31);
    d = _mm256_permute2x128_si256(ab_odd, cd_odd, 0x31);
  }

  [[gnu::noinline]] static Group less_modulus(const Group& a) noexcept {
    Group less = a;
    lower<1>(less);
    less = carried(less);  // the highest digit keeps its sign
    const Double below = avx2_fma::as_double(less.digit[digits - 1]);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      const Double kept = _mm256_blendv_pd(avx2_fma::as_double(avx2_fma::low_limb(less.digit[i])),
                                           avx2_fma::as_double(a.digit[i]), below);
      less.digit[i] = avx2_fma::as_word(kept);
    }
    return less;
  }
};

}  // namespace zkgpu::ntt_cpu
