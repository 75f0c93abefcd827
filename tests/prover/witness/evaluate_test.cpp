// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <vector>

#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using F = Bls12_381::Fr;
using Host = Cpu<arch::scalar>;

namespace {

struct Machine {
  Host cpu;
  Host::Queue queue = cpu.make_queue();
  pipeline::simple_memory::Source<Host> memory{cpu, pipeline::unplanned};
  StageContext<Host> at{cpu, queue, memory};
};

}  // namespace

static_assert(Stage<Evaluate<F, Host>, Host>);

TEST_CASE("evaluations are row products, then the inputs, then zeros", "[witness][agreement]") {
  const test::SquaringsCircuit<F> circuit{.squarings = 1500};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> z = synthesize_witness<F>(circuit);
  Machine machine;
  constexpr std::size_t n = 2048;
  const Evaluate<F, Host> evaluate{DomainRows<F>::of(r1cs), n};
  const auto out = evaluate(machine.at, z.values);
  REQUIRE(out.a.size() == n);
  const F radix = montgomery_radix<F>();
  for (std::size_t i = 0; i < r1cs.num_constraints(); ++i) {
    REQUIRE(out.a.span()[i] == row_product<F>(r1cs.a, i, z.values, radix));
    REQUIRE(out.b.span()[i] == row_product<F>(r1cs.b, i, z.values, radix));
  }
  const std::size_t rows = r1cs.num_constraints();
  CHECK(out.a.span()[rows] == F::one());
  CHECK(out.a.span()[rows + 1] == F::from_integer(z.values[1]));
  for (std::size_t i = rows; i < n; ++i) {
    CHECK(out.b.span()[i].is_zero());
    if (i >= rows + 2) CHECK(out.a.span()[i].is_zero());
  }
}

TEST_CASE("matrices that contain the input rows give the same evaluations", "[witness][law]") {
  const test::XorCircuit<F> circuit{true, true};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> z = synthesize_witness<F>(circuit);
  CsrMatrix<F> a = r1cs.a;
  CsrMatrix<F> b = r1cs.b;
  for (std::uint32_t wire = 0; wire <= r1cs.num_public; ++wire) {
    a.column.push_back(wire);
    a.value.push_back(F::one());
    a.row_start.push_back(a.column.size());
    b.row_start.push_back(b.column.size());
  }
  Machine machine;
  const auto with = Evaluate<F, Host>{DomainRows<F>::of(a, b), 8}(machine.at, z.values);
  const auto without = Evaluate<F, Host>{DomainRows<F>::of(r1cs), 8}(machine.at, z.values);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(with.a.span()[i] == without.a.span()[i]);
    CHECK(with.b.span()[i] == without.b.span()[i]);
  }
}

TEST_CASE("rows that do not fit the domain are refused", "[witness][edge]") {
  const R1cs<F> r1cs = synthesize_r1cs<F>(test::XorCircuit<F>{});
  const Witness<F> z = synthesize_witness<F>(test::XorCircuit<F>{});
  Machine machine;
  const Evaluate<F, Host> evaluate{DomainRows<F>::of(r1cs), 4};
  CHECK_THROWS_AS(evaluate(machine.at, z.values), InvalidArgument);
  CHECK(machine.memory.account().in_use_bytes() == 0);
}
