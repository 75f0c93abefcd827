// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include <zkgpu/field/lanes_avx512ifma_impl.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>

/// Arithmetic of transforms: products by factors that are known beforehand, and sums that neither
/// carry nor reduce.
///
/// A `Group` holds eight elements. Their digits are signed words, the value counts modulo 2^260,
/// and it stands for itself modulo the modulus r; 2^260 is 35 r. Only what is multiplied or stored
/// needs a value in [0, 2^260), and only there do digits carry.
/// @see docs/math/ntt.md
namespace zkgpu::ntt_cpu {

template <NttField F>
struct LaneArithmetic<F, arch::avx512ifma> {
  using Vector = __m512i;
  using Radix = Radix52<F>;
  using Digits = typename Radix::Digits;
  static_assert(Radix::limbs == lane_digits && F::limb_count == 4 && F::bits == 255);
  static constexpr std::size_t digits = lane_digits;
  /// Lanes of a group, and groups that make eight lanes.
  static constexpr std::size_t group_lanes = lane_width;
  static constexpr std::size_t parts = 1;
  using Scope = AnyState;

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
    [[gnu::always_inline]] Vector word(std::size_t i) const noexcept {
      return _mm512_set1_epi64(static_cast<long long>(at[i]));
    }
  };
  /// A factor a lane: ten vectors.
  struct LaneFactor {
    const std::uint64_t* at;
    [[gnu::always_inline]] Vector word(std::size_t i) const noexcept {
      return _mm512_load_si512(at + lane_width * i);
    }
  };
  /// A factor w a lane as w·2^260 mod r: five vectors, half of the memory.
  struct MontgomeryFactor {
    const std::uint64_t* at;
    [[gnu::always_inline]] Vector word(std::size_t i) const noexcept {
      return _mm512_load_si512(at + lane_width * i);
    }
  };

  [[gnu::always_inline]] static Vector splat(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  [[gnu::always_inline]] static Group broadcast(const Digits& d) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) r.digit[i] = splat(d[i]);
    return r;
  }
  template <unsigned count>
  [[gnu::always_inline]] static Vector shift_right(Vector x) noexcept {
    return _mm512_maskz_srli_epi64(0xff, x, count);  // masked: a false warning of gcc 12
  }
  template <unsigned count>
  [[gnu::always_inline]] static Vector shift_left(Vector x) noexcept {
    return _mm512_maskz_slli_epi64(0xff, x, count);
  }
  [[gnu::always_inline]] static Vector carry_of(Vector x) noexcept {
    return _mm512_maskz_srai_epi64(0xff, x, ifma::limb_bits);
  }
  [[gnu::always_inline]] static Vector low_digit(Vector x) noexcept {
    return _mm512_and_si512(x, splat(ifma::limb_mask));
  }

  /// a + multiple·r
  template <unsigned multiple>
  [[gnu::always_inline]] static void lift(Group& a) noexcept {
    constexpr Digits lifted = Radix::multiple(multiple);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      a.digit[i] = _mm512_add_epi64(a.digit[i], splat(lifted[i]));
    }
  }
  template <unsigned multiple>
  [[gnu::always_inline]] static void lower(Group& a) noexcept {
    constexpr Digits lowered = Radix::multiple(multiple);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      a.digit[i] = _mm512_sub_epi64(a.digit[i], splat(lowered[i]));
    }
  }
  [[gnu::always_inline]] static Group sum(const Group& a, const Group& b) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = _mm512_add_epi64(a.digit[i], b.digit[i]);
    }
    return r;
  }
  [[gnu::always_inline]] static Group difference(const Group& a, const Group& b) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = _mm512_sub_epi64(a.digit[i], b.digit[i]);
    }
    return r;
  }

  /// The digits modulo 2^52, in the low 52 bits of each word; what stands above them is left over.
  [[gnu::always_inline]] static Group carried(const Group& a) noexcept {
    Group r = a;
    ZKGPU_UNROLL for (std::size_t i = 0; i + 1 < digits; ++i) {
      r.digit[i + 1] = _mm512_add_epi64(r.digit[i + 1], carry_of(r.digit[i]));
    }
    return r;
  }

  /// x·w mod r, in [-r, r + 2^-40 r].
  ///
  /// @param x  a value in [0, 2^260), of which the low 52 bits of each digit are read
  /// @param w  below r, with w' = floor(w·2^260/r)
  ///
  /// q = floor(x·w'/2^260) is at most 2 below x·w/r, and x·w - (q + 1)·r needs no digit above the
  /// fifth. Of x·w' the columns below the fifth digit are left out, but for what they carry: less
  /// than 2^-48 of a unit of q. 84 multiply-adds; Montgomery's product takes 105.
  /// @see Shoup's factors: D. Harvey, arXiv 1205.2926, section 3
  template <class Factor>
  [[gnu::always_inline]] static Group product(const Group& x, const Factor& w) noexcept {
    constexpr std::size_t n = digits;
    Vector q[n + 1];  // columns n - 1 and up
    for (auto& column : q) column = _mm512_setzero_si512();
    q[1] = splat(1);
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) {
      ZKGPU_UNROLL for (std::size_t j = n - 1 - i; j < n; ++j) {
        const Vector quotient = w.word(n + j);
        q[i + j + 1 - n] = _mm512_madd52lo_epu64(q[i + j + 1 - n], x.digit[i], quotient);
        q[i + j + 2 - n] = _mm512_madd52hi_epu64(q[i + j + 2 - n], x.digit[i], quotient);
      }
      if (i + 1 < n) {
        q[0] = _mm512_madd52hi_epu64(q[0], x.digit[i], w.word(2 * n - 2 - i));
      }
    }
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) {
      q[i + 1] = _mm512_add_epi64(q[i + 1], shift_right<ifma::limb_bits>(q[i]));
    }
    Group t;
    for (auto& column : t.digit) column = _mm512_setzero_si512();
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) {
      ZKGPU_UNROLL for (std::size_t j = 0; i + j < n; ++j) {
        t.digit[i + j] = _mm512_madd52lo_epu64(t.digit[i + j], x.digit[i], w.word(j));
        if (i + j + 1 < n) {
          t.digit[i + j + 1] = _mm512_madd52hi_epu64(t.digit[i + j + 1], x.digit[i], w.word(j));
        }
      }
    }
    add_multiple(t, q + 1);
    return t;
  }

  /// The same by Montgomery's reduction, in [-r, r]; 105 multiply-adds.
  [[gnu::always_inline]] static Group product(const Group& x, const MontgomeryFactor& w) noexcept {
    constexpr std::size_t n = digits;
    constexpr Digits r = Radix::modulus;
    Vector t[2 * n];
    for (std::size_t i = 0; i < n; ++i) {
      t[i] = _mm512_setzero_si512();
      t[n + i] = splat(std::uint64_t{0} - r[i]);
    }
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) {
      ZKGPU_UNROLL for (std::size_t j = 0; j < n; ++j) {
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], x.digit[i], w.word(j));
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], x.digit[i], w.word(j));
      }
    }
    const Vector inverse = splat(Radix::inverse);
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) {
      const Vector m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[i], inverse);
      ZKGPU_UNROLL for (std::size_t j = 0; j < n; ++j) {
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], m, splat(r[j]));
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], m, splat(r[j]));
      }
      t[i + 1] = _mm512_add_epi64(t[i + 1], shift_right<ifma::limb_bits>(t[i]));
    }
    Group product;
    ZKGPU_UNROLL for (std::size_t i = 0; i < n; ++i) product.digit[i] = t[n + i];
    return product;
  }

  /// x·y/2^260 mod r, in [0, 2r], digits in [0, 2^52).
  /// @param x, y  digits in [0, 2^52), values of which the product is below 32 r^2
  [[gnu::always_inline]] static Group product(const Group& x, const Group& y) noexcept {
    return group(lanes<16>(x) * lanes<2>(y));
  }
  /// x·y mod 2^260, digits in [0, 2^52).
  [[gnu::always_inline]] static Group product_low(const Group& x, const Group& y) noexcept {
    Group t;
    for (auto& column : t.digit) column = _mm512_setzero_si512();
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      ZKGPU_UNROLL for (std::size_t j = 0; i + j < digits; ++j) {
        t.digit[i + j] = _mm512_madd52lo_epu64(t.digit[i + j], x.digit[i], y.digit[j]);
        if (i + j + 1 < digits) {
          t.digit[i + j + 1] = _mm512_madd52hi_epu64(t.digit[i + j + 1], x.digit[i], y.digit[j]);
        }
      }
    }
    t = carried(t);
    for (auto& digit : t.digit) digit = low_digit(digit);
    return t;
  }
  template <unsigned bound>
  [[gnu::always_inline]] static Lanes<F, arch::avx512ifma, bound> lanes(const Group& x) noexcept {
    Lanes<F, arch::avx512ifma, bound> r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) r.limb[i] = x.digit[i];
    return r;
  }
  template <unsigned bound>
  [[gnu::always_inline]] static Group group(const Lanes<F, arch::avx512ifma, bound>& x) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) r.digit[i] = x.limb[i];
    return r;
  }

  /// The residue in [0, r + 2^-40 r), digits in [0, 2^52), of a value in [0, 2^260).
  [[gnu::always_inline]] static Group reduced(const Group& a) noexcept {
    Vector top = carry_of(a.digit[0]);
    ZKGPU_UNROLL for (std::size_t i = 1; i + 1 < digits; ++i) {
      top = carry_of(_mm512_add_epi64(a.digit[i], top));
    }
    top = _mm512_add_epi64(a.digit[digits - 1], top);
    // 2^46/r_top', rounded down: the quotient scaled by 2^46, less 2^-40 of a unit at most.
    constexpr std::uint64_t r_top = Radix::modulus[digits - 1];
    constexpr auto reciprocal =
        static_cast<std::uint64_t>((static_cast<unsigned __int128>(1) << 98) / (r_top + 1));
    static_assert(reciprocal <= ifma::limb_mask && r_top >> 45 != 0);
    Vector quotient = _mm512_madd52hi_epu64(_mm512_setzero_si512(), top, splat(reciprocal));
    quotient = shift_right<46>(quotient);
    Group r = a;
    ZKGPU_UNROLL for (std::size_t j = 0; j < digits; ++j) {
      const Vector p = splat(Radix::negated_modulus[j]);
      r.digit[j] = _mm512_madd52lo_epu64(r.digit[j], quotient, p);
      if (j + 1 < digits) r.digit[j + 1] = _mm512_madd52hi_epu64(r.digit[j + 1], quotient, p);
    }
    ZKGPU_UNROLL for (std::size_t i = 0; i + 1 < digits; ++i) {
      r.digit[i + 1] = _mm512_add_epi64(r.digit[i + 1], carry_of(r.digit[i]));
      r.digit[i] = low_digit(r.digit[i]);
    }
    r.digit[digits - 1] = low_digit(r.digit[digits - 1]);
    return r;
  }

  /// The residue in [0, r) of what `reduced` gives.
  [[gnu::always_inline]] static Group canonical(const Group& a) noexcept {
    // Below r unless the highest digit is at least that of r: one value in 2^46, and 0, 1, ...
    const __mmask8 doubtful =
        _mm512_cmpge_epu64_mask(a.digit[digits - 1], splat(Radix::modulus[digits - 1]));
    if (__builtin_expect(doubtful == 0, 1)) return a;
    return less_modulus(a);
  }

  [[gnu::always_inline]] static Group from_words(const Words& w) noexcept {
    const auto middle = [](Vector low, Vector high) {
      return low_digit(_mm512_or_si512(low, high));
    };
    return {{low_digit(w.word[0]), middle(shift_right<52>(w.word[0]), shift_left<12>(w.word[1])),
             middle(shift_right<40>(w.word[1]), shift_left<24>(w.word[2])),
             middle(shift_right<28>(w.word[2]), shift_left<36>(w.word[3])),
             shift_right<16>(w.word[3])}};
  }
  /// @param a  digits in [0, 2^52), a value below 2^256
  [[gnu::always_inline]] static Words to_words(const Group& a) noexcept {
    return {{_mm512_or_si512(a.digit[0], shift_left<52>(a.digit[1])),
             _mm512_or_si512(shift_right<12>(a.digit[1]), shift_left<40>(a.digit[2])),
             _mm512_or_si512(shift_right<24>(a.digit[2]), shift_left<28>(a.digit[3])),
             _mm512_or_si512(shift_right<36>(a.digit[3]), shift_left<16>(a.digit[4]))}};
  }

  /// Lane l from the four words at from + l·step; @cost 8 shuffles
  [[gnu::always_inline]] static Words load(const std::uint64_t* from,
                                           std::ptrdiff_t step) noexcept {
    const auto pair = [=](std::ptrdiff_t l) {
      const auto* const low = reinterpret_cast<const __m256i*>(from + l * step);
      const auto* const high = reinterpret_cast<const __m256i*>(from + (l + 1) * step);
      return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(_mm256_loadu_si256(low)),
                                      _mm256_loadu_si256(high), 1);
    };
    const Vector z0 = pair(0), z1 = pair(2), z2 = pair(4), z3 = pair(6);
    const Vector first = _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0);
    const Vector last = _mm512_set_epi64(15, 11, 7, 3, 14, 10, 6, 2);
    const Vector a = _mm512_permutex2var_epi64(z0, first, z1);
    const Vector b = _mm512_permutex2var_epi64(z0, last, z1);
    const Vector c = _mm512_permutex2var_epi64(z2, first, z3);
    const Vector d = _mm512_permutex2var_epi64(z2, last, z3);
    return {{_mm512_maskz_shuffle_i64x2(0xff, a, c, 0x44),
             _mm512_maskz_shuffle_i64x2(0xff, a, c, 0xee),
             _mm512_maskz_shuffle_i64x2(0xff, b, d, 0x44),
             _mm512_maskz_shuffle_i64x2(0xff, b, d, 0xee)}};
  }
  [[gnu::always_inline]] static void store(const Words& w, std::uint64_t* to,
                                           std::ptrdiff_t step) noexcept {
    const Vector even_low = _mm512_maskz_unpacklo_epi64(0xff, w.word[0], w.word[1]);
    const Vector odd_low = _mm512_maskz_unpackhi_epi64(0xff, w.word[0], w.word[1]);
    const Vector even_high = _mm512_maskz_unpacklo_epi64(0xff, w.word[2], w.word[3]);
    const Vector odd_high = _mm512_maskz_unpackhi_epi64(0xff, w.word[2], w.word[3]);
    const Vector front = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const Vector back = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    const auto put = [=](Vector two, std::ptrdiff_t l) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + l * step),
                          _mm512_maskz_extracti64x4_epi64(0xf, two, 0));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (l + 2) * step),
                          _mm512_maskz_extracti64x4_epi64(0xf, two, 1));
    };
    put(_mm512_permutex2var_epi64(even_low, front, even_high), 0);
    put(_mm512_permutex2var_epi64(even_low, back, even_high), 4);
    put(_mm512_permutex2var_epi64(odd_low, front, odd_high), 1);
    put(_mm512_permutex2var_epi64(odd_low, back, odd_high), 5);
  }

  [[gnu::always_inline]] static Group read(const std::uint64_t* from) noexcept {
    Group r;
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = _mm512_load_si512(from + lane_width * i);
    }
    return r;
  }
  [[gnu::always_inline]] static void write(const Group& a, std::uint64_t* to) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      _mm512_store_si512(to + lane_width * i, a.digit[i]);
    }
  }

  /// As factors are kept; digits in [0, 2^52).
  [[gnu::always_inline]] static void write_factor(const Group& a, std::uint64_t* to) noexcept {
    write(a, to);
  }

  /// Lane l becomes lane 7 - l.
  [[gnu::always_inline]] static void reverse_lanes(Group (&a)[parts]) noexcept {
    const Vector order = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      a[0].digit[i] = _mm512_maskz_permutexvar_epi64(0xff, order, a[0].digit[i]);
    }
  }
  /// Digit by digit: lane l of row k becomes lane k of row l.
  [[gnu::always_inline]] static void transpose(Group (&rows)[lane_width][parts]) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      Vector a[lane_width];
      ZKGPU_UNROLL for (std::size_t k = 0; k < lane_width; k += 2) {
        const Vector even = rows[k][0].digit[i], odd = rows[k + 1][0].digit[i];
        a[k] = _mm512_maskz_unpacklo_epi64(0xff, even, odd);
        a[k + 1] = _mm512_maskz_unpackhi_epi64(0xff, even, odd);
      }
      ZKGPU_UNROLL for (std::size_t k = 0; k < 2; ++k) {  // columns k, k + 2, k + 4, k + 6
        const Vector low = _mm512_maskz_shuffle_i64x2(0xff, a[k], a[k + 2], 0x88);
        const Vector high = _mm512_maskz_shuffle_i64x2(0xff, a[k], a[k + 2], 0xdd);
        const Vector low2 = _mm512_maskz_shuffle_i64x2(0xff, a[k + 4], a[k + 6], 0x88);
        const Vector high2 = _mm512_maskz_shuffle_i64x2(0xff, a[k + 4], a[k + 6], 0xdd);
        rows[k][0].digit[i] = _mm512_maskz_shuffle_i64x2(0xff, low, low2, 0x88);
        rows[k + 2][0].digit[i] = _mm512_maskz_shuffle_i64x2(0xff, high, high2, 0x88);
        rows[k + 4][0].digit[i] = _mm512_maskz_shuffle_i64x2(0xff, low, low2, 0xdd);
        rows[k + 6][0].digit[i] = _mm512_maskz_shuffle_i64x2(0xff, high, high2, 0xdd);
      }
    }
  }

 private:
  /// t - q·r mod 2^260
  [[gnu::always_inline]] static void add_multiple(Group& t, const Vector* q) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      ZKGPU_UNROLL for (std::size_t j = 0; i + j < digits; ++j) {
        const Vector p = splat(Radix::negated_modulus[j]);
        t.digit[i + j] = _mm512_madd52lo_epu64(t.digit[i + j], q[i], p);
        if (i + j + 1 < digits) {
          t.digit[i + j + 1] = _mm512_madd52hi_epu64(t.digit[i + j + 1], q[i], p);
        }
      }
    }
  }

  [[gnu::noinline]] static Group less_modulus(Group a) noexcept {
    Group less = a;
    lower<1>(less);
    ZKGPU_UNROLL for (std::size_t i = 0; i + 1 < digits; ++i) {
      less.digit[i + 1] = _mm512_add_epi64(less.digit[i + 1], carry_of(less.digit[i]));
      less.digit[i] = low_digit(less.digit[i]);
    }
    const __mmask8 below = _mm512_movepi64_mask(less.digit[digits - 1]);
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      less.digit[i] = _mm512_mask_mov_epi64(less.digit[i], below, a.digit[i]);
    }
    return less;
  }
};

}  // namespace zkgpu::ntt_cpu
