// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/unrolled.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/lanes/radix52.hpp>

/// Arithmetic on eight numbers in radix 2^52, limb-major, by the 52-bit multiply-add of AVX-512
/// IFMA. Bounds are those of `Lanes`, which is what other code uses.
namespace zkgpu {

namespace ifma {

using Vector = xsimd::batch<std::uint64_t, xsimd::avx512bw>;
using radix52::limb_bits;
using radix52::limb_mask;
inline constexpr std::size_t width = 8;

/// c + the low 52 bits of a·b; only the low 52 bits of a and b are read.
[[gnu::always_inline]] inline Vector madd_low(Vector c, Vector a, Vector b) noexcept {
  return _mm512_madd52lo_epu64(c, a, b);
}
/// c + a·b / 2^52
[[gnu::always_inline]] inline Vector madd_high(Vector c, Vector a, Vector b) noexcept {
  return _mm512_madd52hi_epu64(c, a, b);
}
/// The signed limb divided by 2^52, towards -∞.
[[gnu::always_inline]] inline Vector carry_of(Vector x) noexcept {
  return _mm512_maskz_srai_epi64(0xff, x, limb_bits);  // plain: a false warning of gcc 12
}
[[gnu::always_inline]] inline Vector low_limb(Vector x) noexcept {
  return _mm512_and_si512(x, _mm512_set1_epi64(static_cast<long long>(limb_mask)));
}
[[gnu::always_inline]] inline Vector splat(std::uint64_t x) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

/// Rows to columns. Masked forms only for gcc 12, which warns of the plain ones' undefined input.
[[gnu::always_inline]] inline void transpose(Vector (&r)[8]) noexcept {
  __m512i t[8];
  ZKGPU_UNROLL for (std::size_t i = 0; i < 4; ++i) {
    t[i] = _mm512_maskz_unpacklo_epi64(0xff, r[2 * i], r[2 * i + 1]);      // columns 0, 2, 4, 6
    t[4 + i] = _mm512_maskz_unpackhi_epi64(0xff, r[2 * i], r[2 * i + 1]);  // columns 1, 3, 5, 7
  }
  ZKGPU_UNROLL for (std::size_t odd = 0; odd < 2; ++odd) {
    const __m512i* const q = t + 4 * odd;
    const __m512i a = _mm512_maskz_shuffle_i64x2(0xff, q[0], q[1], 0x88);
    const __m512i b = _mm512_maskz_shuffle_i64x2(0xff, q[0], q[1], 0xdd);
    const __m512i c = _mm512_maskz_shuffle_i64x2(0xff, q[2], q[3], 0x88);
    const __m512i d = _mm512_maskz_shuffle_i64x2(0xff, q[2], q[3], 0xdd);
    r[0 + odd] = _mm512_maskz_shuffle_i64x2(0xff, a, c, 0x88);
    r[4 + odd] = _mm512_maskz_shuffle_i64x2(0xff, a, c, 0xdd);
    r[2 + odd] = _mm512_maskz_shuffle_i64x2(0xff, b, d, 0x88);
    r[6 + odd] = _mm512_maskz_shuffle_i64x2(0xff, b, d, 0xdd);
  }
}

/// One text for all bounds. On plain registers: calls of functions that are not always inline, such
/// as xsimd's, take gcc 12 a time that grows with the square of their number.
template <PrimeField F>
struct Radix52Arithmetic {
  using Constants = Radix52<F>;
  static constexpr std::size_t limbs = Constants::limbs;
  using Number = Vector[limbs];
  using Register = __m512i;

  /// One signed carry pass: limbs in (-2^63, 2^63) to [0, 2^52) for a value in [0, 2^(52·limbs)).
  /// @return what the highest limb gave out: 0, or -1 for a negative value
  [[gnu::always_inline]] static Vector carry(Number& x) noexcept {
    unrolled<limbs - 1>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      x[i + 1].data = _mm512_add_epi64(x[i + 1].data, upper(x[i].data));
      x[i].data = lower(x[i].data);
    });
    const Register out = upper(x[limbs - 1].data);
    x[limbs - 1].data = lower(x[limbs - 1].data);
    return out;
  }

  using Wide = Register[2 * limbs];

  /// The whole product first, then its reduction: nothing rotates, so both gcc and clang keep it in
  /// registers. 4·limbs² multiply-adds.
  [[gnu::always_inline]] static void multiply(Number& r, const Number& a,
                                              const Number& b) noexcept {
    multiply_loose(r, a, b);
    carry(r);
  }
  /// The same without the last carry pass: limbs in [0, 2^57), sums of at most 30 halves of
  /// products and a carry; the highest as after it or up to 16 less.
  [[gnu::always_inline]] static void multiply_loose(Number& r, const Number& a,
                                                    const Number& b) noexcept {
    Wide t;
    multiply_wide(t, a, b);
    reduce_loose<false>(r, t);
  }

  /// a0·b0 - a1·b1 + modulus and a0·b1 + a1·b0 with two reductions, by Karatsuba: 3·2·limbs² +
  /// 2·2·limbs² multiply-adds. Sums and differences of products are taken limb by limb, signed.
  ///
  /// With bounds whose product is at most a quarter of the largest, both are at most 3 · modulus.
  [[gnu::always_inline]] static void multiply_complex(Number& real, Number& imaginary,
                                                      const Number& a0, const Number& a1,
                                                      const Number& b0, const Number& b1) noexcept {
    multiply_complex_loose(real, imaginary, a0, a1, b0, b1);
    carry(real);
    carry(imaginary);
  }
  /// The same without the last carry passes: limbs in (-2^58, 2^58), the highest at most 16 from
  /// what it is after it.
  [[gnu::always_inline]] static void multiply_complex_loose(Number& real, Number& imaginary,
                                                            const Number& a0, const Number& a1,
                                                            const Number& b0,
                                                            const Number& b1) noexcept {
    Wide v0, v1;
    multiply_wide(v0, a0, b0);
    multiply_wide(v1, a1, b1);
    Wide both;
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      both[i] = _mm512_add_epi64(v0[i], v1[i]);
      v0[i] = _mm512_sub_epi64(v0[i], v1[i]);
    });
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {  // modulus · 2^(52·limbs)
      constexpr std::size_t i = decltype(at)::value;
      v0[limbs + i] = _mm512_add_epi64(v0[limbs + i], constant(modulus_limb<i>));
    });
    reduce_loose<true>(real, v0);
    Number a, b;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      a[i].data = _mm512_add_epi64(a0[i].data, a1[i].data);
      b[i].data = _mm512_add_epi64(b0[i].data, b1[i].data);
    });
    carry(a);
    carry(b);
    Wide cross;
    multiply_wide(cross, a, b);
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      cross[i] = _mm512_sub_epi64(cross[i], both[i]);
    });
    reduce_loose<true>(imaginary, cross);
  }

  /// limbs·(limbs - 1) + 2·limbs + 2·limbs² multiply-adds.
  [[gnu::always_inline]] static void square(Number& r, const Number& a) noexcept {
    square_loose(r, a);
    carry(r);
  }
  /// See multiply_loose.
  [[gnu::always_inline]] static void square_loose(Number& r, const Number& a) noexcept {
    Wide t;
    clear(t);
    unrolled<limbs>([&](auto row) __attribute__((always_inline)) {
      unrolled<limbs - 1 - decltype(row)::value>([&](auto column) __attribute__((always_inline)) {
        constexpr std::size_t i = decltype(row)::value, j = i + 1 + decltype(column)::value;
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], a[i].data, a[j].data);
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a[i].data, a[j].data);
      });
    });
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      t[2 * i] = _mm512_add_epi64(t[2 * i], t[2 * i]);
      t[2 * i + 1] = _mm512_add_epi64(t[2 * i + 1], t[2 * i + 1]);
      t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a[i].data, a[i].data);
      t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a[i].data, a[i].data);
    });
    reduce_loose<false>(r, t);
  }

  /// v0 - v1 + modulus·2^(52·limbs) and cross - v0 - v1, each reduced: the product of Karatsuba
  /// from sums of products v0 of the real parts, v1 of the imaginary ones, and cross of their sums.
  [[gnu::always_inline]] static void reduce_complex(Number& real, Number& imaginary, Wide& v0,
                                                    const Wide& v1, Wide& cross) noexcept {
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      cross[i] = _mm512_sub_epi64(cross[i], _mm512_add_epi64(v0[i], v1[i]));
      v0[i] = _mm512_sub_epi64(v0[i], v1[i]);
    });
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      v0[limbs + i] = _mm512_add_epi64(v0[limbs + i], constant(modulus_limb<i>));
    });
    reduce<true>(real, v0);
    reduce<true>(imaginary, cross);
  }

  /// t / 2^(52·limbs) mod modulus, for a value that is not negative; limbs of t below 2^58, or of
  /// any sign.
  template <bool any_sign>
  [[gnu::always_inline]] static void reduce(Number& r, Wide& t) noexcept {
    reduce_loose<any_sign>(r, t);
    carry(r);
  }

  /// The same without the last carry pass.
  ///
  /// A row takes 4 + 4 + 1 cycles to the next one's factor: the carry out of limb i, which becomes
  /// a multiple of 2^52, is t[i]/2^52 rounded up and needs no product, and the two products that go
  /// into limb i + 1 run side by side. 2·limbs² multiply-adds.
  template <bool any_sign>
  [[gnu::always_inline]] static void reduce_loose(Number& r, Wide& t) noexcept {
    unrolled<limbs>([&](auto row) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(row)::value;
      const Register m = _mm512_madd52lo_epu64(constant(0), t[i], constant(Constants::inverse));
      const Register above = _mm512_add_epi64(t[i], constant(limb_mask));
      const Register carry_out =
          any_sign ? upper(above) : _mm512_maskz_srli_epi64(0xff, above, limb_bits);
      const Register high = _mm512_madd52hi_epu64(carry_out, m, constant(modulus_limb<0>));
      unrolled<limbs - 1>([&](auto column) __attribute__((always_inline)) {
        constexpr std::size_t j = decltype(column)::value + 1;
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], m, constant(modulus_limb<j>));
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], m, constant(modulus_limb<j>));
      });
      t[i + 1] = _mm512_add_epi64(t[i + 1], high);
    });
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r[i].data = t[limbs + i];
    });
  }

 private:
  [[gnu::always_inline]] static Register constant(std::uint64_t x) noexcept {
    return _mm512_set1_epi64(static_cast<long long>(x));
  }
  [[gnu::always_inline]] static Register upper(Register x) noexcept {
    return _mm512_maskz_srai_epi64(0xff, x, limb_bits);
  }
  [[gnu::always_inline]] static Register lower(Register x) noexcept {
    return _mm512_and_si512(x, constant(limb_mask));
  }
  [[gnu::always_inline]] static void clear(Wide& t) noexcept {
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      t[decltype(at)::value] = constant(0);
    });
  }

  [[gnu::always_inline]] static void multiply_wide(Wide& t, const Number& a,
                                                   const Number& b) noexcept {
    clear(t);
    unrolled<limbs>([&](auto row) __attribute__((always_inline)) {
      unrolled<limbs>([&](auto column) __attribute__((always_inline)) {
        constexpr std::size_t i = decltype(row)::value, j = decltype(column)::value;
        t[i + j] = _mm512_madd52lo_epu64(t[i + j], a[i].data, b[j].data);
        t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a[i].data, b[j].data);
      });
    });
  }

  template <std::size_t i>
  static constexpr std::uint64_t modulus_limb = Constants::modulus[i];
};

}  // namespace ifma

}  // namespace zkgpu
