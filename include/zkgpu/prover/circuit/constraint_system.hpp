// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>

#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>
#include <zkgpu/prover/circuit/variable.hpp>

namespace zkgpu {

/// What a circuit writes itself into: a recorder of rows (`R1csBuilder`), of values
/// (`WitnessBuilder`), or of anything else that follows from the calls.
///
/// `allocate(f)` makes an auxiliary variable whose value is `f()`; a system without values never
/// calls `f`. Inside `f`, `value(x)` gives the value of a variable or a combination allocated
/// before. `enforce(a, b, c)` states a·b = c.
///
/// Laws: variables of one kind are numbered in the order of allocation, public ones from 1;
/// `has_values` decides only whether `f` and `value` are called, never which other calls a circuit
/// makes.
template <class CS>
concept ConstraintSystem = PrimeField<typename CS::Scalar> &&
    requires(CS& cs, const CS& made, Variable variable, typename CS::Scalar (*f)(),
             const LinearCombination<typename CS::Scalar>& a) {
  { CS::has_values } -> std::convertible_to<bool>;
  { cs.allocate(f) } -> std::same_as<Variable>;
  { cs.allocate_public(f) } -> std::same_as<Variable>;
  { made.value(variable) } -> std::same_as<typename CS::Scalar>;
  { made.value(a) } -> std::same_as<typename CS::Scalar>;
  { cs.enforce(a, a, a) } -> std::same_as<void>;
};

/// Does a system look at what it is told to enforce? One that says `has_rows = false` does not, and
/// gadgets spare it the combinations.
template <class CS>
inline constexpr bool wants_rows = [] {
  if constexpr (requires { CS::has_rows; }) {
    return static_cast<bool>(CS::has_rows);
  } else {
    return true;
  }
}();

/// The values of the sides a and b of a constraint.
template <class F>
struct RowValues {
  F a, b;
};

/// One constraint, told in the form that the system wants: as combinations, as the values of its
/// sides (`append_row`), only that it is there (`skip_row`), or not at all.
///
/// @param row     calls cs.enforce once
/// @param values  gives RowValues; called only where the system has values
template <class CS, std::invocable Row, std::invocable Values>
void enforce_as(CS& cs, const Row& row, const Values& values) {
  if constexpr (requires(typename CS::Scalar x) { cs.append_row(x, x); }) {
    const RowValues<typename CS::Scalar> sides = values();
    cs.append_row(sides.a, sides.b);
  } else if constexpr (requires { cs.skip_row(); }) {
    cs.skip_row();
  } else if constexpr (wants_rows<CS>) {
    row();
  }
}

/// 0 or 1 as an element.
template <PrimeField F>
constexpr F bit_element(bool bit) noexcept {
  return bit ? F::one() : F::zero();
}

/// The least that a constraint system offers; stands in concepts for "any of them", is never run.
template <PrimeField F>
struct ConstraintSystemArchetype {
  using Scalar = F;
  static constexpr bool has_values = false;
  template <std::invocable Value>
  Variable allocate(const Value& value);
  template <std::invocable Value>
  Variable allocate_public(const Value& value);
  F value(Variable variable) const;
  F value(const LinearCombination<F>& combination) const;
  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>& c);
};

/// A statement with its witness: `synthesize` writes the same rows for every witness, and the
/// values of this one where the system wants them.
template <class C, class F>
concept Circuit = PrimeField<F> && requires(const C circuit, ConstraintSystemArchetype<F>& cs) {
  circuit.synthesize(cs);
};

}  // namespace zkgpu
