// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <initializer_list>
#include <random>
#include <span>
#include <vector>
#include "msm_cases.hpp"
#include "msm_runs.hpp"

#include <zkgpu/msm/cpu/lane_engine.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/msm/tables.hpp>

namespace {

using namespace zkgpu::test;
using zkgpu::CpuMsmBases;
using zkgpu::InvalidArgument;
using zkgpu::MsmTablePlan;
using Fr = zkgpu::Bls12_381::Fr;
using Sizes = std::initializer_list<std::size_t>;

template <class T>
using BasesOn = CpuMsmBases<typename T::Group, typename T::Arch>;

template <class T>
constexpr zkgpu::MsmShape shape =
    zkgpu::msm_cpu::engine_shape<typename T::Group, typename T::Arch>();

TEMPLATE_LIST_TEST_CASE("sums with tables are right, for every kind of scalar and base",
                        "[msm][oracle]", MsmEverywhere) {
  if (!TestType::available()) return;
  const zkgpu::Cpu<typename TestType::Arch> cpu;
  std::mt19937_64 random(41);
  for (const std::size_t n : Sizes{0, 1, 2, 17, 300}) {
    for (unsigned base_kind = 0; base_kind < base_kinds; ++base_kind) {
      KnownBases<typename TestType::Group> known(n, random);
      make_bases(base_kind, known);
      const auto plan = TestType::Op::plan(n, std::size_t{64} << 20, msm_machine);
      const BasesOn<TestType> bases(cpu, plan, known.bases());
      for (unsigned kind = 0; kind < scalar_kinds; ++kind) {
        CAPTURE(to_string(plan), base_kind_name(base_kind), scalar_kind_name(kind));
        const auto scalars = make_scalars<Fr>(kind, n, random);
        CHECK(run<TestType>(plan, scalars, bases) == known.expected(scalars));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every number of tables and every width give the sum", "[msm][oracle]",
                        MsmEverywhere) {
  if (!TestType::available()) return;
  const zkgpu::Cpu<typename TestType::Arch> cpu;
  std::mt19937_64 random(42);
  constexpr std::size_t n = 40;
  const KnownBases<typename TestType::Group> known(n, random);
  for (unsigned c = 2; c <= 13; ++c) {
    for (const unsigned tables : {1U, 2U, 3U, 5U, 64U}) {
      auto plan = plan_msm_tables_with(shape<TestType>, n, c, tables, msm_machine);
      plan.sum.chunk_entries = 2 + random() % 400;
      plan = plan.with_workers(1 + random() % 3);
      CAPTURE(to_string(plan));
      const BasesOn<TestType> bases(cpu, plan, known.bases());
      const auto scalars = make_scalars<Fr>(random() % 2 == 0 ? 0 : 15, n, random);
      CHECK(run<TestType>(plan, scalars, bases) == known.expected(scalars));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("large sums with tables are right, for any number of workers",
                        "[msm][oracle]", MsmEverywhere) {
  if (!TestType::available()) return;
  const zkgpu::Cpu<typename TestType::Arch> cpu;
  std::mt19937_64 random(43);
  constexpr std::size_t n = 2500;
  const KnownBases<typename TestType::Group> known(n, random);
  CHECK(TestType::Op::plan(n, std::size_t{1} << 30, msm_machine).groups() == 1);
  for (const std::size_t tables : {1U, 2U, 64U}) {
    const auto plan =
        TestType::Op::plan(n, tables * n * sizeof(typename TestType::Group::Affine), msm_machine);
    const BasesOn<TestType> bases(cpu, plan, known.bases());
    for (const unsigned kind : {0U, 6U, 8U, 14U}) {
      CAPTURE(to_string(plan), scalar_kind_name(kind));
      const auto scalars = make_scalars<Fr>(kind, n, random);
      const auto expected = known.expected(scalars);
      const auto one = run<TestType>(plan.with_workers(1), scalars, bases);
      CHECK(one == expected);
      for (const std::size_t workers : Sizes{2, 3, 8}) {
        const auto several = run<TestType>(plan.with_workers(workers), scalars, bases);
        CHECK(several.x == one.x);
        CHECK(several.z == one.z);
      }
    }
  }
}

TEST_CASE("plans keep tables within the bytes allowed, and cut every scalar", "[msm][plan]") {
  for (const zkgpu::MsmShape& of : {shape<MsmOnG1>, shape<MsmOnG2>}) {
    for (const std::size_t n : Sizes{0, 1, 100, 1 << 10, 1 << 16, 1 << 20}) {
      unsigned last_windows = 1000;
      for (const std::size_t multiples : Sizes{1, 2, 4, 8, 16, 64}) {
        const std::size_t bytes = multiples * n * of.base_bytes;
        const auto plan = plan_msm_tables(of, n, bytes, msm_machine);
        CAPTURE(to_string(plan), bytes);
        CHECK(plan == plan_msm_tables(of, n, bytes, msm_machine));
        CHECK((plan.table_bytes() <= bytes && plan.tables >= 1));
        CHECK(plan.tables * plan.groups() >= plan.windows());
        CHECK((plan.tables - 1) * plan.groups() < plan.windows());
        CHECK(plan.windows() * plan.window_bits() >= of.part_bits);
        CHECK(plan.sum.max_entries() >= n * of.parts * plan.windows());
        CHECK(plan.windows() <= last_windows);  // more memory, never more digits
        last_windows = plan.windows();
      }
      if (n > 0) CHECK(plan_msm_tables(of, n, ~std::size_t{0}, msm_machine).groups() == 1);
    }
  }
}

TEST_CASE("tables, plans, scalars and workspaces that disagree are refused", "[msm][law]") {
  using Op = MsmOnG1::Op;
  const zkgpu::Cpu<> cpu;
  std::mt19937_64 random(44);
  constexpr std::size_t n = 20;
  const KnownBases<zkgpu::Bls12_381::G1> known(n, random);
  const auto scalars = make_scalars<Fr>(0, n, random);
  const auto plan = plan_msm_tables_with(shape<MsmOnG1>, n, 5, 4, msm_machine);
  const BasesOn<MsmOnG1> bases(cpu, plan, known.bases());
  CHECK(run<MsmOnG1>(plan, scalars, bases) == known.expected(scalars));

  const auto refused = [&](const MsmTablePlan& changed) {
    CHECK_THROWS_AS((BasesOn<MsmOnG1>(cpu, changed, known.bases())), InvalidArgument);
    CHECK_THROWS_AS(run<MsmOnG1>(changed, scalars, bases), InvalidArgument);
  };
  refused(Op::plan(n + 1, 1 << 20, msm_machine));
  refused(plan_msm_tables_with(shape<MsmOnG2>, n, 5, 4, msm_machine));
  refused(plan.with_workers(0));
  {  // also where nobody could allocate the workspace
    auto no_wait = cpu.make_queue();
    zkgpu::Bls12_381::G1::Jacobian sum;
    CHECK_THROWS_WITH(
        Op::enqueue(no_wait, plan.with_workers(~std::size_t{0}), scalars, bases, {}, sum),
        Catch::Contains("workers"));
    CHECK_THROWS_AS((BasesOn<MsmOnG1>(cpu, plan.with_workers(~std::size_t{0}), known.bases())),
                    InvalidArgument);
  }
  for (const auto& change :
       {+[](MsmTablePlan& p) { p.tables += 1; }, +[](MsmTablePlan& p) { p.tables = 0; },
        +[](MsmTablePlan& p) { p.sum.window_bits += 1; },
        +[](MsmTablePlan& p) { p.sum.window_bits = 23; },
        +[](MsmTablePlan& p) { p.sum.slice_points = 7; },
        +[](MsmTablePlan& p) { p.sum.chunk_entries = 1; },
        +[](MsmTablePlan& p) { p.sum.shape.parts = 1; }}) {
    MsmTablePlan changed = plan;
    change(changed);
    refused(changed);
  }
  CHECK_THROWS_AS((BasesOn<MsmOnG1>(cpu, plan, known.bases().first(n - 1))), InvalidArgument);
  CHECK_THROWS_WITH(run<MsmOnG1>(plan, std::span(scalars).first(n - 1), bases),
                    "msm: plan is for n = 20, got 19 scalars");
  auto bad = scalars;
  bad[7] = Fr::modulus();
  CHECK_THROWS_WITH(run<MsmOnG1>(plan, bad, bases), Catch::Contains("scalar 7 is not below"));

  auto queue = cpu.make_queue();
  auto workspace = cpu.allocate<std::byte>(plan.workspace_bytes() + 64);
  zkgpu::Bls12_381::G1::Jacobian result;
  CHECK_THROWS_AS(Op::enqueue(queue, plan, scalars, bases,
                              workspace.span().first(plan.workspace_bytes() - 1), result),
                  InvalidArgument);
  CHECK_THROWS_AS(Op::enqueue(queue, plan, scalars, bases, workspace.span().subspan(8), result),
                  InvalidArgument);
}

}  // namespace
