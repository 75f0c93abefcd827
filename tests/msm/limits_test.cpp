// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cpu/engine.hpp>
#include <zkgpu/msm/cpu_impl.hpp>
#include <zkgpu/msm/plan.hpp>
#include <zkgpu/msm/tables.hpp>

// The largest sums that words of 32 bits can describe: nothing of that size is computed here.
namespace {

using zkgpu::Bls12_381;
using zkgpu::DeviceProperties;
using zkgpu::InvalidArgument;
using zkgpu::MsmPlan;
using zkgpu::MsmShape;
using zkgpu::MsmTablePlan;

constexpr MsmShape g1 = zkgpu::msm_cpu::engine_shape<Bls12_381::G1, zkgpu::arch::scalar>();
constexpr MsmShape g2 = zkgpu::msm_cpu::engine_shape<Bls12_381::G2, zkgpu::arch::scalar>();
constexpr std::size_t words = std::size_t{1} << 32;

/// Is a slice of so many points, in windows of c bits, one that can be summed?
bool slice_fits(const MsmShape& shape, std::size_t points, unsigned c) {
  MsmPlan plan = plan_msm(shape, points, DeviceProperties{}).with_window_bits(c);
  plan.slice_points = points;
  try {
    zkgpu::msm_cpu::check_plan(plan, shape);
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}
bool tables_fit(const MsmShape& shape, std::size_t points, unsigned c, unsigned tables) {
  const MsmTablePlan plan = plan_msm_tables_with(shape, points, c, tables, DeviceProperties{});
  try {
    zkgpu::msm_cpu::check_plan(plan, shape);
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a slice has as many points as a word holds beside four signs", "[msm][plan]") {
  constexpr std::size_t most = std::size_t{1} << 28;
  for (const MsmShape& shape : {g1, g2}) {
    CAPTURE(shape.parts);
    REQUIRE(MsmPlan::windows_for(shape.part_bits, 22) * shape.parts * most < words);
    CHECK(slice_fits(shape, most, 22));
    CHECK_FALSE(slice_fits(shape, most + 1, 22));
  }
}

TEST_CASE("a slice has as many entries as offsets of 32 bits count", "[msm][plan]") {
  for (const MsmShape& shape : {g1, g2}) {
    for (const unsigned c : {2U, 9U, 16U}) {
      const std::size_t most =
          (words - 1) / (shape.parts * MsmPlan::windows_for(shape.part_bits, c));
      CAPTURE(shape.parts, c, most);
      CHECK(slice_fits(shape, most, c));
      CHECK_FALSE(slice_fits(shape, most + 1, c));
    }
  }
}

TEST_CASE("tables have as many points and entries as words of 32 bits name", "[msm][plan]") {
  for (const MsmShape& shape : {g1, g2}) {
    for (const unsigned tables : {1U, 3U, 100U}) {
      const auto windows = MsmPlan::windows_for(shape.part_bits, 20);
      const std::size_t most = (words - 1) / (shape.parts * windows);
      CAPTURE(shape.parts, tables, most);
      CHECK(tables_fit(shape, most, 20, tables));
      CHECK_FALSE(tables_fit(shape, most + 1, 20, tables));
    }
  }
  MsmShape whole = g1;  // scalars that are not split: points are what there are too many of
  whole.images = whole.parts = 1;
  whole.part_bits = 256;
  constexpr unsigned windows = MsmPlan::windows_for(256, 20);
  constexpr std::size_t most = words / 2 / windows;
  CHECK(tables_fit(whole, most, 20, windows));
  CHECK_FALSE(tables_fit(whole, most + 1, 20, windows));
}
