// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain/emulated_flag.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>

/// Multi-precision arithmetic as chains of 32-bit instructions with one carry flag: the text behind
/// the device form of the limb primitives. It is written once for any `Flag`: the device gives one
/// whose operations are single PTX instructions, `EmulatedFlag` computes the same on any host.
///
/// Products are kept in two accumulators: limb products whose weights are even go to `even`, the
/// others to `odd`, which stands one limb higher. Each product then lands on an aligned pair of
/// registers, and a row of a product is one unbroken chain of 32 x 32 + 64 bit multiply-adds.
namespace zkgpu::carry_chain {

/// Limbs<N> as 2N words of 32 bits.
template <std::size_t W>
struct Words {
  std::uint32_t word[W];

  ZKGPU_HD static constexpr Words from_limbs(const Limbs<W / 2>& a) noexcept {
    Words r{};
    ZKGPU_UNROLL for (std::size_t i = 0; i < W / 2; ++i) {
      r.word[2 * i] = static_cast<std::uint32_t>(a.limb[i]);
      r.word[2 * i + 1] = static_cast<std::uint32_t>(a.limb[i] >> 32);
    }
    return r;
  }
  ZKGPU_HD constexpr Limbs<W / 2> to_limbs() const noexcept {
    Limbs<W / 2> r{};
    ZKGPU_UNROLL for (std::size_t i = 0; i < W / 2; ++i) {
      r.limb[i] = word[2 * i] | std::uint64_t{word[2 * i + 1]} << 32;
    }
    return r;
  }
};

/// r = a + b; returns the carry out.
template <class Flag, std::size_t W>
ZKGPU_HD constexpr std::uint32_t add(Flag& flag, Words<W>& r, const Words<W>& a,
                                     const Words<W>& b) noexcept {
  r.word[0] = flag.add_cc(a.word[0], b.word[0]);
  ZKGPU_UNROLL for (std::size_t i = 1; i < W; ++i) {
    r.word[i] = flag.addc_cc(a.word[i], b.word[i]);
  }
  return flag.addc(0, 0);
}

/// r = a - b; returns all ones for a borrow, else 0.
template <class Flag, std::size_t W>
ZKGPU_HD constexpr std::uint32_t subtract(Flag& flag, Words<W>& r, const Words<W>& a,
                                          const Words<W>& b) noexcept {
  r.word[0] = flag.sub_cc(a.word[0], b.word[0]);
  ZKGPU_UNROLL for (std::size_t i = 1; i < W; ++i) {
    r.word[i] = flag.subc_cc(a.word[i], b.word[i]);
  }
  return flag.subc(0, 0);
}

/// acc[2k, 2k+1] += a[2k]·b for all pairs, one chain; the flag is the carry out.
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void multiply_add_row(Flag& flag, std::uint32_t* acc, const std::uint32_t* a,
                                         std::uint32_t b) noexcept {
  flag.mad_cc(acc[0], acc[1], a[0], b);
  ZKGPU_UNROLL for (std::size_t i = 2; i < W; i += 2) flag.madc_cc(acc[i], acc[i + 1], a[i], b);
}

/// The same with the flag added at the lowest word.
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void multiply_add_row_with_carry(Flag& flag, std::uint32_t* acc,
                                                    const std::uint32_t* a,
                                                    std::uint32_t b) noexcept {
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; i += 2) flag.madc_cc(acc[i], acc[i + 1], a[i], b);
}

/// A modulus, and what divides by 2^32 modulo it.
template <std::size_t W>
struct Divisor {
  Words<W> p;
  std::uint32_t inverse;  ///< -1/p modulo 2^32
  Words<W> fold{};        ///< 1/2^32 modulo p, which is (inverse·p + 1)/2^32

  ZKGPU_HD constexpr Divisor(const Words<W>& modulus, std::uint32_t minus_inverse) noexcept
      : p(modulus), inverse(minus_inverse) {
    std::uint64_t carry = 1;
    ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
      carry += std::uint64_t{inverse} * p.word[i];
      if (i > 0) fold.word[i - 1] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    fold.word[W - 1] = static_cast<std::uint32_t>(carry);
  }
};

/// The running sum of a Montgomery product by operand scanning: even + odd·2^32 + rest.
///
/// Of W divisions by 2^32 modulo p all but the last two replace the lowest word w by w·(1/2^32 mod
/// p), which waits for no product; these two add the multiple of p that makes the sum divisible,
/// and bring it down by two words. The result of all is below p + p/2^32 more than the sum / 2^(32
/// W). Between steps the sum is below 2^32·p + Σ a, inside one below 2^(32(W+1)): true for moduli
/// that leave three bits free (Fq), with up to three products of factors below 4p.
template <std::size_t W, class Flag>
struct RunningSum {
  std::uint32_t even[W] = {};
  std::uint32_t odd[W] = {};
  std::uint32_t rest = 0;

  /// += a·b, and takes in what the last division left over.
  ZKGPU_HD constexpr void add_first_row(Flag& flag, const Words<W>& a, std::uint32_t b) noexcept {
    even[0] = flag.add_cc(even[0], rest);
    multiply_add_row_with_carry<W>(flag, odd, a.word + 1, b);
    multiply_add_row<W>(flag, even, a.word, b);
    odd[W - 1] = flag.addc(odd[W - 1], 0);
  }
  /// += a·b
  ZKGPU_HD constexpr void add_row(Flag& flag, const Words<W>& a, std::uint32_t b) noexcept {
    multiply_add_row<W>(flag, odd, a.word + 1, b);
    multiply_add_row<W>(flag, even, a.word, b);
    odd[W - 1] = flag.addc(odd[W - 1], 0);
  }
  /// Division `i` of W.
  ZKGPU_HD constexpr void divide(Flag& flag, const Divisor<W>& by, std::size_t i) noexcept {
    if (i + 2 < W) {
      const std::uint32_t lowest = even[0];
      multiply_add_row<W>(flag, odd, by.fold.word, lowest);
      finish_fold(flag, by.fold, lowest);
    } else {
      const std::uint32_t m = flag.mul_lo(even[0], by.inverse);
      multiply_add_row<W>(flag, odd, by.p.word + 1, m);
      finish_division(flag, by.p, m);
    }
  }
  /// The same where no row took in what the last division left over.
  ZKGPU_HD constexpr void divide_again(Flag& flag, const Divisor<W>& by, std::size_t i) noexcept {
    even[0] = flag.add_cc(even[0], rest);
    if (i + 2 < W) {
      const std::uint32_t lowest = even[0];
      multiply_add_row_with_carry<W>(flag, odd, by.fold.word, lowest);
      finish_fold(flag, by.fold, lowest);
    } else {
      const std::uint32_t m = flag.mul_lo(even[0], by.inverse);  // leaves the flag
      multiply_add_row_with_carry<W>(flag, odd, by.p.word + 1, m);
      finish_division(flag, by.p, m);
    }
  }
  /// The sum, which is below 2^(32 W) after the last division.
  ZKGPU_HD constexpr Words<W> merged(Flag& flag) const noexcept {
    Words<W> r{};
    r.word[0] = flag.add_cc(even[0], rest);
    ZKGPU_UNROLL for (std::size_t i = 1; i + 1 < W; ++i) {
      r.word[i] = flag.addc_cc(even[i], odd[i - 1]);
    }
    r.word[W - 1] = flag.addc(even[W - 1], odd[W - 2]);
    return r;
  }

 private:
  ZKGPU_HD constexpr void finish_division(Flag& flag, const Words<W>& p, std::uint32_t m) noexcept {
    multiply_add_row<W>(flag, even, p.word, m);
    odd[W - 1] = flag.addc(odd[W - 1], 0);
    shift();
  }
  ZKGPU_HD constexpr void finish_fold(Flag& flag, const Words<W>& q, std::uint32_t m) noexcept {
    shift();
    odd[W - 1] = flag.addc(0, 0);  // of the row that is in `even` now
    multiply_add_row<W>(flag, odd, q.word + 1, m);
  }
  /// Drops the lowest word.
  ZKGPU_HD constexpr void shift() noexcept {
    rest = even[1];
    std::uint32_t shifted[W] = {};
    ZKGPU_UNROLL for (std::size_t i = 0; i + 2 < W; ++i) shifted[i] = even[i + 2];
    ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) even[i] = odd[i];
    ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) odd[i] = shifted[i];
  }
};

/// a·b / 2^(32 W) mod p, below p + a·b/2^(32 W): no final subtraction.
/// @cost W² + W² wide multiply-adds, W low products
template <std::size_t W, class Flag>
ZKGPU_HD constexpr Words<W> montgomery_product(Flag& flag, const Words<W>& a, const Words<W>& b,
                                               const Words<W>& p, std::uint32_t inverse) noexcept {
  const Divisor<W> by(p, inverse);
  RunningSum<W, Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
    sum.add_first_row(flag, a, b.word[i]);
    sum.divide(flag, by, i);
  }
  return sum.merged(flag);
}

/// r = a·b and s = c·d, each as `montgomery_product`, row by row in turn: four chains that do not
/// wait for each other, where a multiprocessor holds too few threads to hide the latency of two.
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void montgomery_product_pair(Flag& flag, Words<W>& r, Words<W>& s,
                                                const Words<W>& a, const Words<W>& b,
                                                const Words<W>& c, const Words<W>& d,
                                                const Words<W>& p, std::uint32_t inverse) noexcept {
  const Divisor<W> by(p, inverse);
  RunningSum<W, Flag> x;
  RunningSum<W, Flag> y;
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
    x.add_first_row(flag, a, b.word[i]);
    y.add_first_row(flag, c, d.word[i]);
    x.divide(flag, by, i);
    y.divide(flag, by, i);
  }
  r = x.merged(flag);
  s = y.merged(flag);
}

/// a·b as 2W words.
/// @cost W² wide multiply-adds
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void product(Flag& flag, std::uint32_t (&r)[2 * W], const Words<W>& a,
                                const Words<W>& b) noexcept {
  std::uint32_t even[2 * W] = {};
  std::uint32_t odd[2 * W] = {};  // one word higher
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
    // a[j]·b[i] at word i + j; a chain's last carry goes where no earlier row has been
    const std::size_t e = i % 2;  // the first j of an even sum
    flag.mad_cc(even[i + e], even[i + e + 1], a.word[e], b.word[i]);
    ZKGPU_UNROLL for (std::size_t j = e + 2; j < W; j += 2) {
      flag.madc_cc(even[i + j], even[i + j + 1], a.word[j], b.word[i]);
    }
    if (i + e + W < 2 * W) even[i + e + W] = flag.addc(even[i + e + W], 0);
    const std::size_t o = 1 - e;  // and of an odd one
    flag.mad_cc(odd[i + o - 1], odd[i + o], a.word[o], b.word[i]);
    ZKGPU_UNROLL for (std::size_t j = o + 2; j < W; j += 2) {
      flag.madc_cc(odd[i + j - 1], odd[i + j], a.word[j], b.word[i]);
    }
    odd[i + o + W - 1] = flag.addc(odd[i + o + W - 1], 0);
  }
  r[0] = even[0];
  r[1] = flag.add_cc(even[1], odd[0]);
  ZKGPU_UNROLL for (std::size_t i = 2; i + 1 < 2 * W; ++i) {
    r[i] = flag.addc_cc(even[i], odd[i - 1]);
  }
  r[2 * W - 1] = flag.addc(even[2 * W - 1], odd[2 * W - 2]);
}

/// a² as 2W words: the products of different limbs once, doubled, and the squares of the limbs.
/// @cost W(W + 1)/2 wide multiply-adds
template <std::size_t W, class Flag>
ZKGPU_HD constexpr void square(Flag& flag, std::uint32_t (&r)[2 * W], const Words<W>& a) noexcept {
  std::uint32_t even[2 * W] = {};
  std::uint32_t odd[2 * W] = {};  // one word higher
  ZKGPU_UNROLL for (std::size_t i = 0; i + 1 < W; ++i) {
    // a[i]·a[j] at word i + j: j - i odd to `odd`, even to `even`; each a chain of its own
    flag.mad_cc(odd[2 * i], odd[2 * i + 1], a.word[i + 1], a.word[i]);
    ZKGPU_UNROLL for (std::size_t j = i + 3; j < W; j += 2) {
      flag.madc_cc(odd[i + j - 1], odd[i + j], a.word[j], a.word[i]);
    }
    const std::size_t odd_end = i + 1 + ((W - 1 - (i + 1)) / 2) * 2 + i + 1;  // above the last pair
    if (odd_end < 2 * W) odd[odd_end] = flag.addc(odd[odd_end], 0);
    if (i + 2 < W) {
      flag.mad_cc(even[2 * i + 2], even[2 * i + 3], a.word[i + 2], a.word[i]);
      ZKGPU_UNROLL for (std::size_t j = i + 4; j < W; j += 2) {
        flag.madc_cc(even[i + j], even[i + j + 1], a.word[j], a.word[i]);
      }
      const std::size_t even_end = i + i + 2 + ((W - 1 - (i + 2)) / 2) * 2 + 2;
      if (even_end < 2 * W) even[even_end] = flag.addc(even[even_end], 0);
    }
  }
  // twice (even + odd·2^32), then the diagonal
  r[0] = 0;
  r[1] = odd[0];
  r[2] = flag.add_cc(even[2], odd[1]);
  ZKGPU_UNROLL for (std::size_t i = 3; i < 2 * W; ++i) r[i] = flag.addc_cc(even[i], odd[i - 1]);
  r[1] = flag.add_cc(r[1], r[1]);
  ZKGPU_UNROLL for (std::size_t i = 2; i < 2 * W; ++i) r[i] = flag.addc_cc(r[i], r[i]);
  flag.mad_cc(r[0], r[1], a.word[0], a.word[0]);
  ZKGPU_UNROLL for (std::size_t i = 1; i < W; ++i) {
    flag.madc_cc(r[2 * i], r[2 * i + 1], a.word[i], a.word[i]);
  }
}

/// t / 2^(32 W) mod p for 2W words t, below p + t/2^(32 W) and p/2^32.
template <std::size_t W, class Flag>
ZKGPU_HD constexpr Words<W> montgomery_reduction(Flag& flag, const std::uint32_t (&t)[2 * W],
                                                 const Words<W>& p,
                                                 std::uint32_t inverse) noexcept {
  const Divisor<W> by(p, inverse);
  RunningSum<W, Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) sum.even[i] = t[i];
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) { sum.divide_again(flag, by, i); }
  const Words<W> low = sum.merged(flag);  // at most p + p/2^32
  Words<W> r{};
  r.word[0] = flag.add_cc(low.word[0], t[W]);
  ZKGPU_UNROLL for (std::size_t i = 1; i + 1 < W; ++i) {
    r.word[i] = flag.addc_cc(low.word[i], t[W + i]);
  }
  r.word[W - 1] = flag.addc(low.word[W - 1], t[2 * W - 1]);
  return r;
}

/// a² / 2^(32 W) mod p, below p + a²/2^(32 W).
/// @cost W(W + 1)/2 + W² wide multiply-adds, W low products
template <std::size_t W, class Flag>
ZKGPU_HD constexpr Words<W> montgomery_square(Flag& flag, const Words<W>& a, const Words<W>& p,
                                              std::uint32_t inverse) noexcept {
  std::uint32_t t[2 * W] = {};
  square<W>(flag, t, a);
  return montgomery_reduction<W>(flag, t, p, inverse);
}

/// (a·b + c·d) / 2^(32 W) mod p, below p + (a·b + c·d)/2^(32 W), by one reduction.
/// @cost 3 W² wide multiply-adds, W low products
template <std::size_t W, class Flag>
ZKGPU_HD constexpr Words<W> montgomery_sum_of_products(Flag& flag, const Words<W>& a,
                                                       const Words<W>& b, const Words<W>& c,
                                                       const Words<W>& d, const Words<W>& p,
                                                       std::uint32_t inverse) noexcept {
  const Divisor<W> by(p, inverse);
  RunningSum<W, Flag> sum;
  ZKGPU_UNROLL for (std::size_t i = 0; i < W; ++i) {
    sum.add_first_row(flag, a, b.word[i]);
    sum.add_row(flag, c, d.word[i]);
    sum.divide(flag, by, i);
  }
  return sum.merged(flag);
}

}  // namespace zkgpu::carry_chain
