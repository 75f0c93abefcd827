// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <oneapi/tbb/parallel_for.h>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/circuit/parts.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/parts/runner_impl.hpp>
#include <zkgpu/prover/witness/walker.hpp>

namespace zkgpu {

namespace {

using F = Bls12_381::Fr;

/// Parts of several lengths, with each kind of result; some refer to what others made.
struct Branches {
  int seed = 3;
  int bad_part = -1;       ///< number of the part that throws
  bool bad_trunk = false;  ///< whether the walk throws with parts begun
  int extra = 0;           ///< variables that part 2 has more

  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    std::vector<std::vector<Variable>> powers;
    std::vector<Variable> sums;
    Parts parts(cs);
    const Variable x = cs.allocate([&] { return F(seed); });
    for (int i = 0; i < 20; ++i) {
      powers.push_back(parts.add([=, this](auto& part) { return this->powers_of(part, x, i); }));
    }
    const Variable y = multiply(cs, x, x);
    if (bad_trunk) throw InvalidArgument("trunk");
    parts.join();
    for (int i = 0; i < 20; ++i) {
      sums.push_back(parts.add([&, i](auto& part) {
        return multiply(part, powers[static_cast<std::size_t>(i)].back(), y);
      }));
      parts.add([&](auto& part) { make_public(part, y); });
    }
    parts.join();
    for (const Variable sum : sums) make_public(cs, multiply(cs, sum, sums.front()));
  }

  template <ConstraintSystem CS>
  std::vector<Variable> powers_of(CS& cs, Variable x, int number) const {
    std::vector<Variable> made{multiply(cs, x, x)};
    const int more = number == 2 ? number + extra : number;
    for (int i = 0; i < more; ++i) made.push_back(multiply(cs, made.back(), x));
    if (number == bad_part) throw InvalidArgument("part");
    return made;
  }
};

struct Counted {
  CircuitOffset all;
  std::vector<CircuitPart> parts;
};

Counted count(const Branches& circuit) {
  PartCounter<F> counter;
  circuit.synthesize(counter);
  return {counter.offset(), counter.parts()};
}

/// The whole assignment, by a runner.
SecretArray<F::Integer> run(const Branches& circuit, const Counted& counted) {
  const std::uint32_t inputs = counted.all.inputs;
  SecretArray<F::Integer> values(inputs + counted.all.auxiliary);
  values[0] = F::Integer::from_uint64(1);
  PartRunner<WitnessSlice<F>> runner(WitnessSlice<F>(values, inputs, {}), counted.parts, {0, 0, 0});
  circuit.synthesize(runner);
  if (runner.offset().auxiliary != counted.all.auxiliary) throw InternalError("another end");
  return values;
}

}  // namespace

TEST_CASE("parts of a circuit that run side by side make the assignment of the walk",
          "[prover][witness]") {
  const Branches circuit;
  const Counted counted = count(circuit);
  CHECK(counted.parts.size() == 60);
  for (int again = 0; again < 20; ++again) {
    const Branches other{.seed = again + 2};
    CHECK(run(other, counted) == synthesize_witness<F>(other).values);
  }
}

TEST_CASE("rows of parts that run side by side are those of the walk", "[prover][witness]") {
  const Branches circuit;
  const Counted counted = count(circuit);
  const std::uint32_t inputs = counted.all.inputs;
  const Witness<F> witness = synthesize_witness<F>(circuit);
  const std::span<const F::Integer> z(witness.values);
  std::vector<F> a(counted.all.constraints), b(a.size()), a_apart(a.size()), b_apart(a.size());
  RowSlice<F> whole(z, inputs, {}, a, b);
  circuit.synthesize(whole);
  PartRunner<RowSlice<F>> runner(RowSlice<F>(z, inputs, {}, a_apart, b_apart), counted.parts,
                                 {0, 0, 0});
  circuit.synthesize(runner);
  CHECK(a == a_apart);
  CHECK(b == b_apart);
}

TEST_CASE("an error in a part or beside it ends the walk as that error", "[prover][witness]") {
  const Counted counted = count({});
  for (int again = 0; again < 20; ++again) {
    CHECK_THROWS_WITH(run({.bad_part = again}, counted), "part");
    CHECK_THROWS_WITH(run({.bad_trunk = true}, counted), "trunk");
  }
}

TEST_CASE("of walks side by side all end with the error of one", "[prover][witness]") {
  const Counted counted = count({});
  for (int again = 0; again < 20; ++again) {
    const auto all = [&] {
      oneapi::tbb::parallel_for(0, 8, [&](int i) {
        const Branches circuit{.bad_part = i == again % 8 ? again : -1};
        const SecretArray<F::Integer> values = run(circuit, counted);
      });
    };
    CHECK_THROWS_WITH(all(), "part");
  }
}

TEST_CASE("a part that gives back what it did not make is noticed", "[prover][witness]") {
  PartCounter<F> counter;
  const Variable x = counter.allocate([] { return F(2); });
  Parts parts(counter);
  CHECK_THROWS_AS(parts.add([x](auto&) { return x; }), InternalError);
  CHECK_THROWS_AS(parts.add([](auto&) { return Variable::one(); }), InternalError);
  parts.add([x](auto& part) { return multiply(part, x, x); });
}

TEST_CASE("a circuit whose parts are not those counted is noticed", "[prover][witness]") {
  CHECK_THROWS_AS(run({}, count({.extra = 1})), InternalError);
  Counted less = count({});
  less.parts.pop_back();
  CHECK_THROWS_AS(run({}, less), InternalError);
}

}  // namespace zkgpu
