// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>

using zkgpu::Term;
using zkgpu::Variable;
using F = zkgpu::Bls12_381::Fr;
using Lc = zkgpu::LinearCombination<F>;

namespace {
constexpr Variable aux(std::uint32_t i) { return {Variable::Kind::auxiliary, i}; }
constexpr Variable pub(std::uint32_t i) { return {Variable::Kind::public_input, i}; }
}  // namespace

TEST_CASE("a normalised combination has one term a variable, in wire order", "[circuit][law]") {
  Lc x = F(3) * (Lc(aux(1)) + pub(2)) - aux(0) + Lc(F(4), aux(1)) + Lc::constant(F(9));
  x.normalize();
  const std::vector<Term<F>> expected = {
      {pub(0), F(9)}, {pub(2), F(3)}, {aux(0), F(-1)}, {aux(1), F(7)}};
  CHECK(std::vector<Term<F>>(x.terms().begin(), x.terms().end()) == expected);
}

TEST_CASE("terms that cancel vanish", "[circuit][edge]") {
  Lc x = Lc(aux(5)) + pub(1) - aux(5);
  x.normalize();
  REQUIRE(x.terms().size() == 1);
  CHECK(x.terms()[0] == Term<F>{pub(1), F::one()});
  Lc nothing = Lc(aux(0)) - aux(0);
  nothing.normalize();
  CHECK(nothing.is_empty());
  CHECK((-Lc()).is_empty());
}

TEST_CASE("public variables stand before auxiliary ones", "[circuit][law]") {
  CHECK(pub(7) < aux(0));
  CHECK(aux(1) < aux(2));
  CHECK(Variable::one() == pub(0));
}
