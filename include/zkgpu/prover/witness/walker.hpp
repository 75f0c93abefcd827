// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/witness/builder.hpp>

namespace zkgpu {

/// The constraint system that computes values, and of each constraint what its sides a and b are:
/// rows of A z and B z without matrices.
template <PrimeField F>
class RowWalker {
 public:
  using Scalar = F;
  static constexpr bool has_values = true;

  /// One element a constraint, in the order of `enforce`; must outlive the walk.
  RowWalker(std::span<F> a, std::span<F> b) noexcept : a_(a), b_(b) {}

  template <std::invocable Value>
  Variable allocate(const Value& value) {
    return values_.allocate(value);
  }
  template <std::invocable Value>
  Variable allocate_public(const Value& value) {
    return values_.allocate_public(value);
  }
  [[nodiscard]] F value(Variable variable) const { return values_.value(variable); }
  [[nodiscard]] F value(const LinearCombination<F>& combination) const {
    return values_.value(combination);
  }
  /// @throws InvalidArgument if there is no room for another row
  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>&) {
    if (rows_ == a_.size()) {
      throw InvalidArgument("circuit: it has more than " + std::to_string(rows_) + " constraints");
    }
    a_[rows_] = value(a);
    b_[rows_] = value(b);
    ++rows_;
  }

  /// How many rows were written.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// Public variables so far, with the constant one.
  [[nodiscard]] std::uint32_t inputs() const noexcept { return values_.inputs(); }
  /// The assignment so far; the walker is used up.
  [[nodiscard]] Witness<F> finish() && { return std::move(values_).finish(); }

 private:
  WitnessBuilder<F> values_;
  std::span<F> a_, b_;
  std::size_t rows_ = 0;
};

}  // namespace zkgpu
