// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <span>
#include <string_view>

#include "lane_ops.hpp"

/// The operations of `Across12` as functions of digits in memory, as in lane_ops.hpp.
namespace zkgpu::test {

/// One element of Fq12 across lanes: real and imaginary parts.
struct AcrossBlock {
  LaneBlock<Bls12_381::Fq> part[2];
};

enum class AcrossOp { multiply, square, cyclotomic_square, conjugate, frobenius, line };

struct AcrossCase {
  std::string_view name;
  AcrossOp op;
  unsigned bound_a, bound_b;  ///< of the coordinates of both operands; results are below bound_a
  void (*run)(const AcrossBlock& a, const AcrossBlock& b, AcrossBlock& result);
};
std::span<const AcrossCase> across_cases();

}  // namespace zkgpu::test
