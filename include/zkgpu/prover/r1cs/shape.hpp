// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>
#include <zkgpu/prover/r1cs/density.hpp>

namespace zkgpu {

/// What a prover must know of a constraint system whose rows somebody else computes: its counts,
/// and which wires occur in A and B.
struct R1csShape {
  std::uint32_t num_wires = 0;   ///< with wire 0
  std::uint32_t num_public = 0;  ///< without wire 0
  std::size_t constraints = 0;   ///< without input rows
  Density density;               ///< with input rows
  friend bool operator==(const R1csShape&, const R1csShape&) = default;
};

template <Field F>
[[nodiscard]] R1csShape shape_of(const R1cs<F>& r1cs) {
  return {r1cs.num_wires, r1cs.num_public, r1cs.num_constraints(), density_of(r1cs)};
}

/// The constraint system that keeps the shape alone: two bits a wire.
template <PrimeField F>
class ShapeRecorder {
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
  F value(Variable) const { throw InternalError("ShapeRecorder: a shape has no values"); }
  F value(const LinearCombination<F>&) const { return value(Variable::one()); }

  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>&) {
    insert(a, a_);
    insert(b, b_);
    ++constraints_;
  }

  [[nodiscard]] R1csShape finish() const {
    R1csShape shape{num_public_with_one_ + num_auxiliary_,
                    num_public_with_one_ - 1,
                    constraints_,
                    {WireSet(0), WireSet(0)}};
    shape.density.a = wires_of(a_, shape.num_wires);
    shape.density.b = wires_of(b_, shape.num_wires);
    for (std::uint32_t wire = 0; wire < num_public_with_one_; ++wire) shape.density.a.insert(wire);
    return shape;
  }

 private:
  /// Which variables have occurred, by kind.
  using Occurred = std::array<std::vector<bool>, 2>;

  static std::uint32_t next(std::uint32_t& count) {
    if (count >= (std::uint32_t{1} << 31))
      throw InvalidArgument("circuit: more than 2^31 variables");
    return count++;
  }
  static void insert(LinearCombination<F> row, Occurred& occurred) {
    row.normalize();
    for (const Term<F>& term : row.terms()) {
      std::vector<bool>& kind = occurred[term.variable.is_public() ? 0 : 1];
      const std::size_t index = term.variable.index;
      if (index >= kind.size()) kind.resize(2 * index + 64);
      kind[index] = true;
    }
  }
  [[nodiscard]] WireSet wires_of(const Occurred& occurred, std::uint32_t num_wires) const {
    WireSet wires(num_wires);
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const std::size_t first = kind == 0 ? 0 : num_public_with_one_;
      const std::size_t count = kind == 0 ? num_public_with_one_ : num_auxiliary_;
      for (std::size_t i = 0; i < count && i < occurred[kind].size(); ++i) {
        if (occurred[kind][i]) wires.insert(first + i);
      }
    }
    return wires;
  }

  Occurred a_, b_;
  std::uint32_t num_public_with_one_ = 1;
  std::uint32_t num_auxiliary_ = 0;
  std::size_t constraints_ = 0;
};

/// The shape of a circuit; its values are not looked at.
/// @cost  a walk of the circuit, no memory beside the result
template <PrimeField F, Circuit<F> C>
[[nodiscard]] R1csShape synthesize_shape(const C& circuit) {
  ShapeRecorder<F> recorder;
  circuit.synthesize(recorder);
  return recorder.finish();
}

}  // namespace zkgpu
