// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <utility>

#include <zkgpu/prover/circuit/constraint_system.hpp>

namespace zkgpu {

/// A bit of a circuit: a constant, an allocated bit, or the negation of one.
///
/// Negation and the operations with a constant cost no constraint.
struct Boolean {
  enum class Kind : std::uint8_t { constant, is, is_not };

  Kind kind = Kind::constant;
  bool constant_value = false;
  Variable variable = Variable::one();

  static constexpr Boolean constant(bool value) noexcept { return {Kind::constant, value, {}}; }
  static constexpr Boolean is(Variable bit) noexcept { return {Kind::is, false, bit}; }
  static constexpr Boolean is_not(Variable bit) noexcept { return {Kind::is_not, false, bit}; }

  [[nodiscard]] constexpr bool is_constant() const noexcept { return kind == Kind::constant; }
  constexpr Boolean operator!() const noexcept {
    if (is_constant()) return constant(!constant_value);
    return kind == Kind::is ? is_not(variable) : is(variable);
  }

  /// factor · bit as a linear combination.
  template <PrimeField F>
  [[nodiscard]] LinearCombination<F> scaled(const F& factor) const {
    switch (kind) {
      case Kind::constant:
        return constant_value ? LinearCombination<F>::constant(factor) : LinearCombination<F>();
      case Kind::is: return {factor, variable};
      case Kind::is_not: break;
    }
    return LinearCombination<F>::constant(factor) - LinearCombination<F>(factor, variable);
  }

  /// Its value in a system that has values.
  template <ConstraintSystem CS>
  [[nodiscard]] bool value(const CS& cs) const {
    if (is_constant()) return constant_value;
    return cs.value(variable).is_zero() == (kind == Kind::is_not);
  }
};

/// A new auxiliary bit b with (1 − b)·b = 0.
///
/// @param value  gives a bool; called only where the system has values
template <ConstraintSystem CS, std::invocable Value>
Variable allocate_bit(CS& cs, const Value& value) {
  using F = typename CS::Scalar;
  using Lc = LinearCombination<F>;
  const Variable bit = cs.allocate([&] { return value() ? F::one() : F::zero(); });
  cs.enforce(Lc(Variable::one()) - bit, bit, Lc());
  return bit;
}

/// c = a ⊕ b for two allocated bits: (2a)·b = a + b − c.
template <ConstraintSystem CS>
Variable xor_bits(CS& cs, Variable a, Variable b) {
  using F = typename CS::Scalar;
  using Lc = LinearCombination<F>;
  const Variable c = cs.allocate([&] { return cs.value(a) == cs.value(b) ? F::zero() : F::one(); });
  cs.enforce(Lc(F(2), a), b, Lc(a) + b - c);
  return c;
}

/// c = x·y for two linear combinations that are bits; one auxiliary variable, one constraint.
template <ConstraintSystem CS>
Variable and_bits(CS& cs, const LinearCombination<typename CS::Scalar>& x,
                  const LinearCombination<typename CS::Scalar>& y) {
  const Variable c = cs.allocate([&] { return cs.value(x) * cs.value(y); });
  cs.enforce(x, y, c);
  return c;
}

/// a ⊕ b. Of a bit and a negated bit the plain one is the first operand: the order is part of the
/// constraint, which is not symmetric.
template <ConstraintSystem CS>
Boolean logical_xor(CS& cs, Boolean a, Boolean b) {
  if (a.is_constant()) return a.constant_value ? !b : b;
  if (b.is_constant()) return b.constant_value ? !a : a;
  if (a.kind == Boolean::Kind::is_not && b.kind == Boolean::Kind::is) std::swap(a, b);
  const Variable c = xor_bits(cs, a.variable, b.variable);
  return a.kind == b.kind ? Boolean::is(c) : Boolean::is_not(c);
}

/// a ∧ b. Of a bit and a negated bit the plain one is the first operand.
template <ConstraintSystem CS>
Boolean logical_and(CS& cs, Boolean a, Boolean b) {
  using F = typename CS::Scalar;
  if (a.is_constant()) return a.constant_value ? b : a;
  if (b.is_constant()) return b.constant_value ? a : b;
  if (a.kind == Boolean::Kind::is_not && b.kind == Boolean::Kind::is) std::swap(a, b);
  return Boolean::is(and_bits(cs, a.scaled(F::one()), b.scaled(F::one())));
}

/// a ∨ b = ¬(¬a ∧ ¬b)
template <ConstraintSystem CS>
Boolean logical_or(CS& cs, Boolean a, Boolean b) {
  return !logical_and(cs, !a, !b);
}

/// States that bit is one: bit · 1 = 1.
template <ConstraintSystem CS>
void enforce_true(CS& cs, const Boolean& bit) {
  using F = typename CS::Scalar;
  cs.enforce(bit.scaled(F::one()), Variable::one(), Variable::one());
}

}  // namespace zkgpu
