// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>
#include <zkgpu/core/config.hpp>

/// Products in F[u]/(u² + 1) as chains of 32-bit instructions, see carry_chain.hpp.
namespace zkgpu::carry_chain {

namespace detail {

/// (k + a·b) / 2^(32 W) mod p, below p + p/2^32 + (k + a·b)/2^(32 W), which is below 2^(32 W).
/// @cost 2 W² wide multiply-adds, W low products
template <std::size_t W, class Flag>
ZKGPU_HD constexpr Words<W> montgomery_product_and_sum(Flag& flag, const std::uint32_t (&k)[2 * W],
                                                       const Words<W>& a, const Words<W>& b,
                                                       const Divisor<W>& by) noexcept {
  RunningSum<W, Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) sum.even[i] = k[i];
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
    sum.add_first_row(flag, a, b.word[i]);
    sum.divide(flag, by, i);
  }
  const Words<W> low = sum.merged(flag);
  Words<W> r{};
  r.word[0] = flag.add_cc(low.word[0], k[W]);
  ZKGPU_UNROLL for (std::size_t i = 1; i + 1 < W; ++i) {
    r.word[i] = flag.addc_cc(low.word[i], k[W + i]);
  }
  r.word[W - 1] = flag.addc(low.word[W - 1], k[2 * W - 1]);
  return r;
}

}  // namespace detail

/// r0 + r1·u = (a0 + a1·u)(b0 + b1·u) / 2^(32 W) for u² = -1, both below 2p for factors below 2p
/// and p < 2^(32 W - 3): of k = b0·(a0 + a1) there are r0 = k - a1·(b0 + b1) and r1 = k + a0·(b1 -
/// b0). What is negative is a factor 2p - a1 there, and here a number modulo 2^(32 W), whose a0 too
/// many are taken off the result.
/// @cost 5 W² wide multiply-adds, 4 low products
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void complex_product(Flag& flag, Words<W>& r0, Words<W>& r1, const Words<W>& a0,
                                        const Words<W>& a1, const Words<W>& b0, const Words<W>& b1,
                                        const Words<W>& p, std::uint32_t inverse) noexcept {
  const Divisor<W> by(p, inverse);
  Words<W> twice_p{};
  twice_p.word[0] = p.word[0] << 1;
  ZKGPU_UNROLL for (std::size_t i = 1; i < W; ++i) {
    twice_p.word[i] = p.word[i] << 1 | p.word[i - 1] >> 31;
  }
  Words<W> sum{};
  add(flag, sum, a0, a1);  // below 4p
  std::uint32_t k[2 * W] = {};
  product<W>(flag, k, sum, b0);
  Words<W> rise{};
  const std::uint32_t falls = subtract(flag, rise, b1, b0);
  // below p + 8p²/2^(32 W) at the end
  Words<W> imaginary = detail::montgomery_product_and_sum(flag, k, a0, rise, by);
  flag.template subtract_if<W>(imaginary.word, a0.word, falls);
  add(flag, sum, b0, b1);
  Words<W> minus_a1{};
  subtract(flag, minus_a1, twice_p, a1);
  // below p + 12p²/2^(32 W), which is 2.5p; less p where its highest word may be that of 2p
  r0 = detail::montgomery_product_and_sum(flag, k, sum, minus_a1, by);
  flag.template subtract_if<W>(r0.word, p.word, r0.word[W - 1] >= twice_p.word[W - 1] ? 1u : 0u);
  r1 = imaginary;
}

}  // namespace zkgpu::carry_chain
