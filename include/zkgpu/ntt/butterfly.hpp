// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

/// Bodies of the transform. Block k of a level holds a polynomial modulo X^(2h) - a², and one level
/// splits it modulo (X^h - a)(X^h + a); a is the block's only twiddle, and it is table entry k.
/// @see docs/math/ntt.md
namespace zkgpu {

/// The low `bits` bits of i, reversed.
ZKGPU_HD constexpr std::size_t reverse_bits(std::size_t i, unsigned bits) noexcept {
  std::size_t r = 0;
  for (unsigned b = 0; b < bits; ++b) r |= ((i >> b) & 1) << (bits - 1 - b);
  return r;
}

/// One level down, natural to bit-reversed order. Cooley-Tukey: 1M + 2A
template <NttField F>
ZKGPU_HD constexpr void butterfly(F& lo, F& hi, const F& twiddle) noexcept {
  const F t = hi * twiddle;
  hi = lo - t;
  lo = lo + t;
}

/// One level up, bit-reversed to natural order. Gentleman-Sande: 1M + 2A
template <NttField F>
ZKGPU_HD constexpr void butterfly_up(F& lo, F& hi, const F& twiddle) noexcept {
  const F t = lo - hi;
  lo = lo + hi;
  hi = t * twiddle;
}

/// The twiddles of block k and of its two halves.
template <NttField F>
struct QuadTwiddles {
  F whole, left, right;
};

/// Two levels down in one visit: 4M + 8A
template <NttField F>
ZKGPU_HD constexpr void quad_butterfly(F& a, F& b, F& c, F& d,
                                       const QuadTwiddles<F>& twiddle) noexcept {
  butterfly(a, c, twiddle.whole);
  butterfly(b, d, twiddle.whole);
  butterfly(a, b, twiddle.left);
  butterfly(c, d, twiddle.right);
}

/// The same for block 0, whose whole and left twiddles are one: 1M + 8A
template <NttField F>
ZKGPU_HD constexpr void quad_butterfly_first(F& a, F& b, F& c, F& d, const F& right) noexcept {
  const F s0 = a + c, s1 = b + d, d0 = a - c, d1 = (b - d) * right;
  a = s0 + s1;
  b = s0 - s1;
  c = d0 + d1;
  d = d0 - d1;
}

/// Two levels up in one visit: 4M + 8A
template <NttField F>
ZKGPU_HD constexpr void quad_butterfly_up(F& a, F& b, F& c, F& d,
                                          const QuadTwiddles<F>& twiddle) noexcept {
  butterfly_up(a, b, twiddle.left);
  butterfly_up(c, d, twiddle.right);
  butterfly_up(a, c, twiddle.whole);
  butterfly_up(b, d, twiddle.whole);
}

/// The same for block 0: 1M + 8A
template <NttField F>
ZKGPU_HD constexpr void quad_butterfly_up_first(F& a, F& b, F& c, F& d, const F& right) noexcept {
  const F s0 = a + b, d0 = a - b, s1 = c + d, d1 = (c - d) * right;
  a = s0 + s1;
  b = d0 + d1;
  c = s0 - s1;
  d = d0 - d1;
}

/// Where the inverse of table entry k stands, up to sign: for k >= 1, table[k]^-1 is
/// -table[mirrored_twiddle(k)].
///
/// Entries 2^s..2^(s+1)-1 are root^e for the odd multiples e of n/2^(s+2) below n/2, in
/// bit-reversed order; root^-e = -root^(n/2 - e), and n/2 - e stands where the bits below 2^s are
/// complemented.
ZKGPU_HD constexpr std::size_t mirrored_twiddle(std::size_t k) noexcept {
  std::size_t top = 1;
  while (top <= k / 2) top *= 2;
  return 3 * top - 1 - k;
}

}  // namespace zkgpu
