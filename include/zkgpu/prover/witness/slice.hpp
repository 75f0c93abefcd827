// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <zkgpu/core/error.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/circuit/constraint_system.hpp>

namespace zkgpu {

/// Where in an assignment a part of a circuit begins: how many public variables (with the constant
/// one), auxiliary ones and constraints come before it.
struct CircuitOffset {
  std::uint32_t inputs = 1, auxiliary = 0;
  std::size_t constraints = 0;

  friend constexpr CircuitOffset operator+(const CircuitOffset& a,
                                           const CircuitOffset& b) noexcept {
    return {a.inputs + b.inputs, a.auxiliary + b.auxiliary, a.constraints + b.constraints};
  }
  friend constexpr CircuitOffset operator-(const CircuitOffset& a,
                                           const CircuitOffset& b) noexcept {
    return {a.inputs - b.inputs, a.auxiliary - b.auxiliary, a.constraints - b.constraints};
  }
  friend constexpr CircuitOffset operator*(std::uint32_t n, const CircuitOffset& a) noexcept {
    return {n * a.inputs, n * a.auxiliary, n * a.constraints};
  }
  friend constexpr bool operator==(const CircuitOffset&, const CircuitOffset&) = default;
};

/// The constraint system that only counts.
template <PrimeField F>
class OffsetCounter {
 public:
  using Scalar = F;
  static constexpr bool has_values = false;
  static constexpr bool has_rows = false;  // how many there are is counted all the same

  explicit OffsetCounter(const CircuitOffset& from = {}) noexcept : at_(from) {}
  /// @throws InvalidArgument beyond 2^31 variables of a kind
  template <std::invocable Value>
  Variable allocate(const Value&) {
    return {Variable::Kind::auxiliary, next(at_.auxiliary)};
  }
  template <std::invocable Value>
  Variable allocate_public(const Value&) {
    return {Variable::Kind::public_input, next(at_.inputs)};
  }
  /// Never called: there are no values. @throws InternalError
  F value(Variable) const { throw InternalError("OffsetCounter: a counter has no values"); }
  F value(const LinearCombination<F>&) const { return value(Variable::one()); }
  void enforce(const LinearCombination<F>&, const LinearCombination<F>&,
               const LinearCombination<F>&) noexcept {
    ++at_.constraints;
  }
  void skip_row() noexcept { ++at_.constraints; }

  [[nodiscard]] const CircuitOffset& offset() const noexcept { return at_; }

 private:
  static std::uint32_t next(std::uint32_t& count) {
    if (count >= (std::uint32_t{1} << 31)) {
      throw InvalidArgument("circuit: more than 2^31 variables");
    }
    return count++;
  }

  CircuitOffset at_;
};

/// Values of an assignment by variable: the constant one, public, auxiliary.
template <PrimeField F, class Integer = const typename F::Integer>
requires std::same_as < std::remove_const_t<Integer>,
typename F::Integer > class AssignmentView {
 public:
  /// @param values  the whole assignment; must outlive this
  /// @param inputs  public variables of the whole circuit, with the constant one
  AssignmentView(std::span<Integer> values, std::uint32_t inputs) noexcept
      : values_(values), inputs_(inputs) {}

  [[nodiscard]] F value(Variable variable) const {
    return F::from_integer(values_[place(variable)]);
  }
  [[nodiscard]] F value(const LinearCombination<F>& combination) const {
    F sum = F::zero();
    for (const Term<F>& term : combination.terms()) sum += term.coefficient * value(term.variable);
    return sum;
  }
  /// Is the variable, a bit, one?
  [[nodiscard]] bool bit_value(Variable variable) const noexcept {
    return values_[place(variable)].limb[0] != 0;
  }

 protected:
  [[nodiscard]] std::size_t place(Variable variable) const noexcept {
    return variable.is_public() ? variable.index : std::size_t{inputs_} + variable.index;
  }

  std::span<Integer> values_;
  std::uint32_t inputs_;
};

/// The constraint system that writes values of one part of a circuit to their places in an
/// assignment; other parts may be written by other threads at the same time.
template <PrimeField F>
class WitnessSlice : public AssignmentView<F, typename F::Integer> {
  using View = AssignmentView<F, typename F::Integer>;
  using View::inputs_, View::place, View::values_;

 public:
  using Scalar = F;
  using Integer = typename F::Integer;
  static constexpr bool has_values = true;
  static constexpr bool has_rows = false;

  /// @param values  the whole assignment: the constant one, public, auxiliary; must outlive this
  /// @param inputs  public variables of the whole circuit, with the constant one
  /// @param from    where the part begins
  WitnessSlice(std::span<Integer> values, std::uint32_t inputs, const CircuitOffset& from) noexcept
      : View(values, inputs), at_(from) {}

  /// @throws InvalidArgument if the assignment has no room for it
  template <std::invocable Value>
  Variable allocate(const Value& value) {
    const Variable variable = next();
    values_[place(variable)] = F(value()).to_integer();
    return variable;
  }
  template <std::invocable Value>
  Variable allocate_public(const Value& value) {
    if (at_.inputs >= inputs_) throw InvalidArgument("circuit: more public variables than stated");
    const Variable variable{Variable::Kind::public_input, at_.inputs++};
    values_[place(variable)] = F(value()).to_integer();
    return variable;
  }
  /// An auxiliary variable that is 0 or 1.
  Variable allocate_bit_value(bool bit) {
    const Variable variable = next();
    values_[place(variable)] = Integer::from_uint64(bit ? 1 : 0);
    return variable;
  }
  void enforce(const LinearCombination<F>&, const LinearCombination<F>&,
               const LinearCombination<F>&) noexcept {}

  [[nodiscard]] const CircuitOffset& offset() const noexcept { return at_; }
  /// Goes on at another part.
  void move_to(const CircuitOffset& at) noexcept { at_ = at; }

 private:
  Variable next() {
    if (inputs_ + std::size_t{at_.auxiliary} >= values_.size()) {
      throw InvalidArgument("circuit: more variables than the assignment has values");
    }
    return {Variable::Kind::auxiliary, at_.auxiliary++};
  }

  CircuitOffset at_;
};

/// The constraint system that knows all values and writes the rows of A z and B z of one part of a
/// circuit; other parts may be written by other threads at the same time.
template <PrimeField F>
class RowSlice : public AssignmentView<F> {
  using View = AssignmentView<F>;

 public:
  using Scalar = F;
  using Integer = typename F::Integer;
  static constexpr bool has_values = true;

  /// @param values  the whole assignment; must outlive this, as must a and b
  /// @param a, b    one element a constraint of the whole circuit
  RowSlice(std::span<const Integer> values, std::uint32_t inputs, const CircuitOffset& from,
           std::span<F> a, std::span<F> b) noexcept
      : View(values, inputs), at_(from), a_(a), b_(b) {}

  template <std::invocable Value>
  Variable allocate(const Value&) noexcept {
    return {Variable::Kind::auxiliary, at_.auxiliary++};
  }
  template <std::invocable Value>
  Variable allocate_public(const Value&) noexcept {
    return {Variable::Kind::public_input, at_.inputs++};
  }
  void enforce(const LinearCombination<F>& a, const LinearCombination<F>& b,
               const LinearCombination<F>&) {
    append_row(this->value(a), this->value(b));
  }
  /// A row by the values of its sides.
  /// @throws InvalidArgument if there is no room for another row
  void append_row(const F& a, const F& b) {
    if (at_.constraints >= a_.size()) {
      throw InvalidArgument("circuit: it has more than " + std::to_string(a_.size()) +
                            " constraints");
    }
    a_[at_.constraints] = a;
    b_[at_.constraints] = b;
    ++at_.constraints;
  }

  [[nodiscard]] const CircuitOffset& offset() const noexcept { return at_; }
  /// Goes on at another part.
  void move_to(const CircuitOffset& at) noexcept { at_ = at; }

 private:
  CircuitOffset at_;
  std::span<F> a_, b_;
};

}  // namespace zkgpu
