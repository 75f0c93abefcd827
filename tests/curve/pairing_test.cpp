// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

#include "big_integers.hpp"
#include "random_points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::cpp_int;
using test::Random;
using test::to_cpp_int;
using test::to_limbs;
using C = Bls12_381;
using Fq12 = C::Fq12;
using Term = PairingTerm<C>;
using PreparedTerm = PreparedPairingTerm<C>;

const cpp_int q = to_cpp_int(Fq::modulus());
const cpp_int r = to_cpp_int(Fr::modulus());

Fq12 random_fq12(Random& random) {
  Fq12 f{};
  for (auto* c : {&f.c0, &f.c1}) {
    for (auto* d : {&c->c0, &c->c1, &c->c2}) *d = test::random_element<Fq2>(random);
  }
  return f;
}

Affine<G1Params> g1(const Fr& k) {
  return scalar_mul(C::G1::generator(), k.to_integer()).to_affine();
}
Affine<G2Params> g2(const Fr& k) {
  return scalar_mul(C::G2::generator(), k.to_integer()).to_affine();
}

/// The textbook: a Miller loop on affine points over Fq12, one factor at a time.
///
/// @see V. S. Miller, "The Weil pairing, and its efficient calculation", 2004
Fq12 textbook_miller_loop(const Affine<G1Params>& p, const Affine<G2Params>& q2) {
  // To the curve over Fq12: (x/w², y/w³).
  const Fq12 w{Fq12::BaseField::zero(), Fq12::BaseField::one()};
  const auto lift = [](const Fq2& a) { return Fq12{{a, Fq2::zero(), Fq2::zero()}, {}}; };
  const Fq12 w_inverse = w.inverse();
  const Fq12 w2_inverse = w_inverse.square();
  const Fq12 qx = lift(q2.x) * w2_inverse;
  const Fq12 qy = lift(q2.y) * w2_inverse * w_inverse;
  const Fq12 px = lift(Fq2{p.x, Fq::zero()});
  const Fq12 py = lift(Fq2{p.y, Fq::zero()});
  REQUIRE(qy.square() == qx.square() * qx + lift(Fq2{Fq(4), Fq::zero()}));

  Fq12 f = Fq12::one();
  Fq12 tx = qx;
  Fq12 ty = qy;
  const auto step = [&](const Fq12& slope, const Fq12& other_x) {
    f *= py - ty - slope * (px - tx);
    const Fq12 x3 = slope.square() - tx - other_x;
    ty = slope * (tx - x3) - ty;
    tx = x3;
  };
  for (int bit = 62; bit >= 0; --bit) {
    f = f.square();
    const Fq12 xx = tx.square();
    step((xx.doubled() + xx) * ty.doubled().inverse(), tx);
    if (((z_magnitude >> bit) & 1) != 0) step((ty - qy) * (tx - qx).inverse(), qx);
  }
  return f.inverse();  // z is negative
}

}  // namespace

TEST_CASE("the final exponentiation is the power (q^12 - 1)/r", "[curve][pairing][oracle]") {
  const cpp_int q12 = pow(q, 12);
  REQUIRE((q12 - 1) % r == 0);
  const auto exponent = to_limbs<72>((q12 - 1) / r);
  Random random(1);
  for (int i = 0; i < 3; ++i) {
    const Fq12 f = random_fq12(random);
    const Fq12 expected = f.pow(exponent);
    CHECK(final_exponentiation<C>(f) == expected);
    CHECK(final_exponentiation_cubed<C>(f) == expected.square() * expected);
  }
  CHECK(final_exponentiation<C>(Fq12::one()) == Fq12::one());
  CHECK(final_exponentiation<C>(Fq12::zero()) == Fq12::zero());
  CHECK(final_exponentiation_cubed<C>(Fq12::zero()) == Fq12::zero());
}

TEST_CASE("the Miller loop agrees with the textbook's up to the final exponentiation",
          "[curve][pairing][oracle]") {
  Random random(2);
  for (int i = 0; i < 3; ++i) {
    const auto p = test::random_subgroup_point<G1Params>(random);
    const auto q2 = test::random_subgroup_point<G2Params>(random);
    CHECK(pairing<C>(p, q2) == final_exponentiation<C>(textbook_miller_loop(p, q2)));
  }
}

TEST_CASE("the pairing is bilinear, not degenerate and of order r", "[curve][pairing][law]") {
  const Fq12 e = pairing<C>(C::G1::generator(), C::G2::generator());
  CHECK_FALSE(e == Fq12::one());
  CHECK(e.pow(Fr::modulus()) == Fq12::one());
  Random random(3);
  for (int i = 0; i < 4; ++i) {
    const Fr a = i == 0 ? Fr(-1) : test::random_element<Fr>(random);
    const Fr b = i == 1 ? Fr(2) : test::random_element<Fr>(random);
    const Fr c = test::random_element<Fr>(random);
    const Fq12 ab = e.cyclotomic_pow((a * b).to_integer());
    CHECK(pairing<C>(g1(a), g2(b)) == ab);
    CHECK(pairing<C>(g1(b), g2(a)) == ab);
    CHECK(pairing<C>(g1(a * b), C::G2::generator()) == ab);
    CHECK(pairing<C>(g1(a + c), g2(b)) == ab * pairing<C>(g1(c), g2(b)));
    CHECK(pairing<C>(g1(a), g2(b + c)) == ab * pairing<C>(g1(a), g2(c)));
    CHECK(pairing<C>(-g1(a), g2(b)) == ab.conjugate());
    CHECK(pairing<C>(g1(a), -g2(b)) == ab.inverse());
  }
}

TEST_CASE("infinity on either side gives one", "[curve][pairing][edge]") {
  const auto p = C::G1::generator();
  const auto q2 = C::G2::generator();
  const auto p0 = C::G1::Affine::infinity();
  const auto q0 = C::G2::Affine::infinity();
  CHECK(pairing<C>(p0, q2) == Fq12::one());
  CHECK(pairing<C>(p, q0) == Fq12::one());
  CHECK(pairing<C>(p0, q0) == Fq12::one());
  const PreparedG2<C> prepared_infinity(q0), defaulted, prepared(q2);
  CHECK(prepared_infinity.is_infinity());
  CHECK(defaulted.is_infinity());
  const PreparedTerm terms[] = {{p, &prepared_infinity}, {p, &defaulted}, {p0, &prepared}};
  CHECK(pairing_check<C>({}, terms));
  CHECK(pairing_check<C>({}));
}

TEST_CASE("a product of pairings is the product of the pairings, in every number and mixture",
          "[curve][pairing][law]") {
  Random random(4);
  const std::size_t most = 40;  // three blocks
  std::vector<Term> terms;
  std::vector<PreparedG2<C>> lines;
  for (std::size_t i = 0; i < most; ++i) {
    Fr a = test::random_element<Fr>(random);
    Fr b = test::random_element<Fr>(random);
    if (i % 7 == 3) a = Fr(0);
    if (i % 11 == 5) b = Fr(0);
    terms.push_back({g1(a), g2(b)});
    lines.emplace_back(terms.back().q);
  }
  std::vector<PreparedTerm> prepared;
  for (std::size_t i = 0; i < most; ++i) prepared.push_back({terms[i].p, &lines[i]});
  const std::span<const Term> plain(terms);
  const std::span<const PreparedTerm> ready(prepared);

  Fq12 expected = Fq12::one();
  for (std::size_t n = 0; n <= most; ++n) {
    if (n > 0) expected *= pairing<C>(terms[n - 1].p, terms[n - 1].q);
    if (n > 3 && n % 16 > 1 && n % 16 < 15) continue;
    INFO(n << " terms");
    CHECK(final_exponentiation<C>(multi_miller_loop<C>(plain.first(n))) == expected);
    CHECK(final_exponentiation<C>(multi_miller_loop<C>({}, ready.first(n))) == expected);
    const std::size_t part = n / 3;
    const Fq12 f = multi_miller_loop<C>(plain.first(part), ready.subspan(part, n - part));
    CHECK(final_exponentiation<C>(f) == expected);
  }
}

TEST_CASE("a check holds exactly for products that are one", "[curve][pairing][edge]") {
  Random random(5);
  for (int i = 0; i < 4; ++i) {
    const Fr a = test::random_element<Fr>(random);
    const Fr b = test::random_element<Fr>(random);
    std::vector<Term> terms = {{g1(a), g2(b)}, {g1(-(a * b)), C::G2::generator()}};
    CHECK(pairing_check<C>(terms));
    terms[1].p = g1(Fr(1) - a * b);
    CHECK_FALSE(pairing_check<C>(terms));
  }
}

TEST_CASE("the Miller loop is total on points that are in no subgroup", "[curve][pairing][edge]") {
  Random random(6);
  const auto q2 = test::random_curve_point<G2Params>(random);
  const auto p = test::random_curve_point<G1Params>(random);
  CHECK_FALSE(final_exponentiation<C>(miller_loop<C>(p, q2)).is_zero());
  // A point that the loop's additions meet again: off the curve, x = 0.
  const C::G2::Affine zero_x{Fq2::zero(), Fq2::one()};
  static_cast<void>(pairing<C>(p, zero_x));
}
