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
#include <zkgpu/prover/pipeline/stream.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>

#include "run_schedule.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

namespace {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

TEMPLATE_TEST_CASE("a staging plans each stage once and after what it depends on",
                   "[pipeline][law]", textbook, in_order, overlapped, enqueued) {
  const ProofGraph graph = test::device_graph();
  for (const std::size_t proofs : {0U, 1U, 2U, 5U}) {
    const Schedule schedule = TestType::plan(graph, proofs, {});
    CHECK(fault_of(schedule, graph, proofs) == "");
    CHECK(schedule == TestType::plan(graph, proofs, {}));  // pure
  }
  CHECK(TestType::plan(graph, 2, {}).peak_bytes == 2 * TestType::plan(graph, 1, {}).peak_bytes);
}

TEST_CASE("faults of a schedule are found and named", "[pipeline][edge]") {
  const ProofGraph graph = test::device_graph();
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
  const ProofGraph graph = test::device_graph();
  // While the quotient runs: the witness, a and b, and c and h, columns of 64 · 32 bytes.
  const std::size_t column = 64 * 32;
  CHECK(textbook::plan(graph, 1, {}).peak_bytes == 1600 + 4 * column);
  CHECK(overlapped::plan(graph, 1, {}).peak_bytes ==
        1600 + 4 * column + 1000 + 900 + 800 + 700 + 600 + 3 * 50 * 32);
}

TEMPLATE_TEST_CASE("a run executes each step once and in order; a failure ends its proof alone",
                   "[pipeline][law]", inline_pool, shared_pool, split_pools, sized_pools,
                   per_cache_pools, per_numa_pools) {
  const ProofGraph graph = test::device_graph();
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

namespace {

/// Takes no task.
struct refusing_pool {
  explicit refusing_pool(const PipelineLimits&) {}
  void submit(PoolRole, Task) { throw Failure("no task"); }
  void drain() {}
  [[nodiscard]] std::size_t width(PoolRole) const { return 1; }
};

class Nobody final : public StepExecutor {
 public:
  std::size_t executed = 0, ended = 0;
  void execute(std::size_t, StageId) override { ++executed; }
  void leave_device(std::size_t) noexcept override {}
  void end(std::size_t) noexcept override { ++ended; }
};

}  // namespace

TEST_CASE("a stream whose steps nobody takes ends, however long it is", "[pipeline][fault]") {
  constexpr std::size_t proofs = 20000;  // of which the second begins when the first has ended
  const ProofGraph graph = test::device_graph();
  const PipelineLimits limits;
  std::vector<ProofTag> tags(proofs);
  for (std::size_t i = 0; i < proofs; ++i) tags[i] = {.number = i, .job = i};
  const std::vector<const CancellationToken*> cancels(proofs, nullptr);
  refusing_pool pool(limits);
  no_lock locks(limits);
  Nobody executor;
  StreamRun<refusing_pool, no_lock, plain_flow> stream({graph, limits, &in_order::plan}, tags,
                                                       cancels, pool, locks, executor, {});
  const StreamEnd end = stream();
  CHECK(executor.executed == 0);
  CHECK(executor.ended == proofs);
  CHECK_THROWS_AS(std::rethrow_exception(end.failures.back()), Failure);
}

TEST_CASE("a trace keeps the latest records", "[pipeline]") {
  Trace trace(4);
  for (std::size_t i = 0; i < 10; ++i) trace.stage_ended({.proof = i});
  CHECK(trace.count() == 10);
  CHECK(trace.dropped() == 6);
  const auto records = trace.records();
  REQUIRE(records.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(records[i].proof == 6 + i);
  Trace none(0);
  none.stage_ended({});
  CHECK(none.records().empty());
  CHECK(none.dropped() == 1);
}
