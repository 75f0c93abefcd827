// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <vector>

#include <zkgpu/ntt/reference.hpp>
#include <zkgpu/prover/qap/at_point.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"
#include "toy_curve.hpp"

using namespace zkgpu;  // NOLINT
using Fr = Bls12_381::Fr;
using test::ToyField;

TEST_CASE("Lagrange values interpolate: the sum over a polynomial's values is its value",
          "[qap][law]") {
  for (const unsigned log_n : {0U, 1U, 4U, 6U}) {
    const NttDomain<Fr> domain(log_n);
    std::vector<Fr> coefficients;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      coefficients.push_back(Fr(static_cast<int>(i * i + 3)).inverse());
    }
    for (const Fr& shift : {Fr::one(), Fr(7)}) {
      const Fr tau(123457);
      const auto lagrange = lagrange_at(domain, shift, tau);
      const auto values = dft_reference<Fr>(domain, coefficients, shift);
      Fr sum = Fr::zero();
      for (std::size_t j = 0; j < values.size(); ++j) sum += values[j] * lagrange[j];
      CHECK(sum == evaluate_polynomial<Fr>(coefficients, tau));
    }
  }
  const NttDomain<Fr> domain(3);
  CHECK_THROWS_AS(lagrange_at(domain, Fr::one(), domain.root), InvalidArgument);
}

TEST_CASE("the columns of the exclusive or at tau are those of the scalar example", "[qap][vec]") {
  const R1cs<ToyField> r1cs = synthesize_r1cs<ToyField>(test::XorCircuit<ToyField>{});
  REQUIRE(domain_rows(r1cs) == 5);
  const NttDomain<ToyField> domain(3);
  CHECK(ToyField::root_of_unity(10) == ToyField(57751));
  CHECK(domain.root == ToyField(20201));
  const auto at = qap_at_point(r1cs, domain, ToyField(3673));
  const auto expect = [](const SecretArray<ToyField>& column, std::vector<int> values) {
    REQUIRE(column.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(column[i] == ToyField(values[i]));
  };
  expect(at.u, {59158, 48317, 21767, 10402});  // one, c, a, b
  expect(at.v, {0, 0, 60619, 30791});
  expect(at.w, {0, 23320, 41193, 41193});
  CHECK_THROWS_AS(qap_at_point(r1cs, NttDomain<ToyField>(2), ToyField(3673)), InvalidArgument);
}
