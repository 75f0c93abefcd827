// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include <zkgpu/batch/multiples.hpp>
#include <zkgpu/curve/jacobian.hpp>

#include "curve/small_order_points.hpp"
#include "support/random_points.hpp"

// Oracle: double-and-add, one product at a time.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
using Fr = Bls12_381::Fr;
using Integer = Fr::Integer;

/// Around multiples of the lanes, and of blocks of sums: 2048 points of G1, 1024 of G2.
constexpr std::size_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33};
constexpr std::size_t block_sizes[] = {1023, 1024, 1025, 2047, 2048, 2049, 4200};

template <class G>
typename G::Affine product(const typename G::Affine& p, const Integer& k) {
  return scalar_mul_double_and_add(G::Jacobian::from_affine(p), k).to_affine();
}

/// Zero, small ones of both signs, those around half the order and around powers of 2^w, others.
std::vector<Integer> mixed_scalars(std::size_t n, unsigned w, Random& random) {
  const Fr half = Fr(2).inverse();
  std::vector<Integer> scalars;
  for (std::size_t i = 0; i < n; ++i) {
    const Fr small = Fr(static_cast<int>(random() % 5) - 2);
    Fr power = Fr(1);
    for (std::size_t bits = random() % (255 / w) * w; bits > 0; --bits) power = power.doubled();
    switch (random() % 6) {
      case 0: scalars.push_back(small.to_integer()); break;
      case 1: scalars.push_back((half + small).to_integer()); break;
      case 2: scalars.push_back((power + small).to_integer()); break;
      case 3: scalars.push_back((power * half * small - power).to_integer()); break;
      default: scalars.push_back(random_integer_below<Fr>(random));
    }
  }
  return scalars;
}

template <class G>
std::vector<typename G::Affine> multiples_of(const FixedBaseTable<G>& table,
                                             const std::vector<Integer>& scalars) {
  std::vector<typename G::Affine> out(scalars.size(), G::generator());
  batch::multiples<G>(table, scalars, out);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("many multiples of a base are those of double-and-add", "[batch][oracle]", G1,
                   G2) {
  using G = TestType;
  Random random(71);
  for (const unsigned w : {2U, 3U, 5U, 8U, 11U}) {
    const auto base = random_subgroup_point<typename G::Params>(random);
    const FixedBaseTable<G> table(base, w);
    for (const std::size_t n : sizes) {
      INFO("windows of " << w << " bits, " << n << " scalars");
      const auto scalars = mixed_scalars(n, w, random);
      std::vector<typename G::Affine> expected;
      for (const Integer& k : scalars) expected.push_back(product<G>(base, k));
      CHECK(multiples_of<G>(table, scalars) == expected);
    }
  }
}

TEMPLATE_TEST_CASE("multiples of several blocks are those of the table", "[batch][oracle]", G1,
                   G2) {
  using G = TestType;
  Random random(72);
  const FixedBaseTable<G> table(G::generator(), 10);
  for (const std::size_t n : block_sizes) {
    const auto scalars = mixed_scalars(n, 10, random);
    std::vector<typename G::Affine> expected(n);
    table.multiply(scalars, expected);
    CHECK(multiples_of<G>(table, scalars) == expected);
  }
}

TEMPLATE_TEST_CASE("multiples of zero, and of infinity, are infinity", "[batch][edge]", G1, G2) {
  using G = TestType;
  using Points = std::vector<typename G::Affine>;
  const Points infinities(20, G::Affine::infinity());
  const FixedBaseTable<G> table(G::generator(), 6), nothing(G::Affine::infinity(), 6);
  CHECK(multiples_of<G>(table, std::vector<Integer>(20, Integer{})) == infinities);
  CHECK(multiples_of<G>(nothing, std::vector<Integer>(20, Fr(-5).to_integer())) == infinities);
}

// Of a base of order 11 or 13, sums meet their summands and those' negatives, and both infinity.
// Infinity in lanes is what has x zero: so have points of order 3, which no base may be.
TEMPLATE_TEST_CASE("sums that meet ± their summands are right in any lane", "[batch][edge]", G1,
                   G2) {
  using G = TestType;
  using P = typename G::Params;
  Random random(73);
  std::size_t orders = 0;
  for (const auto& order : small_orders<P>()) {
    if (order == 3 || order > 1000) continue;
    ++orders;
    INFO("order " << order);
    const auto base = random_point_of_order<P>(order, random);
    for (const unsigned w : {2U, 4U, 7U}) {
      const FixedBaseTable<G> table(base, w);
      std::vector<Integer> scalars;
      std::vector<typename G::Affine> expected;
      while (scalars.size() < 203) {
        // At most half the group's order: others stand for their difference to it.
        const Integer k = scalars.size() % 3 == 0
                              ? Integer::from_uint64(random() % 200)
                              : shift_right(random_integer_below<Fr>(random), 2);
        scalars.push_back(k);
        expected.push_back(product<G>(base, k));
      }
      CHECK(multiples_of<G>(table, scalars) == expected);
      std::vector<typename G::Affine> of_table(scalars.size());
      table.multiply(scalars, of_table);
      CHECK(of_table == expected);
    }
  }
  CHECK(orders >= 1);
}

TEST_CASE("many multiples refuse another number of points than of scalars", "[batch][errors]") {
  const FixedBaseTable<G1> table(G1::generator(), 2);
  std::vector<G1::Affine> out(9);
  CHECK_THROWS_WITH(batch::multiples<G1>(table, std::vector<Integer>(8), out),
                    "multiples: 8 scalars, room for 9 points");
}
