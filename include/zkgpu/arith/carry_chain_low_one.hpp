// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>

namespace zkgpu::carry_chain {

/// The Montgomery product for a modulus p = 1 + (2^32 - 1)·2^32 + ... of eight words: the scalar
/// field of BLS12-381. Then -1/p = -(1 + 2^32) mod 2^64, so the two multipliers of a step cost no
/// product, and of the sixteen limb products of a step's reduction thirteen remain:
///
///   m0·p0 = m0 and m1·p0 = m1 are copies, and m0·p1·2^32 = m0·2^64 - m0·2^32 is a shift, whose
///   upper part is one more m0·2^64: p2 + 1 takes it in.
template <class Flag>
struct LowOneSum {
  std::uint32_t even[10] = {};
  std::uint32_t odd[9] = {};  // one word higher
  std::uint32_t top = 0;      // word 8 of the sum: it is below 1.46·2^256 between steps

  /// += a·(b0 + b1·2^32), for any a, b0, b1.
  ZKGPU_HD constexpr void add_rows(Flag& flag, const Words<8>& a, std::uint32_t b0,
                                   std::uint32_t b1) noexcept {
    multiply_add_row<8>(flag, even, a.word, b0);
    even[8] = flag.addc(top, 0);
    even[9] = 0;
    multiply_add_row<8>(flag, odd, a.word + 1, b0);  // no carry: even and odd are below the whole
    multiply_add_row<8>(flag, odd, a.word, b1);
    odd[8] = flag.addc(0, 0);
    multiply_add_row<8>(flag, even + 2, a.word + 1, b1);
  }

  /// Adds m·p with (sum + m·p) = 0 mod 2^64, and divides by 2^64.
  ///
  /// The borrow goes through a register: on the device the flag after a subtraction is not the
  /// carry that a following addition takes in.
  ZKGPU_HD constexpr void divide(Flag& flag, const Words<8>& p) noexcept {
    const std::uint32_t t0 = even[0];
    const std::uint32_t t1 = flag.add_cc(even[1], odd[0]);
    const std::uint32_t carry = flag.addc(0, 0);  // at word 2
    const std::uint32_t m0 = flag.sub_cc(0, t0);
    const std::uint32_t m1 = flag.subc_cc(m0, t1);
    const std::uint32_t borrow = flag.subc(0, 0);  // all ones: the low words sum to 2^64
    // Rows of m0: p2+1, p4, p6 to even, p3, p5, p7 to odd.
    const std::uint32_t p2_plus_1 = p.word[2] + 1;
    static_cast<void>(flag.add_cc(carry, 0xffffffffu));
    flag.madc_cc(even[2], even[3], m0, p2_plus_1);
    flag.madc_cc(even[4], even[5], m0, p.word[4]);
    flag.madc_cc(even[6], even[7], m0, p.word[6]);
    even[8] = flag.addc_cc(even[8], 0);
    even[9] = flag.addc(even[9], 0);
    // Rows of m1: p1, p3, p5, p7 to even, p2, p4, p6 to odd.
    static_cast<void>(flag.add_cc(borrow, 1));
    flag.madc_cc(even[2], even[3], m1, p.word[1]);
    flag.madc_cc(even[4], even[5], m1, p.word[3]);
    flag.madc_cc(even[6], even[7], m1, p.word[5]);
    flag.madc_cc(even[8], even[9], m1, p.word[7]);
    top = flag.addc(0, 0);
    even[2] = flag.add_cc(even[2], odd[1]);
    flag.madc_cc(odd[2], odd[3], m0, p.word[3]);
    flag.madc_cc(odd[4], odd[5], m0, p.word[5]);
    flag.madc_cc(odd[6], odd[7], m0, p.word[7]);
    odd[8] = flag.addc(odd[8], 0);
    flag.mad_cc(odd[2], odd[3], m1, p.word[2]);
    flag.madc_cc(odd[4], odd[5], m1, p.word[4]);
    flag.madc_cc(odd[6], odd[7], m1, p.word[6]);
    odd[8] = flag.addc(odd[8], 0);
    ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) even[i] = even[i + 2];
    ZKGPU_UNROLL for (std::size_t i = 0; i < 7; ++i) odd[i] = odd[i + 2];
    odd[7] = 0;
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
/// @cost 116 wide multiply-adds
template <class Flag>
ZKGPU_HD constexpr Words<8> montgomery_product_low_one(Flag& flag, const Words<8>& a,
                                                       const Words<8>& b,
                                                       const Words<8>& p) noexcept {
  LowOneSum<Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < 8; i += 2) {
    sum.add_rows(flag, a, b.word[i], b.word[i + 1]);
    sum.divide(flag, p);
  }
  return sum.merged(flag);
}

}  // namespace zkgpu::carry_chain
