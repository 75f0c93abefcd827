// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// The constraint system that records rows, and no values.
///
/// Rows stand in the order of `enforce`; within a row, duplicate variables are merged, zero
/// coefficients dropped, and columns ascend.
template <PrimeField F>
class R1csBuilder {
 public:
  using Scalar = F;
  static constexpr bool has_values = false;

  template <std::invocable Value>
  Variable allocate(const Value&) {
    return {Variable::Kind::auxiliary, next(num_auxiliary_)};
  }
  template <std::invocable Value>
  Variable allocate_public(const Value&) {
    return {Variable::Kind::public_input, next(num_public_with_one_)};
  }
  /// Never called: there are no values. @throws InternalError
  F value(Variable) const { throw InternalError("R1csBuilder: a recorder of rows has no values"); }
  F value(const LinearCombination<F>&) const { return value(Variable::one()); }

  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>& c) {
    append(r1cs_.a, a);
    append(r1cs_.b, b);
    append(r1cs_.c, c);
  }

  /// The system so far; the builder is used up.
  /// @throws InvalidArgument if there are more than 2^31 wires
  [[nodiscard]] R1cs<F> finish() && {
    const std::uint64_t wires = std::uint64_t{num_public_with_one_} + num_auxiliary_;
    if (wires >= auxiliary_mark) throw InvalidArgument("circuit: more than 2^31 wires");
    r1cs_.num_public = num_public_with_one_ - 1;
    r1cs_.num_wires = static_cast<std::uint32_t>(wires);
    for (CsrMatrix<F>* matrix : {&r1cs_.a, &r1cs_.b, &r1cs_.c}) {
      for (std::uint32_t& column : matrix->column) {
        if (column >= auxiliary_mark) column = column - auxiliary_mark + num_public_with_one_;
      }
    }
    return std::move(r1cs_);
  }

 private:
  /// Until all public variables are known, an auxiliary column carries its index and this bit.
  static constexpr std::uint32_t auxiliary_mark = std::uint32_t{1} << 31;

  static std::uint32_t next(std::uint32_t& count) {
    if (count >= auxiliary_mark) throw InvalidArgument("circuit: more than 2^31 variables");
    return count++;
  }

  void append(CsrMatrix<F>& matrix, LinearCombination<F> row) {
    if (matrix.row_start.empty()) matrix.row_start.push_back(0);
    row.normalize();
    for (const Term<F>& term : row.terms()) {
      const bool is_public = term.variable.is_public();
      matrix.column.push_back(term.variable.index | (is_public ? 0 : auxiliary_mark));
      matrix.value.push_back(term.coefficient);
    }
    matrix.row_start.push_back(matrix.column.size());
  }

  R1cs<F> r1cs_;
  std::uint32_t num_public_with_one_ = 1;
  std::uint32_t num_auxiliary_ = 0;
};

/// The rows of a circuit; its values are not looked at.
template <PrimeField F, Circuit<F> C>
[[nodiscard]] R1cs<F> synthesize_r1cs(const C& circuit) {
  R1csBuilder<F> builder;
  circuit.synthesize(builder);
  return std::move(builder).finish();
}

}  // namespace zkgpu
