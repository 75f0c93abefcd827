// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <msm_cases.hpp>
#include <random>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/cpu/sum_impl.hpp>

namespace {

using namespace zkgpu::test;
using zkgpu::Bls12_381;
using Groups = std::tuple<Bls12_381::G1, Bls12_381::G2>;

template <class G>
struct Memory {
  using F = typename G::BaseField;
  explicit Memory(std::size_t n) : differences(n), products(n), tangents(n) {}
  zkgpu::PairScratch<typename G::Params> scratch() {
    return {differences.data(), products.data(), tangents.data()};
  }
  std::vector<F> differences, products;
  std::vector<std::uint32_t> tangents;
};

template <class G>
struct TestPairs {
  using Affine = typename G::Affine;
  const std::vector<Affine>& p;
  const std::vector<Affine>& q;
  std::vector<Affine>& sums;
  const Affine& left(std::size_t i) const { return p[i]; }
  const Affine* right(std::size_t i) const { return i % 7 == 6 ? nullptr : &q[i]; }
  void store(std::size_t i, const Affine& sum) const { sums[i] = sum; }
};

TEMPLATE_LIST_TEST_CASE("a batch of sums is complete: infinity, doubling and cancellation anywhere",
                        "[msm][law]", Groups) {
  using Affine = typename TestType::Affine;
  using Jacobian = typename TestType::Jacobian;
  std::mt19937_64 random(1);
  const KnownBases<TestType> bases(64, random);
  // Each of these kinds in all orders that matter: alone, first, last, all the same, at random.
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = round < 10 ? static_cast<std::size_t>(round) : 1 + random() % 40;
    std::vector<Affine> p(n), q(n), sums(n);
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = bases.bases()[random() % 64];
      q[i] = bases.bases()[random() % 64];
      switch (round % 3 == 0 ? static_cast<unsigned>(round) / 3 % 6 : random() % 6) {
        case 1: p[i] = Affine::infinity(); break;
        case 2: q[i] = Affine::infinity(); break;
        case 3: q[i] = p[i]; break;
        case 4: q[i] = -p[i]; break;
        case 5: p[i] = q[i] = Affine::infinity(); break;
        default: break;
      }
    }
    Memory<TestType> memory(n);
    const TestPairs<TestType> pairs{p, q, sums};
    zkgpu::add_pairs<typename TestType::Params>(n, pairs, memory.scratch());
    for (std::size_t i = 0; i < n; ++i) {
      const Affine* right = pairs.right(i);
      Jacobian expected = Jacobian::from_affine(p[i]);
      if (right != nullptr) expected += *right;
      REQUIRE(sums[i] == expected.to_affine());
    }
  }
}

TEMPLATE_LIST_TEST_CASE("points with equal y and different x are added, not doubled", "[msm][law]",
                        Groups) {
  using Affine = typename TestType::Affine;
  using F = typename TestType::BaseField;
  // (βx, y) for a cube root of unity β: what an endomorphism makes of a base. β from x³: the roots of
  // X³ = x³ are x, βx, β²x.
  const Affine g = TestType::generator();
  const auto beta = Bls12_381::G1::Params::beta();
  Affine image = g;
  if constexpr (std::is_same_v<TestType, Bls12_381::G1>) {
    image.x = g.x * beta;
  } else {
    image.x = F{g.x.c0 * beta, g.x.c1 * beta};
  }
  REQUIRE(image.is_on_curve());
  const std::vector<Affine> p{g, image}, q{image, g};
  std::vector<Affine> sums(2);
  Memory<TestType> memory(2);
  zkgpu::add_pairs<typename TestType::Params>(2, TestPairs<TestType>{p, q, sums}, memory.scratch());
  const auto expected = (TestType::Jacobian::from_affine(g) + image).to_affine();
  CHECK(sums[0] == expected);
  CHECK(sums[1] == expected);
}

TEMPLATE_LIST_TEST_CASE("lists of every length are summed, side by side", "[msm][law]", Groups) {
  using Affine = typename TestType::Affine;
  using Jacobian = typename TestType::Jacobian;
  std::mt19937_64 random(2);
  KnownBases<TestType> bases(200, random);
  for (std::size_t i = 0; i + 10 < 200; i += 10) {  // the same and opposite points in a list
    bases.copy(i + 1, i, false);
    bases.copy(i + 3, i + 2, true);
  }
  for (int round = 0; round < 30; ++round) {
    std::vector<std::uint32_t> lengths;
    std::size_t total = 0;
    while (true) {
      const std::size_t length = round == 0 ? 200 : 1 + (random() % 64 >> random() % 6);
      if (total + length > 200) break;
      lengths.push_back(static_cast<std::uint32_t>(length));
      total += length;
    }
    const std::size_t capacity = 200;
    std::vector<std::byte> memory(
        64 + capacity * (sizeof(Affine) + 2 * sizeof(typename TestType::BaseField) + 12));
    void* aligned = memory.data();
    std::size_t space = memory.size();
    REQUIRE(std::align(64, 64, aligned, space) != nullptr);
    const zkgpu::msm_cpu::Scratch<TestType> scratch(static_cast<std::byte*>(aligned), capacity);
    std::copy_n(bases.bases().begin(), total, scratch.points);
    std::copy(lengths.begin(), lengths.end(), scratch.lengths);
    zkgpu::msm_cpu::sum_lists<TestType>(scratch, lengths.size());
    std::size_t at = 0;
    for (std::size_t l = 0; l < lengths.size(); ++l) {
      Jacobian expected = Jacobian::infinity();
      for (std::uint32_t i = 0; i < lengths[l]; ++i) expected += bases.bases()[at++];
      REQUIRE(scratch.points[l] == expected.to_affine());
    }
  }
}

}  // namespace
