// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <vector>

#include <zkgpu/batch/pairing.hpp>
#include <zkgpu/batch/pairing_impl.hpp>
#include <zkgpu/curve/jacobian.hpp>

#include "curve/small_order_points.hpp"
#include "field/lanes/lanes_here.hpp"
#include "support/random_points.hpp"

// Oracle: `zkgpu::multi_miller_loop`, the loop with one term after the other.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using C = Bls12_381;

std::vector<PairingTerm<C>> random_terms(std::size_t n, bool infinities, Random& random) {
  std::vector<PairingTerm<C>> terms;
  for (std::size_t i = 0; i < n; ++i) {
    terms.push_back({random_subgroup_point<C::G1::Params>(random),
                     random_subgroup_point<C::G2::Params>(random)});
    if (!infinities) continue;
    if (random() % 4 == 0) terms.back().p = C::G1::Affine::infinity();
    if (random() % 4 == 0) terms.back().q = C::G2::Affine::infinity();
  }
  return terms;
}

}  // namespace

TEST_CASE("Miller loops side by side give the product of those one by one",
          "[batch][pairing][agreement]") {
  lanes_run_here();
  Random random(31);
  for (const bool infinities : {false, true}) {
    for (const std::size_t n :
         {0u, 1u, 2u, 3u, 4u, 7u, 8u, 9u, 13u, 16u, 17u, 21u, 32u, 33u, 70u}) {
      INFO(n << " terms");
      const auto terms = random_terms(n, infinities, random);
      const auto f = batch::multi_miller_loop<C>(terms);
      REQUIRE(f == multi_miller_loop<C>(std::span<const PairingTerm<C>>(terms)));
    }
  }
}

TEST_CASE("terms that are all infinity, or one point in every lane, give the same product",
          "[batch][pairing][agreement]") {
  lanes_run_here();
  Random random(32);
  std::vector<PairingTerm<C>> terms(11, {C::G1::generator(), C::G2::Affine::infinity()});
  CHECK(batch::multi_miller_loop<C>(terms) == C::Fq12::one());
  terms.assign(19, random_terms(1, false, random)[0]);
  CHECK(batch::multi_miller_loop<C>(terms) ==
        multi_miller_loop<C>(std::span<const PairingTerm<C>>(terms)));
}

TEST_CASE("a product of pairings through lanes is one exactly where the exponents add up to zero",
          "[batch][pairing]") {
  lanes_run_here();
  Random random(33);
  std::vector<PairingTerm<C>> terms;
  C::Fr sum = C::Fr::zero();
  const auto multiple = [](const auto& g, const C::Fr& k) {
    return scalar_mul(g, k.to_integer()).to_affine();
  };
  for (int i = 0; i < 15; ++i) {
    const auto a = random_element<C::Fr>(random), b = random_element<C::Fr>(random);
    sum += a * b;
    terms.push_back({multiple(C::G1::generator(), a), multiple(C::G2::generator(), b)});
  }
  terms.push_back({multiple(C::G1::generator(), -sum), C::G2::generator()});
  const auto is_one = [&] {
    return final_exponentiation_cubed<C>(batch::multi_miller_loop<C>(terms)) == C::Fq12::one();
  };
  CHECK(is_one());
  terms[random() % terms.size()].p = C::G1::generator();
  CHECK_FALSE(is_one());
}

TEST_CASE("a final exponentiation across lanes gives the element of scalar code",
          "[batch][pairing][agreement]") {
  lanes_run_here();
  Random random(34);
  std::vector<C::Fq12> values{C::Fq12::zero(), C::Fq12::one(), -C::Fq12::one()};
  for (int i = 0; i < 5; ++i) {
    const auto term = random_terms(1, false, random)[0];
    values.push_back(miller_loop<C>(term.p, term.q));
    values.push_back(final_exponentiation<C>(values.back()));
    C::Fq12 any;
    for (auto* half : {&any.c0, &any.c1}) {
      for (auto* x : {&half->c0, &half->c1, &half->c2}) *x = random_element<C::Fq2>(random);
    }
    values.push_back(any);
    any.c1 = any.c1.zero();  // of the subfield: gives one
    values.push_back(any);
  }
  for (const auto& f : values) {
    REQUIRE(batch::final_exponentiation<C>(f) == final_exponentiation<C>(f));
    REQUIRE(batch::final_exponentiation_cubed<C>(f) == final_exponentiation_cubed<C>(f));
  }
}

TEST_CASE("a pairing in lanes is the pairing, and a check of one the check",
          "[batch][pairing][agreement]") {
  lanes_run_here();
  Random random(35);
  for (int i = 0; i < 3; ++i) {
    const auto [p, q] = random_terms(1, false, random)[0];
    REQUIRE(batch::pairing<C>(p, q) == pairing<C>(p, q));
    const std::vector<PairingTerm<C>> terms{{p, q}, {-p, q}};
    REQUIRE(batch::pairing_check<C>(terms));
    REQUIRE_FALSE(batch::pairing_check<C>(std::span(terms).first(1)));
  }
  const auto p = C::G1::generator();
  CHECK(batch::pairing<C>(p, C::G2::Affine::infinity()) == C::Fq12::one());
  CHECK(batch::pairing<C>(C::G1::Affine::infinity(), C::G2::generator()) == C::Fq12::one());
  CHECK(batch::pairing_check<C>({}));
}

TEST_CASE("points outside the subgroups give in lanes what they give in scalar code",
          "[batch][pairing][agreement]") {
  lanes_run_here();
  using P1 = C::G1::Params;
  using P2 = C::G2::Params;
  Random random(36);
  // The point (0, 2) has order 3 and no digit in x, as infinity has none.
  std::vector<C::G1::Affine> p{{C::Fq::zero(), C::Fq(2)}};
  std::vector<C::G2::Affine> q;
  for (const auto order : {11U, 10177U}) p.push_back(random_point_of_order<P1>(order, random));
  for (const auto order : {13U, 23U, 2713U}) q.push_back(random_point_of_order<P2>(order, random));
  for (int i = 0; i < 4; ++i) {
    p.push_back(random_curve_point<P1>(random));
    q.push_back(random_curve_point<P2>(random));
  }
  REQUIRE(p[0].is_on_curve());
  const auto agree = [](std::span<const PairingTerm<C>> terms) {
    const auto f = multi_miller_loop<C>(terms);
    CHECK(batch::multi_miller_loop<C>(terms) == f);
    CHECK(batch::final_exponentiation<C>(f) == final_exponentiation<C>(f));
    CHECK(batch::pairing_check<C>(terms) == pairing_check<C>(terms));
  };
  for (const auto& any_p : p) {
    for (const auto& any_q : q) {
      const PairingTerm<C> terms[] = {{any_p, any_q}, {-any_p, any_q}};
      agree(std::span(terms).first(1));
      agree(terms);
    }
  }
  for (const std::size_t n : {3u, 8u, 13u, 14u, 16u, 21u, 40u}) {
    INFO(n << " terms");
    auto terms = random_terms(n, true, random);
    for (auto& term : terms) {
      if (random() % 2 == 0) term.p = p[random() % p.size()];
      if (random() % 2 == 0) term.q = q[random() % q.size()];
    }
    agree(terms);
  }
}

TEST_CASE("Miller loops are planned in blocks that are neither empty nor too large",
          "[batch][pairing]") {
  for (std::size_t terms = 1; terms <= 100; ++terms) {
    const auto block = batch::detail::plan_miller_block(terms, 32, 16);
    INFO(terms << " terms, a block of " << block.terms);
    CHECK(block.terms > 0);
    CHECK(block.terms <= std::min<std::size_t>(terms, block.eight_loops ? 32 : 16));
    CHECK(block.eight_loops == (terms >= 14));
    if (block.eight_loops) CHECK((block.terms % 8 == 0 || block.terms % 8 >= 5));
  }
}
