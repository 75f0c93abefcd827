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
    if constexpr (requires { cs.bit_value(variable); }) {
      return cs.bit_value(variable) == (kind == Kind::is);
    } else {
      return cs.value(variable).is_zero() == (kind == Kind::is_not);
    }
  }
};

/// A new auxiliary variable for a bit that other constraints keep a bit.
///
/// @param value  gives a bool; called only where the system has values
template <ConstraintSystem CS, std::invocable Value>
Variable allocate_as_bit(CS& cs, const Value& value) {
  if constexpr (requires { cs.allocate_bit_value(true); }) {
    return cs.allocate_bit_value(value());
  } else {
    return cs.allocate([&] { return bit_element<typename CS::Scalar>(value()); });
  }
}

/// A new auxiliary bit b with (1 − b)·b = 0.
///
/// @param value  gives a bool; called only where the system has values
template <ConstraintSystem CS, std::invocable Value>
Variable allocate_bit(CS& cs, const Value& value) {
  using F = typename CS::Scalar;
  using Lc = LinearCombination<F>;
  const Variable bit = allocate_as_bit(cs, value);
  enforce_as(
      cs, [&] { cs.enforce(Lc(Variable::one()).add(-F::one(), bit), bit, Lc()); },
      [&] {
        const bool b = value();
        return RowValues<F>{bit_element<F>(!b), bit_element<F>(b)};
      });
  return bit;
}

/// c = a ⊕ b for two allocated bits: (2a)·b = a + b − c.
/// @param value  of c
template <ConstraintSystem CS, std::invocable Value>
Variable xor_bits(CS& cs, Variable a, Variable b, const Value& value) {
  using F = typename CS::Scalar;
  using Lc = LinearCombination<F>;
  const Variable c = allocate_as_bit(cs, value);
  enforce_as(
      cs, [&] { cs.enforce(Lc(F(2), a), b, Lc(a).add(F::one(), b).add(-F::one(), c)); },
      [&] {
        const bool is_a = Boolean::is(a).value(cs);
        return RowValues<F>{is_a ? F(2) : F::zero(), bit_element<F>(Boolean::is(b).value(cs))};
      });
  return c;
}

/// a ⊕ b. Of a bit and a negated bit the plain one is the first operand: the order is part of the
/// constraint, which is not symmetric.
/// @param value  of the result; for callers that know it better than the system
template <ConstraintSystem CS, std::invocable Value>
Boolean logical_xor(CS& cs, Boolean a, Boolean b, const Value& value) {
  if (a.is_constant()) return a.constant_value ? !b : b;
  if (b.is_constant()) return b.constant_value ? !a : a;
  if (a.kind == Boolean::Kind::is_not && b.kind == Boolean::Kind::is) std::swap(a, b);
  const bool negated = a.kind != b.kind;
  const Variable c = xor_bits(cs, a.variable, b.variable, [&] { return value() != negated; });
  return negated ? Boolean::is_not(c) : Boolean::is(c);
}
template <ConstraintSystem CS>
Boolean logical_xor(CS& cs, const Boolean& a, const Boolean& b) {
  return logical_xor(cs, a, b, [&] { return a.value(cs) != b.value(cs); });
}

/// a ∧ b. Of a bit and a negated bit the plain one is the first operand.
/// @param value  of the result
template <ConstraintSystem CS, std::invocable Value>
Boolean logical_and(CS& cs, Boolean a, Boolean b, const Value& value) {
  using F = typename CS::Scalar;
  if (a.is_constant()) return a.constant_value ? b : a;
  if (b.is_constant()) return b.constant_value ? a : b;
  if (a.kind == Boolean::Kind::is_not && b.kind == Boolean::Kind::is) std::swap(a, b);
  const Variable c = allocate_as_bit(cs, value);
  enforce_as(
      cs, [&] { cs.enforce(a.scaled(F::one()), b.scaled(F::one()), c); },
      [&] {
        return RowValues<F>{bit_element<F>(a.value(cs)), bit_element<F>(b.value(cs))};
      });
  return Boolean::is(c);
}
template <ConstraintSystem CS>
Boolean logical_and(CS& cs, const Boolean& a, const Boolean& b) {
  return logical_and(cs, a, b, [&] { return a.value(cs) && b.value(cs); });
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
