// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every gadget is judged from outside: its rows must hold for the values it computes, and must not
// hold when the value of its result is changed.
#include <catch2/catch.hpp>

#include <array>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>

using namespace zkgpu;  // NOLINT
using F = Bls12_381::Fr;
using Lc = LinearCombination<F>;

namespace {

/// A circuit from a function, so that a test reads as one piece.
template <class Body>
struct Written {
  Body body;
  template <class CS>
  void synthesize(CS& cs) const {
    body(cs);
  }
};

struct Outcome {
  R1cs<F> r1cs;
  Witness<F> witness;
  bool holds() const { return !first_violation<F>(r1cs, witness.values).has_value(); }
  /// With the last wire, where gadgets put their result, one larger.
  bool holds_with_other_result() const {
    Witness<F> changed = witness;
    changed.values.back() = (F::from_integer(changed.values.back()) + F::one()).to_integer();
    return !first_violation<F>(r1cs, changed.values).has_value();
  }
  F result() const { return F::from_integer(witness.values.back()); }
};

template <class Body>
Outcome run(const Body& body) {
  const Written<Body> circuit{body};
  return {synthesize_r1cs<F>(circuit), synthesize_witness<F>(circuit)};
}

constexpr std::array<bool, 2> bits = {false, true};
F field_of(bool bit) { return bit ? F::one() : F::zero(); }

}  // namespace

TEST_CASE("a bit is zero or one and nothing else", "[circuit][law]") {
  for (const bool value : bits) {
    const Outcome made = run([&](auto& cs) { allocate_bit(cs, [&] { return value; }); });
    CHECK(made.result() == field_of(value));
    CHECK(made.holds());
  }
  Outcome two = run([](auto& cs) { allocate_bit(cs, [] { return true; }); });
  two.witness.values.back() = F::Integer::from_uint64(2);
  CHECK_FALSE(two.holds());
  REQUIRE(two.r1cs.num_constraints() == 1);
  CHECK(two.r1cs.c.columns_of(0).empty());
}

TEST_CASE("logical operations follow their truth tables, also negated and constant",
          "[circuit][law]") {
  // 0: constant, 1: allocated, 2: negation of an allocated bit
  const auto make = [](auto& cs, int form, bool value) {
    if (form == 0) return Boolean::constant(value);
    const bool stored = form == 1 ? value : !value;
    const Variable bit = allocate_bit(cs, [&] { return stored; });
    return form == 1 ? Boolean::is(bit) : Boolean::is_not(bit);
  };
  for (int form_a = 0; form_a < 3; ++form_a) {
    for (int form_b = 0; form_b < 3; ++form_b) {
      for (const bool a : bits) {
        for (const bool b : bits) {
          const Outcome made = run([&](auto& cs) {
            const Boolean x = make(cs, form_a, a);
            const Boolean y = make(cs, form_b, b);
            const std::array<Boolean, 3> results = {logical_xor(cs, x, y), logical_and(cs, x, y),
                                                    logical_or(cs, x, y)};
            if constexpr (std::decay_t<decltype(cs)>::has_values) {
              CHECK(results[0].value(cs) == (a != b));
              CHECK(results[1].value(cs) == (a && b));
              CHECK(results[2].value(cs) == (a || b));
            }
          });
          CHECK(made.holds());
          const bool any_constant = form_a == 0 || form_b == 0;
          const std::size_t operand_rows = std::size_t{form_a != 0} + std::size_t{form_b != 0};
          CHECK(made.r1cs.num_constraints() == operand_rows + (any_constant ? 0 : 3));
        }
      }
    }
  }
}

TEST_CASE("the plain operand of an exclusive or stands first", "[circuit]") {
  // not(v1) xor v0 is not((2 v0) · v1 = v0 + v1 - c): A must hold v0.
  const Outcome made = run([](auto& cs) {
    const Variable v0 = allocate_bit(cs, [] { return true; });
    const Variable v1 = allocate_bit(cs, [] { return true; });
    logical_xor(cs, Boolean::is_not(v1), Boolean::is(v0));
  });
  REQUIRE(made.r1cs.num_constraints() == 3);
  CHECK(made.r1cs.a.columns_of(2)[0] == 1);
  CHECK(made.r1cs.a.values_of(2)[0] == F(2));
  CHECK(made.r1cs.b.columns_of(2)[0] == 2);
}

TEST_CASE("results of gadgets are determined by their rows", "[circuit][law]") {
  const auto number = [](auto& cs, int value) { return cs.allocate([=] { return F(value); }); };
  const Outcome product = run([&](auto& cs) { multiply(cs, number(cs, 6), number(cs, -7)); });
  CHECK(product.result() == F(-42));
  CHECK(product.holds());
  CHECK_FALSE(product.holds_with_other_result());

  for (const bool condition : bits) {
    const Outcome selected = run([&](auto& cs) {
      const Boolean bit = Boolean::is_not(allocate_bit(cs, [&] { return !condition; }));
      const Variable yes = number(cs, 10);
      const Variable no = number(cs, 20);
      zkgpu::select(cs, bit, yes, no);
    });
    CHECK(selected.result() == F(condition ? 10 : 20));
    CHECK(selected.holds());
    CHECK_FALSE(selected.holds_with_other_result());
  }
}

TEST_CASE("unpacking and packing are inverse, and unpacking is a range check", "[circuit][law]") {
  const auto circuit = [](int value, std::size_t count) {
    return run([=](auto& cs) {
      const Variable x = cs.allocate([=] { return F(value); });
      pack(cs, unpack(cs, x, count));
    });
  };
  for (const int value : {0, 1, 2, 77, 127}) {
    const Outcome made = circuit(value, 7);
    CHECK(made.result() == F(value));
    CHECK(made.holds());
    CHECK_FALSE(made.holds_with_other_result());
    CHECK(made.r1cs.num_constraints() == 7 + 1 + 1);
  }
  CHECK_FALSE(circuit(128, 7).holds());
  CHECK_FALSE(circuit(-1, 254).holds());
  CHECK(circuit(-1, 1).r1cs.num_constraints() == 3);
}

TEST_CASE("a public variable is bound to what it shows", "[circuit][law]") {
  Outcome made = run([](auto& cs) {
    const Variable x = cs.allocate([] { return F(5); });
    make_public(cs, Lc(F(3), x) + Variable::one());
  });
  CHECK(made.r1cs.num_public == 1);
  CHECK(made.witness.values[1] == F(16).to_integer());
  CHECK(made.holds());
  made.witness.values[1] = F(17).to_integer();
  CHECK_FALSE(made.holds());
}

TEST_CASE("a bit that must be true may not be false", "[circuit][law]") {
  for (const bool value : bits) {
    const Outcome made = run(
        [&](auto& cs) { enforce_true(cs, Boolean::is(allocate_bit(cs, [&] { return value; }))); });
    CHECK(made.holds() == value);
  }
}
