// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The laws of each policy part by itself.
#include <catch2/catch.hpp>

#include <atomic>
#include <set>
#include <stdexcept>
#include <vector>

#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>

#include "run_schedule.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

namespace {

ProofGraph some_graph() {
  return make_groth16_graph({.domain_size = 64,
                             .entries = 200,
                             .num_wires = 50,
                             .num_auxiliary = 40,
                             .a_points = 50,
                             .b_g1_points = 50,
                             .b_g2_points = 50,
                             .h_points = 64,
                             .filtered = true,
                             .field_bytes = 32,
                             .h_workspace = 1000,
                             .l_workspace = 900,
                             .a_workspace = 800,
                             .b_g1_workspace = 700,
                             .b_g2_workspace = 600});
}

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

TEMPLATE_TEST_CASE("a staging plans each stage once and after what it depends on",
                   "[pipeline][law]", textbook, in_order, overlapped) {
  const ProofGraph graph = some_graph();
  for (const std::size_t proofs : {0U, 1U, 2U, 5U}) {
    const Schedule schedule = TestType::plan(graph, proofs, {});
    CHECK(fault_of(schedule, graph, proofs) == "");
    CHECK(schedule == TestType::plan(graph, proofs, {}));  // pure
  }
  CHECK(TestType::plan(graph, 2, {}).peak_bytes == 2 * TestType::plan(graph, 1, {}).peak_bytes);
}

TEST_CASE("faults of a schedule are found and named", "[pipeline][edge]") {
  const ProofGraph graph = some_graph();
  const Schedule good = overlapped::plan(graph, 1, {});
  auto twice = good;
  twice.steps.push_back(twice.steps.back());
  CHECK(fault_of(twice, graph, 1) == "self_check of proof 0 stands there twice");
  auto missing = good;
  missing.steps.pop_back();
  CHECK(fault_of(missing, graph, 1) == "a stage is missing");
  auto early = good;
  early.steps[3].after.clear();
  CHECK(fault_of(early, graph, 1) == "quotient of proof 0 does not wait for evaluate");
  auto late = good;
  late.steps[2].after = {5};
  CHECK(fault_of(late, graph, 1) == "evaluate of proof 0 waits for a later step");
  CHECK(fault_of(good, graph, 0) == "synthesize of proof 0: no such proof");
  CHECK(to_string(good).find("4 msm_h of proof 0 after 3\n") != std::string::npos);
}

TEST_CASE("one stage after another takes the largest stage, side by side takes their sum",
          "[pipeline]") {
  const ProofGraph graph = some_graph();
  // Quotient: a and b are held, c and h come: 5 columns of 64 · 32 bytes... or the h sum's
  // workspace.
  const std::size_t column = 64 * 32;
  CHECK(textbook::plan(graph, 1, {}).peak_bytes == 4 * column);
  CHECK(overlapped::plan(graph, 1, {}).peak_bytes ==
        4 * column + 1000 + 900 + 800 + 700 + 600 + 3 * 50 * 32);
}

TEMPLATE_TEST_CASE("a run executes each step once and in order; a failure ends its proof alone",
                   "[pipeline][law]", inline_pool, shared_pool, split_pools, sized_pools,
                   per_cache_pools, per_numa_pools) {
  const ProofGraph graph = some_graph();
  const Schedule schedule = overlapped::plan(graph, 3, {});
  TestType pool(PipelineLimits{.threads = 2});
  no_lock locks{PipelineLimits{}};
  Trace trace(1000);
  std::array<std::array<std::atomic<int>, stage_count>, 3> ran{};
  const auto count = [&](std::size_t proof, StageId stage) -> std::atomic<int>& {
    return ran[proof][static_cast<std::size_t>(stage)];
  };
  test::RunOfTest in_order([&](std::size_t proof, StageId stage) {
    for (const StageNode& before : graph.nodes) {
      if (graph[stage].after.contains(before.id) && count(proof, before.id) != 1) {
        throw Failure("too early");
      }
    }
    ++count(proof, stage);
  });
  in_order(schedule, graph, pool, locks, {.observer = &trace});
  in_order.rethrow();
  for (const auto& proof : ran) {
    for (const auto& times : proof) CHECK(times == 1);
  }
  CHECK(trace.count() == schedule.steps.size());
  CHECK(in_order.ended == 3);
  CHECK(in_order.left_device == 3);
  CHECK(in_order.points == std::vector<AdmissionEnd>{AdmissionEnd::synthesized,
                                                     AdmissionEnd::placed, AdmissionEnd::computed,
                                                     AdmissionEnd::finished});

  std::atomic<int> assembled = 0;
  test::RunOfTest failing([&](std::size_t proof, StageId stage) {
    if (proof == 1 && stage == StageId::msm_a) throw Failure("msm_a");
    if (stage == StageId::assemble) ++assembled;
  });
  failing(schedule, graph, pool, locks);
  CHECK_THROWS_AS(failing.rethrow(), Failure);
  CHECK(assembled == 2);
  CHECK(failing.ended == 3);
  CHECK(failing.left_device == 3);
}

TEST_CASE("a trace keeps the latest records", "[pipeline]") {
  Trace trace(4);
  for (std::size_t i = 0; i < 10; ++i) trace.stage_ended({.proof = i});
  CHECK(trace.count() == 10);
  const auto records = trace.records();
  REQUIRE(records.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(records[i].proof == 6 + i);
  Trace none(0);
  none.stage_ended({});
  CHECK(none.records().empty());
}
