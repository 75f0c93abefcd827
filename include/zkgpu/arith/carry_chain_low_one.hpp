// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>

namespace zkgpu::carry_chain {

/// The Montgomery product for a modulus p = 1 + (2^32 - 1)·2^32 + ... of eight words: the scalar
/// field of BLS12-381. Then 1/p = 1 + 2^32 mod 2^64, so the multiplier of a step, which makes the
/// sum S a multiple of 2^64, costs no product: q = S·(1 + 2^32), q0 = s0 and q1 = s0 + s1. With the
/// complement c = 2^256 - p = 2^32 - 1 + 2^64·C,
///
///   S - q·p = S + q·c - q·2^256,    (S + q·c) / 2^64 = S / 2^64 + q·C + q1 + carry of s0 + s1,
///
/// rounded down: twelve limb products, and no product by a negative, which would come apart on the
/// device. Taking q away is adding its complement 2^64 - 1 - q; what that is too much, and p for a
/// sum that does not fall below 0, come in as constants where words are set anyway.
template <class Flag>
struct LowOneSum {
  std::uint32_t even[10] = {};
  std::uint32_t odd[9] = {};  // one word higher
  std::uint32_t top = 0;      // word 8 of the sum, at most 2 between steps

  /// += a·(b0 + b1·2^32) + (low + high·2^32)·2^256, for any a, b0, b1 and low, high < 2^32 - 3.
  ZKGPU_HD constexpr void add_rows(Flag& flag, const Words<8>& a, std::uint32_t b0,
                                   std::uint32_t b1, std::uint32_t low,
                                   std::uint32_t high) noexcept {
    multiply_add_row<8>(flag, even, a.word, b0);
    even[8] = flag.addc_cc(top, low);
    even[9] = flag.addc(0, 0);
    multiply_add_row<8>(flag, odd, a.word + 1, b0);  // no carry: odd[7] was 0
    multiply_add_row<8>(flag, odd, a.word, b1);
    odd[8] = flag.addc(high, 0);
    multiply_add_row<8>(flag, even + 2, a.word + 1, b1);  // no carry: even[9] was 0
  }

  /// (S - q·p + 2^320 - 2^256 + third·2^96) / 2^64
  ZKGPU_HD constexpr void divide(Flag& flag, const Words<8>& p, std::uint32_t third) noexcept {
    const std::uint32_t q0 = even[0];
    const std::uint32_t s1 = flag.add_cc(even[1], odd[0]);
    even[2] = flag.addc_cc(even[2], odd[1]);
    // Rows of q0: C2, C4, C6 to even, C3, C5, C7 to odd.
    flag.madc_cc(odd[2], odd[3], q0, ~p.word[3]);
    flag.madc_cc(odd[4], odd[5], q0, ~p.word[5]);
    flag.madc_cc(odd[6], odd[7], q0, ~p.word[7]);
    odd[8] = flag.addc(odd[8], 0);
    flag.mad_cc(even[2], even[3], q0, ~p.word[2]);
    flag.madc_cc(even[4], even[5], q0, ~p.word[4]);
    flag.madc_cc(even[6], even[7], q0, ~p.word[6]);
    const std::uint32_t carry = flag.addc(0, 0);
    // Rows of q1: C3, C5, C7 to even, C2, C4, C6 to odd.
    const std::uint32_t q1 = flag.add_cc(q0, s1);
    even[2] = flag.addc_cc(even[2], q1);
    even[3] = flag.addc_cc(even[3], third);
    flag.madc_cc(even[4], even[5], q1, ~p.word[3]);
    flag.madc_cc(even[6], even[7], q1, ~p.word[5]);
    flag.madc_cc(even[8], even[9], q1, ~p.word[7]);
    top = flag.addc(0, 0);
    flag.mad_cc(odd[2], odd[3], q1, ~p.word[2]);
    flag.madc_cc(odd[4], odd[5], q1, ~p.word[4]);
    flag.madc_cc(odd[6], odd[7], q1, ~p.word[6]);
    odd[8] = flag.addc_cc(odd[8], 0);
    const std::uint32_t none = flag.addc(0, 0);
    // -q
    static_cast<void>(flag.add_cc(carry, 0xffffffffu));
    even[8] = flag.addc_cc(even[8], ~q0);
    even[9] = flag.addc_cc(even[9], ~q1);
    top = flag.addc(top, 0);
    ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) even[i] = even[i + 2];
    ZKGPU_UNROLL for (std::size_t i = 0; i < 7; ++i) odd[i] = odd[i + 2];
    odd[7] = none;
  }

  ZKGPU_HD constexpr Words<8> merged(Flag& flag) const noexcept {
    Words<8> r{};
    r.word[0] = even[0];
    r.word[1] = flag.add_cc(even[1], odd[0]);
    ZKGPU_UNROLL for (std::size_t i = 2; i < 7; ++i) r.word[i] = flag.addc_cc(even[i], odd[i - 1]);
    r.word[7] = flag.addc(even[7], odd[6]);
    return r;
  }
};

/// Does the special form hold for p?
ZKGPU_HD constexpr bool is_low_one(std::uint64_t lowest_limb, std::size_t limbs) noexcept {
  return limbs == 4 && lowest_limb == 0xffffffff00000001;
}

/// a·b / 2^256 mod p for any a and a b below p: below a·b/2^256 + p, so below 2p.
/// @cost 112 wide multiply-adds
template <class Flag>
ZKGPU_HD constexpr Words<8> montgomery_product_low_one(Flag& flag, const Words<8>& a,
                                                       const Words<8>& b,
                                                       const Words<8>& p) noexcept {
  // The constants of the steps sum to p + 1; word 1 of it, 2^32 - 1, has room in the last step.
  LowOneSum<Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < 8; i += 2) {
    sum.add_rows(flag, a, b.word[i], b.word[i + 1], p.word[i] + (i == 0 ? 1 : 0),
                 i == 0 ? 0 : p.word[i + 1]);
    sum.divide(flag, p, i == 6 ? p.word[1] : 0);
  }
  return sum.merged(flag);
}

}  // namespace zkgpu::carry_chain
