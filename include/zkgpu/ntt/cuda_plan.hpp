// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/core/config.hpp>

namespace zkgpu {

/// dif: natural to bit-reversed order, largest stride first. dit: the way back.
enum class NttFlow { dif, dit };

/// The shape of a pass over L levels. A tile of 2^L rows and a few columns is transformed along its
/// rows by one block, in rounds of radix 8 or less; a thread holds eight elements.
template <unsigned L>
struct NttPassShape {
  static_assert(L >= 6 && L <= 9);
  static constexpr unsigned rows = 1u << L;
  static constexpr unsigned elements = 1024;  // 32 KiB: five tiles share a multiprocessor
  /// Columns are neighbours in memory: two elements of 32 bytes or more.
  static constexpr unsigned log_columns = 10 - L;
  static constexpr unsigned columns = 1u << log_columns;
  static constexpr unsigned threads = elements / 8;
  static constexpr unsigned rounds = L == 6 ? 2 : 3;

  /// Rounds of radix 8; the rest have radix 4.
  static constexpr unsigned wide_rounds = L == 6 ? 2 : L - 6;

  /// log2 of the radix of round r; rounds go from the largest blocks to the smallest.
  ZKGPU_HD static constexpr unsigned radix_bits(unsigned r) noexcept {
    return r < wide_rounds ? 3 : 2;
  }
  /// log2 of the rows of a block that round r splits.
  ZKGPU_HD static constexpr unsigned block_bits(unsigned r) noexcept {
    return r <= wide_rounds ? L - 3 * r : L - 3 * wide_rounds - 2 * (r - wide_rounds);
  }
};

/// How a transform of 2^log_n elements is cut into passes over device memory.
struct CudaNttPlan {
  static constexpr unsigned max_passes = 4;
  static constexpr unsigned max_small = 11;  ///< up to here one block holds the transform

  unsigned log_n = 0;
  unsigned passes = 0;               ///< 0: one block does it all
  unsigned levels[max_passes] = {};  ///< of each pass, in dif order; they sum to log_n
  bool needs_scale_table = false;    ///< the workspace holds a table of n factors

  [[nodiscard]] constexpr std::size_t size() const noexcept { return std::size_t{1} << log_n; }
  /// log2 of the stride of the rows of pass k.
  [[nodiscard]] constexpr unsigned log_stride(unsigned k) const noexcept {
    unsigned bits = log_n;
    for (unsigned i = 0; i <= k; ++i) bits -= levels[i];
    return bits;
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept {
    return needs_scale_table ? size() * 32 : 0;
  }
  friend bool operator==(const CudaNttPlan&, const CudaNttPlan&) = default;
};

/// Products that a pass of L levels makes for eight elements, without those between passes: a round
/// of radix 8 makes 4, one of radix 4 2, and between rounds rows but the first are multiplied.
constexpr unsigned ntt_pass_products(unsigned levels) noexcept {
  constexpr unsigned products[] = {15, 21, 24, 26};
  return products[levels - 6];
}

/// The fewest passes of at most nine levels, of these cuts the one with the fewest products; short
/// passes first, where their wider tiles meet the largest strides.
/// @pre log_n <= 36
constexpr CudaNttPlan plan_cuda_ntt(unsigned log_n) noexcept {
  CudaNttPlan plan;
  plan.log_n = log_n;
  if (log_n <= CudaNttPlan::max_small) return plan;
  plan.passes = (log_n + 8) / 9;
  unsigned fewest = ~0u;
  for (unsigned code = 0; code < 1u << (2 * plan.passes); ++code) {  // two bits a pass: levels - 6
    CudaNttPlan cut = plan;
    unsigned sum = 0;
    unsigned products = 0;
    bool ascending = true;
    for (unsigned k = 0; k < cut.passes; ++k) {
      cut.levels[k] = 6 + (code >> (2 * k) & 3);
      sum += cut.levels[k];
      products += ntt_pass_products(cut.levels[k]);
      ascending = ascending && (k == 0 || cut.levels[k - 1] <= cut.levels[k]);
    }
    if (sum != log_n || !ascending || products >= fewest) continue;
    fewest = products;
    plan = cut;
  }
  return plan;
}

/// One line for logs and tests: "ntt 2^24: 8 + 8 + 8 levels".
inline std::string to_string(const CudaNttPlan& plan) {
  std::string text = "ntt 2^" + std::to_string(plan.log_n) + ":";
  if (plan.passes == 0) return text + " one block";
  for (unsigned k = 0; k < plan.passes; ++k) {
    text += (k == 0 ? " " : " + ") + std::to_string(plan.levels[k]);
  }
  return text + " levels";
}

}  // namespace zkgpu
