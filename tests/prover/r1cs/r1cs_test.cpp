// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <random>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/density.hpp>
#include <zkgpu/prover/r1cs/eigen.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using F = Bls12_381::Fr;
using Integer = F::Integer;

namespace {

F random_field(std::mt19937_64& random) {
  Integer n{{random(), random(), random(), random() >> 2}};  // below 2^254 < modulus
  return F::from_integer(n);
}

CsrMatrix<F> random_matrix(std::mt19937_64& random, std::size_t rows, std::uint32_t columns) {
  CsrMatrix<F> matrix;
  matrix.row_start.push_back(0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = random() % 5; i > 0; --i) {
      matrix.column.push_back(static_cast<std::uint32_t>(random() % columns));
      matrix.value.push_back(random_field(random));
    }
    matrix.row_start.push_back(matrix.column.size());
  }
  return matrix;
}

}  // namespace

TEST_CASE("wires are one, public, auxiliary, whatever the order of allocation", "[r1cs][law]") {
  const test::XorCircuit<F> circuit{true, false};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> witness = synthesize_witness<F>(circuit);
  CHECK(r1cs.num_wires == 4);
  CHECK(r1cs.num_public == 1);
  CHECK(r1cs.num_constraints() == 3);
  const std::vector<int> expected = {1, 1, 1, 0};  // one, c, a, b
  for (std::size_t i = 0; i < 4; ++i) CHECK(witness.values[i] == F(expected[i]).to_integer());
  // Row 2: (2a)·b = a + b - c, with c before a and b.
  CHECK(std::vector<std::uint32_t>(r1cs.c.columns_of(2).begin(), r1cs.c.columns_of(2).end()) ==
        std::vector<std::uint32_t>{1, 2, 3});
  CHECK(r1cs.c.values_of(2)[0] == F(-1));
}

TEST_CASE("the first violated constraint is named with its three values", "[r1cs]") {
  const test::SquaringsCircuit<F> circuit{.squarings = 5};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  Witness<F> witness = synthesize_witness<F>(circuit);
  REQUIRE_FALSE(first_violation<F>(r1cs, witness.values).has_value());
  witness.values[4] = F(100).to_integer();  // x_2, which is 81: rows 1 and 2 break
  const auto violation = first_violation<F>(r1cs, witness.values);
  REQUIRE(violation.has_value());
  CHECK(violation->constraint == 1);
  CHECK(violation->a == F(9));
  CHECK(violation->b == F(9));
  CHECK(violation->c == F(100));
}

TEST_CASE("an assignment of the wrong length or without one is refused", "[r1cs][edge]") {
  const test::SquaringsCircuit<F> circuit{.squarings = 2};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  Witness<F> witness = synthesize_witness<F>(circuit);
  CHECK_THROWS_AS(
      first_violation<F>(r1cs, std::span(witness.values).first(witness.values.size() - 1)),
      InvalidArgument);
  witness.values[0] = Integer::zero();
  CHECK_THROWS_AS(first_violation<F>(r1cs, witness.values), InvalidArgument);
  CHECK_THROWS_AS(first_violation<F>(R1cs<F>{}, std::span<const Integer>{}), InvalidArgument);
}

TEST_CASE("row products agree with Eigen's sparse product", "[r1cs][oracle]") {
  std::mt19937_64 random(20261129);
  for (const std::size_t rows : {0U, 1U, 2U, 31U, 32U, 33U, 200U}) {
    constexpr std::uint32_t columns = 50;
    const CsrMatrix<F> matrix = random_matrix(random, rows, columns);
    std::vector<Integer> z;
    Eigen::Matrix<F, Eigen::Dynamic, 1> vector(columns);
    for (std::uint32_t i = 0; i < columns; ++i) {
      const F value = i < 3 ? F(static_cast<int>(i) - 1) : random_field(random);
      z.push_back(value.to_integer());
      vector[i] = value;
    }
    const EigenView<F> view(matrix, columns);
    const Eigen::Matrix<F, Eigen::Dynamic, 1> expected = *view * vector;
    const F radix = montgomery_radix<F>();
    for (std::size_t row = 0; row < rows; ++row) {
      CHECK(row_product<F>(matrix, row, z, radix) == expected[static_cast<Eigen::Index>(row)]);
    }
  }
}

TEST_CASE("density follows merged coefficients and the input rows", "[r1cs][edge]") {
  R1cs<F> r1cs;
  r1cs.num_wires = 70;
  r1cs.num_public = 2;
  // Row 0 of A: 5·w66 - 5·w66 (unsorted, cancels) + 1·w3; row 1: 0·w4. B: w2, w69.
  r1cs.a = {{0, 3, 4}, {66, 3, 66}, {F(5), F(1), F(-5)}};
  r1cs.a.column.push_back(4);
  r1cs.a.value.push_back(F(0));
  r1cs.b = {{0, 1, 2}, {2, 69}, {F(1), F(7)}};
  r1cs.c = {{0, 1, 1}, {50}, {F(1)}};
  const Density density = density_of(r1cs);
  for (const std::size_t wire : {0U, 1U, 2U, 3U}) CHECK(density.a.contains(wire));
  CHECK(density.a.count() == 4);
  CHECK(density.b.contains(2));
  CHECK(density.b.contains(69));
  CHECK(density.b.count() == 2);
}

TEST_CASE("a circuit gives the same rows whatever its values", "[r1cs][law]") {
  CHECK(synthesize_r1cs<F>(test::XorCircuit<F>{true, true}) ==
        synthesize_r1cs<F>(test::XorCircuit<F>{false, true}));
}
