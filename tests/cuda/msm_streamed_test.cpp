// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <string>

#include <catch2/catch.hpp>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/streamed/plan.hpp>

namespace {

using namespace zkgpu;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

constexpr std::size_t gib = std::size_t{1} << 30;

DeviceProperties machine_of(std::size_t memory_bytes) {
  DeviceProperties machine;
  machine.compute_units = 132;
  machine.memory_bytes = memory_bytes;
  return machine;
}

/// The chunks of a plan follow each other, and cover all points in slots that are large enough.
void check_chunks(const CudaMsmStreamPlan& plan) {
  INFO(to_string(plan));
  std::size_t covered = 0;
  std::size_t count = 0;
  std::size_t before = 0;
  for (const auto& chunk : plan.cut()) {
    REQUIRE(chunk.first == covered);
    REQUIRE(chunk.points >= 1);
    REQUIRE(chunk.points <= plan.sum.chunk_points);
    if (count > 0) REQUIRE(chunk.points <= 2 * before);
    before = chunk.points;
    covered += chunk.points;
    ++count;
  }
  CHECK(covered == plan.sum.n);
  CHECK(count == plan.chunks());
  if (count > 1) CHECK(layout_cuda_msm(plan.sum).chunk_buckets != 0);
  if (plan.slots) CHECK(plan.sum.tables == 1);
}

}  // namespace

TEST_CASE("chunks of a streamed sum cover all points, the first ones smaller",
          "[msm][cuda][plan]") {
  for (std::size_t n : {1u, 2u, 31u, 1000u, 65535u, 65537u, 1u << 20, (1u << 24) + 1, 1u << 28}) {
    for (std::size_t memory : {2 * gib, 16 * gib, 140 * gib}) {
      const auto machine = machine_of(memory);
      const auto shape = Msm<G1, Cuda>::shape();
      const auto plan = plan_cuda_msm_streamed(shape, n, memory, machine);
      check_chunks(plan);
      CHECK(plan.workspace_bytes() <= memory);
      check_chunks(plan_cuda_msm_scalars(plan_cuda_msm(shape, n, memory / 2, machine), memory * 8));
    }
  }
  const auto plan = plan_cuda_msm_streamed(Msm<G1, Cuda>::shape(), std::size_t{1} << 26, 100 * gib,
                                           machine_of(140 * gib));
  CHECK(plan.chunks() > 2);
  CHECK(plan.chunk(0, 0) <= plan.sum.n / 8);
}

TEST_CASE("a streamed sum of nothing has no chunk and no workspace", "[msm][cuda][plan][edge]") {
  const auto plan = plan_cuda_msm_streamed(Msm<G2, Cuda>::shape(), 0, 0, machine_of(gib));
  CHECK(plan.chunks() == 0);
  CHECK(plan.workspace_bytes() == 0);
}

TEST_CASE("a streamed sum takes less memory where there is less, down to a typed error",
          "[msm][cuda][plan][fault]") {
  const std::size_t n = std::size_t{1} << 24;
  const auto shape = Msm<G2, Cuda>::shape();
  const auto machine = machine_of(140 * gib);
  std::size_t last_cost = 0;
  std::size_t bytes = 64 * gib;
  try {
    for (;; bytes = bytes * 3 / 4) {
      const auto plan = plan_cuda_msm_streamed(shape, n, bytes, machine);
      INFO(bytes << " bytes: " << to_string(plan));
      check_chunks(plan);
      REQUIRE(plan.workspace_bytes() <= bytes);
      const std::size_t cost = cuda_msm_stream_cost(plan);
      REQUIRE(cost >= last_cost);
      last_cost = cost;
    }
  } catch (const ResourceExhausted& error) {
    const std::string text = error.what();
    CHECK(text.find(std::to_string(n)) != std::string::npos);
    CHECK(text.find(std::to_string(bytes) + " free") != std::string::npos);
    CHECK(text.find("wanted") != std::string::npos);
  }
  CHECK(bytes < gib / 4);  // 2^24 points of G2 are 3 GiB
}

TEST_CASE("scalars of resident bases need a whole array and no slots", "[msm][cuda][plan]") {
  const auto machine = machine_of(140 * gib);
  const auto bases = plan_cuda_msm(Msm<G1, Cuda>::shape(), std::size_t{1} << 22, gib, machine);
  const auto plan = plan_cuda_msm_scalars(bases, 100 * gib);
  CHECK_FALSE(plan.slots);
  CHECK(plan.workspace_bytes() >= plan.sum.workspace_bytes() + (std::size_t{32} << 22));
  CHECK_THROWS_AS(plan_cuda_msm_scalars(bases, gib / 8), ResourceExhausted);
}
