// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>

#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/tuned/row.hpp>

namespace {

using namespace zkgpu;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

constexpr CudaMsmTunedRow rows[] = {
    {90, 132, 96, 20, 15, 17, 1, 6000},   {90, 132, 96, 20, 1, 14, 1, 9000},
    {90, 132, 192, 20, 15, 16, 1, 17000}, {80, 108, 96, 20, 1, 13, 2, 20000},
    {90, 132, 96, 22, 14, 19, 1, 20000},
};
constexpr CudaMsmTunedRow h200{90, 132, 96, 0, 0, 0, 0, 0};

}  // namespace

TEST_CASE("a size is about the power of two that is nearest by its logarithm",
          "[msm][cuda][plan]") {
  CHECK(is_about(1 << 20, 20));
  CHECK(is_about(1482910, 20));
  CHECK_FALSE(is_about(1482911, 20));
  CHECK(is_about(1482911, 21));
  CHECK(is_about(741456, 20));
  CHECK_FALSE(is_about(741455, 20));
  CHECK(is_about(1, 0));
  CHECK_FALSE(is_about(0, 0));
  CHECK_FALSE(is_about(~std::size_t{0}, 20));
  for (std::size_t n = 1; n < 5000; ++n) {
    int powers = 0;
    for (unsigned log_n = 0; log_n <= 14; ++log_n) powers += is_about(n, log_n) ? 1 : 0;
    REQUIRE(powers == 1);
  }
}

TEST_CASE("the fastest measured row whose tables fit is found", "[msm][cuda][plan]") {
  const auto find = [](std::size_t n, std::size_t tables, const CudaMsmTunedRow& wanted) {
    return find_cuda_msm_tuned(rows, wanted, n, tables);
  };
  CHECK(find(1 << 20, 100, h200) == &rows[0]);
  CHECK(find(1 << 20, 15, h200) == &rows[0]);
  CHECK(find(1 << 20, 14, h200) == &rows[1]);
  CHECK(find(1 << 22, 14, h200) == &rows[4]);
  CHECK(find(1 << 22, 13, h200) == nullptr);
  CHECK(find(1 << 18, 100, h200) == nullptr);
  auto other = h200;
  other.affine_bytes = 192;
  CHECK(find(1 << 20, 100, other) == &rows[2]);
  other = h200;
  other.compute_units = 114;
  CHECK(find(1 << 20, 100, other) == nullptr);
  CHECK(find_cuda_msm_tuned({}, h200, 1 << 20, 100) == nullptr);
}

TEST_CASE("every measured row is a plan that fits its tables and is taken where it was measured",
          "[msm][cuda][plan]") {
  for (const CudaMsmTunedRow& row : cuda_msm_tuned_rows) {
    if (row.window_bits == 0) continue;
    const auto shape =
        row.affine_bytes == sizeof(G1::Affine) ? Msm<G1, Cuda>::shape() : Msm<G2, Cuda>::shape();
    REQUIRE(shape.affine_bytes == row.affine_bytes);
    DeviceProperties machine;
    machine.architecture = row.architecture;
    machine.compute_units = row.compute_units;
    machine.memory_bytes = std::size_t{139} << 30;
    const std::size_t n = std::size_t{1} << row.log_n;
    const auto plan = plan_cuda_msm(shape, n, n * row.affine_bytes * row.tables, machine);
    INFO(to_string(plan));
    CHECK(plan.tables <= row.tables);
    if (plan.tables == row.tables) {
      CHECK(plan.window_bits == row.window_bits);
      CHECK(plan.chunks() == row.chunks);
    }
    CHECK(plan.windows * plan.window_bits >= shape.scalar_bits + 1);
    CHECK(plan.tables * plan.groups >= plan.windows);
  }
}
