// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A schedule with one wait holds what it was granted of the device from its first kernel to it.
#include <catch2/catch.hpp>

#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/split_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/two_lock.hpp>
#include <zkgpu/prover/pipeline/staging/enqueued.hpp>
#include <zkgpu/prover/pipeline/staging/overlapped.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>

#include "prover/pipeline/run_schedule.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

namespace {

/// Proofs that have computed and not come to their last stage on the device.
class Computing {
 public:
  void operator()(std::size_t proof, StageId stage, const ProofGraph& graph) {
    if (stage == StageId::upload || graph[stage].resource != Resource::device) return;
    const std::scoped_lock lock(mutex_);
    computing_.insert(proof);
    most = std::max(most, computing_.size());
    if (stage == graph.last_on_device()) computing_.erase(proof);
  }
  void forget(std::size_t proof) {
    const std::scoped_lock lock(mutex_);
    computing_.erase(proof);
  }
  std::size_t most = 0;

 private:
  std::mutex mutex_;
  std::set<std::size_t> computing_;
};

}  // namespace

TEMPLATE_TEST_CASE("kernels of proofs that wait once do not come between each other's",
                   "[pipeline][thread]", device_lock, split_lock, two_lock) {
  constexpr PipelineLimits limits{.threads = 4, .device_workers = 3};
  const ProofGraph graph =
      test::device_graph({.g2 = GENERATE(G2Place::device, G2Place::cpu_inline,
                                         G2Place::cpu_after_unlock, G2Place::cpu_detached)});
  const Schedule schedule = enqueued::plan(graph, 6, limits);
  REQUIRE(fault_of(schedule, graph, 6) == "");
  shared_pool pools(limits);
  TestType locks(limits);
  Computing computing;
  test::RunOfTest run([&](std::size_t proof, StageId stage) {
    computing(proof, stage, graph);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  });
  run(schedule, graph, pools, locks);
  run.rethrow();
  CHECK(run.ended == 6);
  CHECK(computing.most == 1);

  Computing with_failures;
  test::RunOfTest failing([&](std::size_t proof, StageId stage) {
    if (proof % 2 == 1 && stage == StageId::msm_h) {
      with_failures.forget(proof);
      throw std::runtime_error("msm_h");
    }
    with_failures(proof, stage, graph);
  });
  failing(schedule, graph, pools, locks);
  CHECK_THROWS_AS(failing.rethrow(), std::runtime_error);
  CHECK(failing.ended == 6);
  CHECK(failing.left_device == 6);
  CHECK(with_failures.most == 1);

  // The locks are free again.
  test::RunOfTest after([](std::size_t, StageId) {});
  after(overlapped::plan(graph, 2, limits), graph, pools, locks);
  after.rethrow();
  CHECK(after.ended == 2);
}
