// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

namespace zkgpu {

/// One digit of a scalar as an entry of the sorted list: which bucket, which point, which sign.
struct MsmEntry {
  std::uint32_t key = 0;    ///< group·2^(c-1) + |digit| - 1
  std::uint32_t place = 0;  ///< of the multiple in the table; bit 31: subtract
};

/// Splits a scalar into signed digits, lowest window first.
///
/// The scalar is taken modulo the order r and, where that is smaller, negated: below r/2, so the
/// digits of ⌈(bits + 1)/c⌉ windows hold it and the last window has no carry.
template <PrimeField Fr>
class MsmDigits {
  using Integer = typename Fr::Integer;

 public:
  ZKGPU_HD MsmDigits(Integer k, unsigned window_bits) noexcept : window_bits_(window_bits) {
    while (compare(k, Fr::modulus()) >= 0) limb_ops::subtract(k, k, Fr::modulus());
    Integer negated;
    limb_ops::subtract(negated, Fr::modulus(), k);
    negative_ = compare(negated, k) < 0;
    rest_ = negative_ ? negated : k;
  }

  /// The next digit, in [-2^(c-1) + 1, 2^(c-1)], without the sign of the whole.
  ZKGPU_HD std::int32_t next() noexcept {
    const auto mask = (std::uint64_t{1} << window_bits_) - 1;
    const auto digit = static_cast<std::int32_t>(rest_.limb[0] & mask) + carry_;
    // shifted: indices that are not constants would put the scalar in local memory
    constexpr std::size_t last = Integer::limb_count - 1;
    ZKGPU_UNROLL for (std::size_t i = 0; i < last; ++i) {
      rest_.limb[i] = rest_.limb[i] >> window_bits_ | rest_.limb[i + 1] << (64 - window_bits_);
    }
    rest_.limb[last] >>= window_bits_;
    carry_ = digit > (1 << (window_bits_ - 1)) ? 1 : 0;
    return digit - (carry_ << window_bits_);
  }
  ZKGPU_HD bool negative() const noexcept { return negative_; }

 private:
  Integer rest_;
  unsigned window_bits_;
  std::int32_t carry_ = 0;
  bool negative_;
};

/// The entry of a digit that is not zero.
///
/// @param point  index of the base among the n of the tables
ZKGPU_HD constexpr MsmEntry msm_entry(const CudaMsmPlan& plan, std::int32_t digit, bool negative,
                                      unsigned window, std::size_t point) noexcept {
  const bool minus = digit < 0;
  const auto magnitude = static_cast<std::uint32_t>(minus ? -digit : digit);
  const unsigned table = window / plan.groups;
  const unsigned group = window % plan.groups;
  MsmEntry entry;
  entry.key = (group << (plan.window_bits - 1)) + magnitude - 1;
  entry.place = static_cast<std::uint32_t>(table * plan.n + point);
  if (minus != negative) entry.place |= std::uint32_t{1} << 31;
  return entry;
}

}  // namespace zkgpu
