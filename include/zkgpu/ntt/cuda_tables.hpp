// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/dft.hpp>
#include <zkgpu/ntt/tile.hpp>

/// Bodies that make the tables of transforms, and those of transforms that one block holds.
namespace zkgpu {

ZKGPU_HD constexpr std::size_t reverse_index(std::size_t i, unsigned bits) noexcept {
  std::size_t r = 0;
  for (unsigned k = 0; k < bits; ++k) r |= ((i >> k) & 1) << (bits - 1 - k);
  return r;
}

/// base^0 .. base^(2^log_low - 1), and base^(k·2^log_low): any power below 2^(log_low + log_high)
/// is one product of the two.
template <NttField F>
struct NttPowers {
  const F* low = nullptr;
  const F* high = nullptr;
  unsigned log_low = 0;

  ZKGPU_HD constexpr F power(std::size_t exponent) const noexcept {
    return low[exponent & ((std::size_t{1} << log_low) - 1)] * high[exponent >> log_low];
  }
};

/// base^(i·2^shift)
template <NttField F>
ZKGPU_HD constexpr F ntt_power(F base, std::size_t i, unsigned shift) noexcept {
  for (unsigned k = 0; k < shift; ++k) base = base.square();
  F r = F::one();
  for (; i != 0; i >>= 1) {
    if ((i & 1) != 0) r *= base;
    base = base.square();
  }
  return r;
}

/// Entry i of the twiddles of a pass of `levels` levels and 2^log_stride columns.
///
/// @param log_order  the powers are those of a root of order 2^log_order
template <NttField F>
ZKGPU_HD constexpr F ntt_twiddle(const NttPowers<F>& powers, std::size_t i, unsigned levels,
                                 unsigned log_stride, unsigned log_order,
                                 const F& factor) noexcept {
  const std::size_t row = reverse_index(i >> log_stride, levels);
  const std::size_t column = i & ((std::size_t{1} << log_stride) - 1);
  return powers.power(row * column << (log_order - levels - log_stride)) * factor;
}

/// Butterfly i of level s (halves of 2^s elements) of a transform that one block holds; x is the
/// block's. dif: difference times root; dit: root first.
///
/// @param roots  root^0 .. root^(n/2 - 1)
template <NttField F>
ZKGPU_HD constexpr void ntt_small_butterfly(F* x, const F* roots, unsigned log_n, unsigned s,
                                            unsigned i, NttFlow flow) noexcept {
  const unsigned half = 1u << s;
  const unsigned j = i & (half - 1);
  const unsigned lo = ((i >> s) << (s + 1)) + j;
  const F w = roots[static_cast<std::size_t>(j) << (log_n - 1 - s)];
  const F a = x[lo];
  if (flow == NttFlow::dif) {
    const F b = x[lo + half];
    x[lo] = a + b;
    x[lo + half] = (a - b) * w;
  } else {
    const F t = x[lo + half] * w;
    x[lo] = a + t;
    x[lo + half] = a - t;
  }
}

}  // namespace zkgpu
