// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <string>
#include <vector>

#include "machines.hpp"

#include <catch2/catch.hpp>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/memory/within.hpp>

namespace {

using namespace zkgpu;
using G1 = Bls12_381::G1;

using test::gib;
using test::h200;

CudaMsmPlan within(std::size_t n, std::size_t bytes) {
  return plan_cuda_msm_within(Msm<G1, Cuda>::shape(), n, bytes, h200());
}

/// A device whose allocations fail above what it really has, whatever it says is free.
struct Squeezed {
  std::size_t said = 0;
  std::size_t real = 0;
  mutable int trims = 0;
  [[nodiscard]] std::size_t free_bytes() const { return said; }
  void trim() const { ++trims; }
  [[nodiscard]] CudaMsmPlan make(const CudaMsmPlan& plan) const {
    if (cuda_msm_bytes(plan) > real) throw ResourceExhausted("cuda: device memory");
    return plan;
  }
};

}  // namespace

TEST_CASE("a plan within memory has fewer tables, then smaller chunks, as memory gets short",
          "[msm][cuda][plan][fault]") {
  const std::size_t n = std::size_t{1} << 22;
  std::size_t last_cost = 0;
  std::vector<unsigned> tables;
  std::vector<std::size_t> chunks;
  std::size_t bytes = 40 * gib;
  try {
    for (;; bytes = bytes * 4 / 5) {
      const auto plan = within(n, bytes);
      INFO(bytes << " bytes: " << to_string(plan));
      REQUIRE(cuda_msm_bytes(plan) <= bytes);
      const std::size_t cost = cuda_msm_cost(plan, n, plan.chunks());
      REQUIRE(cost >= last_cost);
      last_cost = cost;
      tables.push_back(plan.tables);
      chunks.push_back(plan.chunks());
    }
  } catch (const ResourceExhausted& error) {
    const std::string text = error.what();
    CHECK(text.find("at least ") != std::string::npos);
    CHECK(text.find(std::to_string(bytes) + " free") != std::string::npos);
  }
  CHECK(tables.front() > 8);
  CHECK(tables.back() == 1);
  CHECK(chunks.front() == 1);
  CHECK(chunks.back() > 16);
  CHECK(bytes < n * sizeof(G1::Affine) * 5 / 4);
}

TEST_CASE("with plenty of memory a plan within it is the plan with the least work",
          "[msm][cuda][plan]") {
  for (unsigned log_n : {0u, 5u, 16u, 20u, 24u}) {
    const std::size_t n = std::size_t{1} << log_n;
    const auto free = plan_cuda_msm(Msm<G1, Cuda>::shape(), n, 100 * gib, h200());
    const auto plan = within(n, 130 * gib);
    INFO(to_string(plan));
    CHECK(cuda_msm_cost(plan, n, plan.chunks()) <= cuda_msm_cost(free, n, free.chunks()));
  }
  CHECK(within(0, 0).n == 0);
}

TEST_CASE("an allocation that fails all the same is tried again with less, and the next call works",
          "[msm][cuda][fault]") {
  const std::size_t n = std::size_t{1} << 20;
  const Squeezed device{20 * gib, gib};
  const auto attempt = [&] {
    return within_free_memory(
        device, [&](std::size_t bytes) { return within(n, bytes); },
        [&](const CudaMsmPlan& plan) { return device.make(plan); });
  };
  const auto plan = attempt();
  CHECK(cuda_msm_bytes(plan) <= gib);
  CHECK(cuda_msm_bytes(plan) > gib / 4);
  CHECK(device.trims > 0);
  CHECK(attempt() == plan);

  const Squeezed full{20 * gib, 1 << 20};
  CHECK_THROWS_AS(within_free_memory(
                      full, [&](std::size_t bytes) { return within(n, bytes); },
                      [&](const CudaMsmPlan& p) { return full.make(p); }),
                  ResourceExhausted);
}
