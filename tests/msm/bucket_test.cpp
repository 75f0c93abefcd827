// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <random>
#include <vector>
#include "msm_cases.hpp"

#include <zkgpu/backend/cpu.hpp>
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
  zkgpu::PairScratch<F> scratch() { return {differences.data(), products.data(), tangents.data()}; }
  std::vector<F> differences, products;
  std::vector<std::uint32_t> tangents;
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
    std::vector<Affine> p(n), q(n);
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
    std::vector<Affine> sums = p;
    std::vector<zkgpu::PointPair<Affine>> pairs(n);
    for (std::size_t i = 0; i < n; ++i) pairs[i] = {&sums[i], &q[i]};
    Memory<TestType> memory(n);
    zkgpu::add_pairs<typename TestType::Params>(n, pairs.data(), memory.scratch());
    for (std::size_t i = 0; i < n; ++i) {
      REQUIRE(sums[i] == (Jacobian::from_affine(p[i]) + q[i]).to_affine());
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a point may be added before it changes", "[msm][law]", Groups) {
  using Affine = typename TestType::Affine;
  using Jacobian = typename TestType::Jacobian;
  std::mt19937_64 random(3);
  const KnownBases<TestType> bases(3, random);
  const auto b = bases.bases();
  Affine total = b[0], running = b[1];
  const zkgpu::PointPair<Affine> pairs[]{{&total, &running}, {&running, &b[2]}};
  Memory<TestType> memory(2);
  zkgpu::add_pairs<typename TestType::Params>(2, pairs, memory.scratch());
  CHECK(total == (Jacobian::from_affine(b[0]) + b[1]).to_affine());
  CHECK(running == (Jacobian::from_affine(b[1]) + b[2]).to_affine());
}

TEMPLATE_LIST_TEST_CASE("points with equal y and different x are added, not doubled", "[msm][law]",
                        Groups) {
  using Affine = typename TestType::Affine;
  using F = typename TestType::BaseField;
  // (βx, y) for a cube root of unity β: what an endomorphism makes of a base. β from x³: the roots
  // of X³ = x³ are x, βx, β²x.
  const Affine g = TestType::generator();
  const auto beta = Bls12_381::G1::Params::beta();
  Affine image = g;
  if constexpr (std::is_same_v<TestType, Bls12_381::G1>) {
    image.x = g.x * beta;
  } else {
    image.x = F{g.x.c0 * beta, g.x.c1 * beta};
  }
  REQUIRE(image.is_on_curve());
  Affine sums[]{g, image};
  const zkgpu::PointPair<Affine> pairs[]{{&sums[0], &image}, {&sums[1], &g}};
  Memory<TestType> memory(2);
  zkgpu::add_pairs<typename TestType::Params>(2, pairs, memory.scratch());
  const auto expected = (TestType::Jacobian::from_affine(g) + image).to_affine();
  CHECK(sums[0] == expected);
  CHECK(sums[1] == expected);
}

TEMPLATE_LIST_TEST_CASE("lists of every length are summed, side by side", "[msm][law]", Groups) {
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
    using Engine = zkgpu::msm_cpu::Engine<TestType, zkgpu::arch::scalar>;
    zkgpu::MsmPlan plan;
    plan.shape = zkgpu::msm_cpu::engine_shape<TestType, zkgpu::arch::scalar>();
    plan.chunk_entries = 200;
    zkgpu::HostBuffer<std::byte> memory(zkgpu::layout_msm(plan).scratch_bytes);
    const zkgpu::msm_cpu::Scratch<Engine> scratch(memory.data(), plan.chunk_entries);
    std::copy_n(bases.bases().begin(), total, scratch.points);
    std::copy(lengths.begin(), lengths.end(), scratch.lengths);
    zkgpu::msm_cpu::sum_lists<Engine>(scratch, lengths.size());
    std::size_t at = 0;
    for (std::size_t l = 0; l < lengths.size(); ++l) {
      Jacobian expected = Jacobian::infinity();
      for (std::uint32_t i = 0; i < lengths[l]; ++i) expected += bases.bases()[at++];
      REQUIRE(scratch.points[scratch.places[l]] == expected.to_affine());
    }
  }
}

}  // namespace
