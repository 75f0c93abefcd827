// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>

namespace zkgpu::carry_chain {

/// The carry flag of a 32-bit machine, in software.
class EmulatedFlag {
 public:
  ZKGPU_HD constexpr std::uint32_t add_cc(std::uint32_t a, std::uint32_t b) noexcept {
    return sum(a, b, 0);
  }
  ZKGPU_HD constexpr std::uint32_t addc_cc(std::uint32_t a, std::uint32_t b) noexcept {
    return sum(a, b, flag_);
  }
  ZKGPU_HD constexpr std::uint32_t addc(std::uint32_t a, std::uint32_t b) noexcept {
    return a + b + flag_;
  }
  ZKGPU_HD constexpr std::uint32_t sub_cc(std::uint32_t a, std::uint32_t b) noexcept {
    return difference(a, b, 0);
  }
  ZKGPU_HD constexpr std::uint32_t subc_cc(std::uint32_t a, std::uint32_t b) noexcept {
    return difference(a, b, flag_);
  }
  ZKGPU_HD constexpr std::uint32_t subc(std::uint32_t a, std::uint32_t b) noexcept {
    return a - b - flag_;
  }
  ZKGPU_HD constexpr std::uint32_t mul_lo(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b);
  }
  /// The low word of a·b + c; leaves the flag.
  ZKGPU_HD constexpr std::uint32_t mad_lo(std::uint32_t a, std::uint32_t b,
                                          std::uint32_t c) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{a} * b) + c;
  }
  /// The same with the flag added.
  ZKGPU_HD constexpr std::uint32_t madc_lo(std::uint32_t a, std::uint32_t b,
                                           std::uint32_t c) noexcept {
    return mad_lo(a, b, c) + flag_;
  }
  /// (hi, lo) += a·b; the flag is the carry out.
  ZKGPU_HD constexpr void mad_cc(std::uint32_t& lo, std::uint32_t& hi, std::uint32_t a,
                                 std::uint32_t b) noexcept {
    flag_ = 0;
    madc_cc(lo, hi, a, b);
  }
  /// (hi, lo) += a·b + flag; the flag is the carry out.
  ZKGPU_HD constexpr void madc_cc(std::uint32_t& lo, std::uint32_t& hi, std::uint32_t a,
                                  std::uint32_t b) noexcept {
    const std::uint64_t product = std::uint64_t{a} * b;
    lo = sum(lo, static_cast<std::uint32_t>(product), flag_);
    hi = sum(hi, static_cast<std::uint32_t>(product >> 32), flag_);
  }
  /// r[0, W) += addend where mask is not 0; no carry out. The flag is undefined afterwards.
  template <std::size_t W>
  ZKGPU_HD constexpr void add_if(std::uint32_t* r, const std::uint32_t* addend,
                                 std::uint32_t mask) noexcept {
    if (mask == 0) return;
    flag_ = 0;
    for (std::size_t i = 0; i < W; ++i) r[i] = sum(r[i], addend[i], flag_);
  }
  /// r[0, W) -= less where mask is not 0; no borrow out. The flag is undefined afterwards.
  template <std::size_t W>
  ZKGPU_HD constexpr void subtract_if(std::uint32_t* r, const std::uint32_t* less,
                                      std::uint32_t mask) noexcept {
    if (mask == 0) return;
    flag_ = 0;
    for (std::size_t i = 0; i < W; ++i) r[i] = difference(r[i], less[i], flag_);
  }

 private:
  ZKGPU_HD constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b,
                                       std::uint32_t carry) noexcept {
    const std::uint64_t s = std::uint64_t{a} + b + carry;
    flag_ = static_cast<std::uint32_t>(s >> 32);
    return static_cast<std::uint32_t>(s);
  }
  ZKGPU_HD constexpr std::uint32_t difference(std::uint32_t a, std::uint32_t b,
                                              std::uint32_t borrow) noexcept {
    const std::uint64_t d = std::uint64_t{a} - b - borrow;
    flag_ = static_cast<std::uint32_t>(d >> 32) & 1;
    return static_cast<std::uint32_t>(d);
  }
  std::uint32_t flag_ = 0;
};

}  // namespace zkgpu::carry_chain
