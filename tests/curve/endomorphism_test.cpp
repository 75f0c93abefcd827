// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/endomorphism.hpp>

#include "big_integers.hpp"
#include "random_points.hpp"
#include "small_order_points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::cpp_int;
using test::Random;
using test::to_cpp_int;
using test::to_limbs;

const cpp_int z = -cpp_int(z_magnitude);
const cpp_int z2 = z * z;
const cpp_int z4 = z2 * z2;
const cpp_int r_modulus = to_cpp_int(Fr::modulus());
const cpp_int q_modulus = to_cpp_int(Fq::modulus());
const cpp_int h1 = (z - 1) * (z - 1) / 3;
// The order of the twist over Fq2 by r, as a polynomial in z.
const cpp_int h2 =
    (z4 * z4 - 4 * z4 * z2 * z + 5 * z4 * z2 - 4 * z4 + 6 * z2 * z - 4 * z2 - 4 * z + 13) / 9;

template <CurveParams P>
Jacobian<P> times(const cpp_int& k, const Affine<P>& p) {
  const bool negative = k < 0;
  const cpp_int magnitude = negative ? cpp_int(-k) : k;
  const auto r = scalar_mul_double_and_add(Jacobian<P>::from_affine(p), to_limbs<12>(magnitude));
  return negative ? -r : r;
}

std::vector<Fr::Integer> edge_scalars() {
  std::vector<cpp_int> values = {0, 1, 2, 3, r_modulus - 1, r_modulus - 2, r_modulus / 2};
  for (const cpp_int& power : {cpp_int(-z), z2, cpp_int(-z2 * z), cpp_int(z2 - 1)}) {
    for (int d = -2; d <= 2; ++d) {
      values.push_back(power + d);
      values.push_back(power / 2 + d);
      values.push_back(r_modulus - power + d);
    }
  }
  for (unsigned k = 0; k < 255; ++k) {
    for (int d = -1; d <= 1; ++d) values.push_back((cpp_int(1) << k) + d);
  }
  std::vector<Fr::Integer> scalars;
  for (const auto& value : values) {
    if (value >= 0 && value < r_modulus) scalars.push_back(to_limbs<4>(value));
  }
  return scalars;
}

}  // namespace

TEST_CASE("the moduli and cofactors are the polynomials in z of the BLS12 family", "[curve][law]") {
  CHECK(r_modulus == z4 - z2 + 1);
  CHECK(q_modulus == h1 * r_modulus + z);
  CHECK(h1 % 2 == 1);  // odd group orders: no point has y = 0
  CHECK(h2 % 2 == 1);
  CHECK(gcd(h1, h2) == 1);  // what the subgroup check of G2 stands on
  CHECK(h2 % r_modulus != 0);
}

TEST_CASE("the twist has h2·r points", "[curve][law]") {
  Random random(7);
  for (int i = 0; i < 4; ++i) {
    CHECK(times(h2 * r_modulus, test::random_curve_point<G2Params>(random)).is_infinity());
    CHECK(times(h1 * r_modulus, test::random_curve_point<G1Params>(random)).is_infinity());
  }
}

TEST_CASE("the Frobenius constants are powers of xi", "[curve][law]") {
  using T = Tower<Fq>;
  const auto power = [](int numerator) {
    return T::xi().pow(to_limbs<6>(numerator * ((q_modulus - 1) / 6)));
  };
  CHECK(T::frobenius_w() == power(1));
  CHECK(T::frobenius_v() == power(2));
  CHECK(T::frobenius_vw() == power(3));
  CHECK(T::frobenius_v() * T::frobenius_v_inverse() == Fq2::one());
  CHECK(T::frobenius_vw() * T::frobenius_vw_inverse() == Fq2::one());
  CHECK(T::multiply_by_xi(T::xi()) == T::xi().square());
}

TEST_CASE("phi multiplies G1 by z^2 - 1 with this cube root and not with the other",
          "[curve][g1][law]") {
  const Fq beta = G1Params::beta();
  CHECK(beta.square() + beta + Fq::one() == Fq::zero());
  Random random(1);
  for (int i = 0; i < 8; ++i) {
    const auto p =
        i == 0 ? Bls12_381::G1::generator() : test::random_subgroup_point<G1Params>(random);
    CHECK(Jacobian<G1Params>::from_affine(phi(p)) == times(z2 - 1, p));
    CHECK(phi(times(5, p)) == times(5 * (z2 - 1), p));
    CHECK(Jacobian<G1Params>::from_affine(multiply_by_z_squared(p)) == times(z2, p));
    const Affine<G1Params> other{p.x * beta.square(), p.y};
    CHECK_FALSE(Jacobian<G1Params>::from_affine(other) == times(z2 - 1, p));
  }
  CHECK(phi(Affine<G1Params>::infinity()).is_infinity());
}

TEST_CASE("psi multiplies G2 by z", "[curve][g2][law]") {
  Random random(2);
  for (int i = 0; i < 8; ++i) {
    const auto p =
        i == 0 ? Bls12_381::G2::generator() : test::random_subgroup_point<G2Params>(random);
    CHECK(Jacobian<G2Params>::from_affine(psi(p)) == times(z, p));
    CHECK(psi(times(5, p)) == times(5 * z, p));
  }
  CHECK(psi(Affine<G2Params>::infinity()).is_infinity());
}

TEST_CASE("psi is an endomorphism of the whole curve", "[curve][g2][law]") {
  Random random(3);
  for (int i = 0; i < 4; ++i) {
    const auto p = test::random_curve_point<G2Params>(random);
    const auto q = test::random_curve_point<G2Params>(random);
    CHECK(psi(p).is_on_curve());
    const auto sum = Jacobian<G2Params>::from_affine(p) + q;
    CHECK(psi(sum) == Jacobian<G2Params>::from_affine(psi(p)) + psi(q));
    // ψ² - (z+1)ψ + q = 0
    CHECK(
        (Jacobian<G2Params>::from_affine(psi(psi(p))) - times(z + 1, psi(p)) + times(q_modulus, p))
            .is_infinity());
  }
}

TEST_CASE("base z digits recompose to the scalar and stay within their bounds",
          "[curve][fr][law]") {
  auto scalars = edge_scalars();
  Random random(4);
  for (int i = 0; i < 20000; ++i) scalars.push_back(test::random_integer_below<Fr>(random));
  for (const auto& k : scalars) {
    const cpp_int expected = to_cpp_int(k);
    const auto four = base_z_digits<G2Params>(k);
    cpp_int sum = 0;
    cpp_int power = 1;
    bool bounded = true;
    for (const std::int64_t digit : four.digit) {
      sum += digit * power;
      power *= z;
      bounded = bounded && abs(cpp_int(digit)) <= -z / 2 + 1;
    }
    const auto two = base_z_squared_digits<G1Params>(k);
    cpp_int halves[2];
    for (int i = 0; i < 2; ++i) {
      halves[i] = to_cpp_int(two.magnitude[i]) * (two.negative[i] ? -1 : 1);
      bounded = bounded && two.magnitude[i].bit_length() <= 127;
    }
    const bool recomposed = (sum - expected) % r_modulus == 0 &&
                            (halves[0] + halves[1] * z2 - expected) % r_modulus == 0;
    if (recomposed && bounded) continue;
    FAIL("k = " << expected << ", seed 4");
  }
}

TEST_CASE("the subgroup check agrees with multiplication by r", "[curve][g1][g2][oracle]") {
  Random random(5);
  const auto check = [&](const auto& p) {
    CHECK(is_in_subgroup(p) == times(r_modulus, p).is_infinity());
  };
  for (int i = 0; i < 16; ++i) {
    const auto p1 = test::random_curve_point<G1Params>(random);
    const auto p2 = test::random_curve_point<G2Params>(random);
    check(p1);
    check(p2);
    CHECK(is_in_subgroup(times(h1, p1).to_affine()));
    CHECK(is_in_subgroup(times(h2, p2).to_affine()));
    CHECK_FALSE(is_in_subgroup(p1));  // probability of a false alarm: 1/h1
    CHECK_FALSE(is_in_subgroup(p2));
  }
  CHECK(is_in_subgroup(Affine<G1Params>::infinity()));
  CHECK(is_in_subgroup(Affine<G2Params>::infinity()));
}

TEMPLATE_TEST_CASE(
    "points of the small orders that divide the cofactor are refused, alone and added "
    "to a good point",
    "[curve][edge]", G1Params, G2Params) {
  using P = TestType;
  Random random(6);
  for (const auto prime : test::small_orders<P>()) {
    INFO("order " << prime);
    const auto p = test::random_point_of_order<P>(prime, random);
    REQUIRE(p.is_on_curve());
    REQUIRE(times(prime, p).is_infinity());
    CHECK_FALSE(is_in_subgroup(p));
    CHECK_FALSE(is_in_subgroup(-p));
    const auto sum = Jacobian<P>::from_affine(p) + test::random_subgroup_point<P>(random);
    CHECK_FALSE(is_in_subgroup(sum.to_affine()));
  }
}
