// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/flow/throttle.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>

namespace zkgpu::test {

/// The graph of a proof on a device: every stage has memory of its own size.
inline pipeline::ProofGraph device_graph(const pipeline::GraphPlaces& places = {}) {
  return pipeline::make_groth16_graph({.domain_size = 64,
                                       .entries = 200,
                                       .num_wires = 50,
                                       .num_auxiliary = 40,
                                       .a_points = 50,
                                       .b_g1_points = 50,
                                       .b_g2_points = 50,
                                       .h_points = 64,
                                       .filtered = true,
                                       .field_bytes = 32,
                                       .witness_bytes = 1600,
                                       .upload_workspace = 8,
                                       .h_workspace = 1000,
                                       .l_workspace = 900,
                                       .a_workspace = 800,
                                       .b_g1_workspace = 700,
                                       .b_g2_workspace = 600,
                                       .host_rows_bytes = 4096,
                                       .host_b_g2_bytes = 500},
                                      places);
}

/// Lets one thread at a time wait for what the others must be able to do, for ten seconds at most:
/// a busy machine is slow, and a wrong one never gets there.
class Lingering {
 public:
  template <class Happened>
  void until(const Happened& happened) {
    if (somebody_.exchange(true)) return;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!happened() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    somebody_ = false;
  }

 private:
  std::atomic<bool> somebody_{false};
};

/// Runs one schedule to its end, with a function for the work of a step; how it went.
template <class Execute>
class RunOfTest final : public pipeline::StepExecutor, public pipeline::RunOwner {
 public:
  explicit RunOfTest(Execute execute) : execute_(std::move(execute)) {}

  template <pipeline::ThreadPools Pools, pipeline::LockModel Locks>
  void operator()(const pipeline::Schedule& schedule, const pipeline::ProofGraph& graph,
                  Pools& pools, Locks& locks, const pipeline::RunControl& control = {}) {
    std::set<std::size_t> proofs;
    for (const auto& step : schedule.steps) proofs.insert(step.proof);
    std::vector<pipeline::RunProof> given;
    for (const std::size_t proof : proofs) given.push_back({.number = proof});
    pipeline::throttle::none throttle{pipeline::PipelineLimits{}};
    pipeline::ScheduleRun<Pools, Locks, pipeline::throttle::none> run(
        schedule, graph, given, {pools, locks, throttle}, *this, *this, control);
    run.start();
    pools.drain();
  }

  void execute(std::size_t proof, pipeline::StageId stage) override { execute_(proof, stage); }
  void leave_device(std::size_t) noexcept override {
    const std::scoped_lock lock(mutex_);
    ++left_device;
  }
  void end(std::size_t) noexcept override {
    const std::scoped_lock lock(mutex_);
    ++ended;
  }
  void reached(pipeline::AdmissionEnd point) noexcept override {
    const std::scoped_lock lock(mutex_);
    points.push_back(point);
  }
  void failed(const std::exception_ptr& why) noexcept override {
    const std::scoped_lock lock(mutex_);
    if (!first_failure) first_failure = why;
  }
  void rethrow() const {
    if (first_failure) std::rethrow_exception(first_failure);
  }

  std::size_t left_device = 0, ended = 0;
  std::vector<pipeline::AdmissionEnd> points;
  std::exception_ptr first_failure;

 private:
  std::mutex mutex_;
  Execute execute_;
};

}  // namespace zkgpu::test
