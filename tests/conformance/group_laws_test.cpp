// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>

#include "random_points.hpp"

// What every type that claims to be a CurveGroup must obey. A new curve appends its groups.
namespace {

using namespace zkgpu;
using test::Random;
using AllGroups = std::tuple<Bls12_381::G1, Bls12_381::G2>;

static_assert(Curve<Bls12_381>);
static_assert(CurveGroup<Bls12_381::G1> && CurveGroup<Bls12_381::G2>);
static_assert(!CurveGroup<Bls12_381>);

// The formulas run in constant evaluation.
constexpr bool doubles_like_it_adds() {
  using G1 = Bls12_381::G1;
  const auto g = G1::Jacobian::from_affine(G1::generator());
  const auto twice = g.doubled();
  return g + g == twice && twice + G1::generator() == g + twice &&
         G1::Bucket::doubled(G1::generator()).to_jacobian() == twice;
}
static_assert(doubles_like_it_adds());

/// Infinity, ±g, 2g, and points of the whole curve; each also with a Z other than one.
template <class G>
std::vector<typename G::Jacobian> sample(Random& random) {
  using Jacobian = typename G::Jacobian;
  const auto g = Jacobian::from_affine(G::generator());
  std::vector<Jacobian> points = {Jacobian::infinity(), g, -g, g.doubled()};
  for (int i = 0; i < 3; ++i) {
    points.push_back(Jacobian::from_affine(test::random_curve_point<typename G::Params>(random)));
  }
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto c = test::random_element<typename G::BaseField>(random);
    const auto& p = points[i];
    points.push_back({p.x * c.square(), p.y * c.square() * c, p.z * c});
  }
  return points;
}

template <class G>
typename G::Bucket bucket(const typename G::Jacobian& p) {
  if (p.is_infinity()) return G::Bucket::infinity();
  const auto zz = p.z.square();
  return {p.x, p.y, zz, zz * p.z};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("addition is an abelian group on the points of the curve", "[curve][law]",
                        AllGroups) {
  using G = TestType;
  using Jacobian = typename G::Jacobian;
  Random random(1);
  const auto points = sample<G>(random);
  for (const auto& p : points) {
    CHECK(p.to_affine().is_on_curve());
    CHECK(p + Jacobian::infinity() == p);
    CHECK(Jacobian::infinity() + p == p);
    CHECK((p + -p).is_infinity());
    CHECK(p - p == Jacobian::infinity());
    CHECK(p + p == p.doubled());
    CHECK(-(-p) == p);
    CHECK(Jacobian::from_affine(p.to_affine()) == p);
    for (const auto& q : points) {
      const auto sum = p + q;
      CHECK(sum.to_affine().is_on_curve());
      CHECK(sum == q + p);
      CHECK(sum - q == p);
      CHECK(-(p + q) == -p + -q);
      CHECK((p == q) == (p - q).is_infinity());
      for (const auto& r : points) CHECK(sum + r == p + (q + r));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("all point forms give the same sums", "[curve][law]", AllGroups) {
  using G = TestType;
  using Bucket = typename G::Bucket;
  Random random(2);
  const auto points = sample<G>(random);
  for (const auto& p : points) {
    const auto affine = p.to_affine();
    CHECK(bucket<G>(p).to_affine() == affine);
    CHECK(bucket<G>(p).to_jacobian() == p);
    CHECK(bucket<G>(p).doubled().to_jacobian() == p.doubled());
    CHECK(Bucket::doubled(affine).to_jacobian() == p.doubled());
    CHECK(bucket<G>(p) == Bucket::from_affine(affine));
    CHECK((-bucket<G>(p)).to_affine() == -affine);
    for (const auto& q : points) {
      const auto sum = p + q;
      CHECK(p + q.to_affine() == sum);
      CHECK(p - q.to_affine() == p - q);
      CHECK((bucket<G>(p) + bucket<G>(q)).to_jacobian() == sum);
      CHECK((bucket<G>(p) + q.to_affine()).to_jacobian() == sum);
      CHECK((bucket<G>(p) == bucket<G>(q)) == (p == q));
      auto in_place = p;
      in_place += q;
      CHECK(in_place == sum);
      auto mixed = bucket<G>(p);
      mixed += q.to_affine();
      mixed += bucket<G>(-q);
      CHECK(mixed.to_jacobian() == p);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("the generator has the order of the scalar field", "[curve][law]",
                        AllGroups) {
  using G = TestType;
  const auto g = G::Jacobian::from_affine(G::generator());
  auto order = G::ScalarField::modulus();
  CHECK(G::generator().is_on_curve());
  CHECK(scalar_mul_double_and_add(g, order).is_infinity());
  order.limb[0] -= 1;
  CHECK(scalar_mul_double_and_add(g, order) == -g);
}

TEMPLATE_LIST_TEST_CASE("a batch goes to affine as its points do one by one", "[curve][law]",
                        AllGroups) {
  using G = TestType;
  using Affine = typename G::Affine;
  Random random(3);
  const auto points = sample<G>(random);
  for (std::size_t n = 0; n <= points.size(); ++n) {
    std::vector<Affine> out(n);
    std::vector<typename G::BaseField> scratch(n);
    const std::span<const typename G::Jacobian> batch(points.data(), n);
    batch_to_affine(batch, std::span<Affine>(out), std::span<typename G::BaseField>(scratch));
    for (std::size_t i = 0; i < n; ++i) CHECK(out[i] == points[i].to_affine());
  }
  // All at infinity: nothing to invert.
  const std::vector<typename G::Jacobian> none(3, G::Jacobian::infinity());
  std::vector<Affine> out(3, G::generator());
  std::vector<typename G::BaseField> scratch(3);
  batch_to_affine(std::span<const typename G::Jacobian>(none), std::span<Affine>(out),
                  std::span<typename G::BaseField>(scratch));
  for (const auto& p : out) CHECK(p.is_infinity());
}

TEMPLATE_LIST_TEST_CASE("a point off the curve is seen, infinity counts as on it", "[curve][edge]",
                        AllGroups) {
  using G = TestType;
  auto p = G::generator();
  p.y += G::BaseField::one();
  CHECK_FALSE(p.is_on_curve());
  CHECK(G::Affine::infinity().is_on_curve());
  CHECK(G::Affine::infinity().is_infinity());
  CHECK_FALSE(G::generator().is_infinity());
  CHECK_FALSE((typename G::Affine{G::BaseField::zero(), G::BaseField::one()}).is_infinity());
  CHECK_FALSE((typename G::Affine{G::BaseField::one(), G::BaseField::zero()}).is_infinity());
}
