// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/witness/witness.hpp>

namespace zkgpu {

/// The constraint system that computes values, and ignores the constraints.
template <PrimeField F>
class WitnessBuilder {
 public:
  using Scalar = F;
  static constexpr bool has_values = true;
  static constexpr bool has_rows = false;

  WitnessBuilder() : public_(1, F::one()) {}

  template <std::invocable Value>
  Variable allocate(const Value& value) {
    return {Variable::Kind::auxiliary, append(auxiliary_, value())};
  }
  template <std::invocable Value>
  Variable allocate_public(const Value& value) {
    return {Variable::Kind::public_input, append(public_, value())};
  }
  [[nodiscard]] F value(Variable variable) const {
    return (variable.is_public() ? public_ : auxiliary_)[variable.index];
  }
  [[nodiscard]] F value(const LinearCombination<F>& combination) const {
    F sum = F::zero();
    for (const Term<F>& term : combination.terms()) {
      sum = sum + term.coefficient * value(term.variable);
    }
    return sum;
  }
  void enforce(const LinearCombination<F>&, const LinearCombination<F>&,
               const LinearCombination<F>&) noexcept {}

  /// Public variables so far, with the constant one.
  [[nodiscard]] std::uint32_t inputs() const noexcept {
    return static_cast<std::uint32_t>(public_.size());
  }
  /// The assignment so far; the builder is used up.
  [[nodiscard]] Witness<F> finish() && {
    Witness<F> witness;
    witness.values.reserve(public_.size() + auxiliary_.size());
    for (const F& value : public_) witness.values.push_back(value.to_integer());
    for (const F& value : auxiliary_) witness.values.push_back(value.to_integer());
    public_ = {};
    auxiliary_ = {};
    return witness;
  }

 private:
  static std::uint32_t append(SecretArray<F>& values, const F& value) {
    if (values.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw InvalidArgument("circuit: more than 2^32 variables");
    }
    values.push_back(value);
    return static_cast<std::uint32_t>(values.size() - 1);
  }

  SecretArray<F> public_, auxiliary_;  // Montgomery form
};

/// The values of a circuit; whether they satisfy it is not looked at.
template <PrimeField F, Circuit<F> C>
[[nodiscard]] Witness<F> synthesize_witness(const C& circuit) {
  WitnessBuilder<F> builder;
  circuit.synthesize(builder);
  return std::move(builder).finish();
}

}  // namespace zkgpu
