// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cpu/engine.hpp>
#include <zkgpu/msm/cpu_impl.hpp>
#include <zkgpu/msm/msm.hpp>
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

TEST_CASE("plans that were changed into nonsense are refused, not divided by", "[msm][plan]") {
  using G1 = Bls12_381::G1;
  using Op = zkgpu::Msm<G1, zkgpu::Cpu<>>;
  const std::size_t n = 100;
  const std::vector<G1::ScalarField::Integer> scalars(n, G1::ScalarField::Integer::from_uint64(3));
  const std::vector<G1::Affine> bases(n, G1::generator());
  const zkgpu::Cpu<> cpu;
  auto queue = cpu.make_queue();
  auto workspace = cpu.allocate<std::byte>(std::size_t{1} << 20);
  G1::Jacobian result;
  const MsmPlan plan = Op::plan(n, DeviceProperties{});
  const auto run = [&](const MsmPlan& changed) {
    Op::enqueue(queue, changed, scalars, bases, workspace.span(), result);
  };
  CHECK_NOTHROW(run(plan));
  const MsmPlan no_bits = plan.with_window_bits(0);
  CHECK(no_bits.windows() == 0);
  CHECK_NOTHROW(static_cast<void>(no_bits.workspace_bytes()));
  CHECK_THROWS_AS(run(no_bits), InvalidArgument);
  CHECK_THROWS_AS(run(plan.with_workers(0)), InvalidArgument);
  CHECK_THROWS_AS(run(plan.with_workers(zkgpu::msm_most_workers + 1)), InvalidArgument);
  CHECK_THROWS_AS(run(plan.with_workers(~std::size_t{0})), InvalidArgument);
  DeviceProperties huge;
  huge.compute_units = std::size_t{1} << 62;
  CHECK(Op::plan(n, huge).workers == zkgpu::msm_most_workers);
  CHECK_THROWS_WITH(Op::enqueue(queue, plan, scalars, bases, workspace.span().subspan(8), result),
                    Catch::Contains("multiple of 64"));
}

TEST_CASE("a bitmap of all the bits that a word counts is refused without words", "[msm][bitmap]") {
  zkgpu::MsmBitmap<Bls12_381::Fr> bitmap;
  bitmap.size = ~std::size_t{0};
  CHECK_THROWS_AS(zkgpu::check_msm_bitmap(bitmap), InvalidArgument);
}

TEST_CASE("tables that were moved away are told", "[msm][tables]") {
  using G1 = Bls12_381::G1;
  using Op = zkgpu::Msm<G1, zkgpu::Cpu<>>;
  const std::size_t n = 64;
  const std::vector<G1::Affine> bases(n, G1::generator());
  const std::vector<G1::ScalarField::Integer> scalars(n, G1::ScalarField::Integer::from_uint64(5));
  const zkgpu::Cpu<> cpu;
  const MsmTablePlan plan = Op::plan(n, std::size_t{1} << 20, DeviceProperties{});
  zkgpu::CpuMsmBases<G1, zkgpu::arch::scalar> made(cpu, plan, bases);
  const auto taken = std::move(made);
  auto queue = cpu.make_queue();
  auto workspace = cpu.allocate<std::byte>(plan.workspace_bytes());
  G1::Jacobian result;
  CHECK_NOTHROW(Op::enqueue(queue, plan, scalars, taken, workspace.span(), result));
  CHECK_THROWS_AS(Op::enqueue(queue, plan, scalars, made, workspace.span(), result),
                  InvalidArgument);
}
