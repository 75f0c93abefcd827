// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>

namespace zkgpu::carry_chain {

/// Products by a factor w that is known beforehand, with v = floor(w·2^256/p) beside it, for moduli
/// p = 1 + (2^32 - 1)·2^32 + ... of eight words:
///
///   q = floor(a·v / 2^256),    r = a·w - q·p
///
/// needs the upper half of one product and the lower halves of two: 86 wide and 14 low limb
/// products instead of a Montgomery product's 112 wide. Of a·v the columns below word 6 are left
/// out, so q may be one too small, but only where a·v/2^256 is less than 2^-29 above an integer.
///
/// @see Shoup's NTL; Harvey, J. Symb. Comp. 60 (2014) 113-119
template <class Flag>
struct KnownFactorProduct {
  /// The upper half of a·v, one less at times.
  ZKGPU_HD static constexpr Words<8> quotient(Flag& flag, const Words<8>& a,
                                              const Words<8>& v) noexcept {
    // Words 6.. of the columns whose numbers are even, and words 7.. of the others. A row ends in a
    // pair of words that was 0 or 1, or its carry begins the next pair.
    std::uint32_t even[10] = {};
    std::uint32_t odd[9] = {};
    ZKGPU_UNROLL for (std::size_t j = 0; j < 8; ++j) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        if ((i + j) % 2 != 0 || i + j < 6) continue;
        const std::size_t k = i + j - 6;
        add(flag, even + k, a.word[i], v.word[j], i + j == (j == 7 ? 8u : 6u));
      }
      if (j == 2 || j == 4 || j == 6) even[j + 2] = flag.addc(0, 0);
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        if ((i + j) % 2 == 0 || i + j < 7) continue;
        const std::size_t k = i + j - 7;
        add(flag, odd + k, a.word[i], v.word[j], k == 0);
      }
      if (j % 2 == 1) odd[j + 1] = flag.addc(0, 0);
    }
    Words<8> q{};
    static_cast<void>(flag.add_cc(even[1], odd[0]));  // word 7
    ZKGPU_UNROLL for (std::size_t k = 0; k < 7; ++k) {
      q.word[k] = flag.addc_cc(even[k + 2], odd[k + 1]);
    }
    q.word[7] = flag.addc(even[9], odd[8]);
    return q;
  }

  /// a·w - q·p modulo 2^256, where 2^256 - p = 2^32 - 1 + 2^64·C.
  ZKGPU_HD static constexpr Words<8> remainder(Flag& flag, const Words<8>& a, const Words<8>& w,
                                               const Words<8>& q, const Words<8>& p) noexcept {
    std::uint32_t even[8] = {};
    std::uint32_t odd[7] = {};  // one word higher
    even[0] = flag.sub_cc(0, q.word[0]);
    ZKGPU_UNROLL for (std::size_t k = 1; k < 8; ++k) even[k] = flag.subc_cc(0, q.word[k]);
    ZKGPU_UNROLL for (std::size_t k = 0; k < 7; ++k) odd[k] = q.word[k];
    ZKGPU_UNROLL for (std::size_t j = 0; j < 8; ++j) {
      add_low_row(flag, even, odd, a, w.word[j], j);
    }
    ZKGPU_UNROLL for (std::size_t k = 2; k < 8; ++k) {
      add_low_row(flag, even, odd, q, ~p.word[k], k);
    }
    Words<8> r{};
    r.word[0] = even[0];
    r.word[1] = flag.add_cc(even[1], odd[0]);
    ZKGPU_UNROLL for (std::size_t k = 2; k < 7; ++k) r.word[k] = flag.addc_cc(even[k], odd[k - 1]);
    r.word[7] = flag.addc(even[7], odd[6]);
    return r;
  }

 private:
  /// += x·y·2^(32 at) modulo 2^256
  ZKGPU_HD static constexpr void add_low_row(Flag& flag, std::uint32_t* even, std::uint32_t* odd,
                                             const Words<8>& x, std::uint32_t y,
                                             std::size_t at) noexcept {
    ZKGPU_UNROLL for (std::size_t i = 0; i < 7; ++i) {  // even columns; what leaves word 7 is lost
      if ((i + at) % 2 == 0 && i + at < 7) add(flag, even + i + at, x.word[i], y, i < 2);
    }
    ZKGPU_UNROLL for (std::size_t i = 0; i < 7; ++i) {
      if ((i + at) % 2 != 0 && i + at < 7) add(flag, odd + i + at - 1, x.word[i], y, i < 2);
    }
    odd[6] =
        at < 6 ? flag.madc_lo(x.word[7 - at], y, odd[6]) : flag.mad_lo(x.word[7 - at], y, odd[6]);
  }
  /// One limb product of a chain.
  ZKGPU_HD static constexpr void add(Flag& flag, std::uint32_t* pair, std::uint32_t x,
                                     std::uint32_t y, bool first) noexcept {
    if (first) {
      flag.mad_cc(pair[0], pair[1], x, y);
    } else {
      flag.madc_cc(pair[0], pair[1], x, y);
    }
  }
};

}  // namespace zkgpu::carry_chain
