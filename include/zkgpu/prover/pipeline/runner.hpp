// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <zkgpu/prover/pipeline/control.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// What a run may be told from outside; each may be absent.
struct RunControl {
  const CancellationToken* cancel = nullptr;
  ProofObserver* observer = nullptr;
  Priority priority = Priority::normal;
};

/// Executes one schedule: the shell around the stages, for any policy.
///
/// A step is submitted when the last step that it waits for has ended. Steps on the device hold a
/// lease; between steps it is given back, so that somebody more urgent gets it. After a failure no
/// further step starts.
template <ThreadPools Pools, LockModel Locks, class Execute>
class ScheduleRun {
 public:
  /// @param execute  execute(const ScheduleStep&) does the work of one step
  ScheduleRun(const Schedule& schedule, const ProofGraph& graph, Pools& pools, Locks& locks,
              const Execute& execute, const RunControl& control)
      : schedule_(schedule),
        graph_(graph),
        pools_(pools),
        locks_(locks),
        execute_(execute),
        control_(control),
        followers_(schedule.steps.size()) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const auto& after = schedule.steps[i].after;
      waiting_.emplace_back(static_cast<std::uint32_t>(after.size()));
      for (const std::uint32_t before : after) {
        followers_[before].push_back(static_cast<std::uint32_t>(i));
      }
    }
  }

  /// Returns when every step has ended. @throws the first failure of a step, or Cancelled
  void operator()() {
    try {
      for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
        if (schedule_.steps[i].after.empty()) submit(i);
      }
    } catch (...) {  // what was submitted refers to this run: it ends first
      failed_.store(true, std::memory_order_release);
      try {
        pools_.drain();
      } catch (...) {  // the failure of the submission is the first
      }
      throw;
    }
    pools_.drain();
  }

 private:
  void submit(std::size_t step) {
    pools_.submit(schedule_.steps[step].role, [this, step] { run(step); });
  }

  void run(std::size_t index) {
    if (failed_.load(std::memory_order_acquire)) return;
    try {
      step(schedule_.steps[index]);
      for (const std::uint32_t next : followers_[index]) {
        // The last predecessor sees the results of all: acquire what the others released.
        if (waiting_[next].fetch_sub(1, std::memory_order_acq_rel) == 1) submit(next);
      }
    } catch (...) {
      failed_.store(true, std::memory_order_release);
      throw;
    }
  }

  void step(const ScheduleStep& step) {
    if (control_.cancel != nullptr) control_.cancel->check();
    if (control_.observer != nullptr) control_.observer->stage_began(step.proof, step.stage);
    const auto begin = std::chrono::steady_clock::now();
    if (graph_[step.stage].resource == Resource::device) {
      [[maybe_unused]] const auto lease = locks_.acquire(control_.priority);
      execute_(step);
    } else {
      execute_(step);
    }
    if (control_.observer != nullptr) {
      control_.observer->stage_ended(
          {step.proof, step.stage, begin, std::chrono::steady_clock::now()});
    }
  }

  const Schedule& schedule_;
  const ProofGraph& graph_;
  Pools& pools_;
  Locks& locks_;
  const Execute& execute_;
  const RunControl& control_;
  std::deque<std::atomic<std::uint32_t>> waiting_;  // a deque: atomics do not move
  std::vector<std::vector<std::uint32_t>> followers_;
  std::atomic<bool> failed_{false};
};

}  // namespace zkgpu::pipeline
