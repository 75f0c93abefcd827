// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// The memory of one proof over the steps of its schedule, from what its steps wait for alone: what
/// may run beside a step is counted as running.
class ProofTimeline {
 public:
  /// @param schedule  of one proof
  ProofTimeline(const ProofGraph& graph, const Schedule& schedule)
      : graph_(graph), one_wait_(schedule.one_wait), most_bytes_(schedule.peak_bytes) {
    for (const ScheduleStep& step : schedule.steps) {
      std::uint32_t& before = before_[index(step.stage)];
      for (const std::uint32_t other : step.after) {
        const StageId stage = schedule.steps[other].stage;
        before |= bit(stage) | before_[index(stage)];
      }
    }
  }

  [[nodiscard]] StepBytes at(StageId running) const {
    StepBytes lent;
    for (const StageNode& node : graph_.nodes) {
      if (is_before(running, node.id)) continue;  // not begun
      const bool ended = is_before(node.id, running);
      const bool held = one_wait_ && !is_before(graph_.last_on_device(), running);
      if (!ended || held) lent.device += node.scratch_bytes;
      if (!ended || held || is_read_from(node.id, running)) lent.device += node.output_bytes;
      if (!ended) lent.host += node.host_scratch_bytes;
      lent.host += node.host_output_bytes;
    }
    for (const StageNode& node : graph_.nodes) {  // their inputs are there from the beginning
      const StageId last = one_wait_ ? graph_.last_on_device() : node.id;
      if (!is_before(last, running)) lent.host += node.host_input_bytes;
    }
    // Two that may run beside this one need not be able to run beside each other.
    lent.device = std::min(lent.device, most_bytes_);
    return lent;
  }
  [[nodiscard]] StepBytes peak() const {
    StepBytes most;
    for (const StageNode& node : graph_.nodes) {
      const StepBytes lent = at(node.id);
      most.device = std::max(most.device, lent.device);
      most.host = std::max(most.host, lent.host);
    }
    return most;
  }

 private:
  static std::size_t index(StageId id) noexcept { return static_cast<std::size_t>(id); }
  static std::uint32_t bit(StageId id) noexcept { return std::uint32_t{1} << index(id); }
  [[nodiscard]] bool is_before(StageId first, StageId second) const noexcept {
    return (before_[index(second)] & bit(first)) != 0;
  }
  /// By `running`, or by a stage that need not have ended then.
  [[nodiscard]] bool is_read_from(StageId id, StageId running) const noexcept {
    return std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const StageNode& reader) {
      return reader.after.contains(id) && !is_before(reader.id, running);
    });
  }

  const ProofGraph& graph_;
  bool one_wait_;
  std::size_t most_bytes_;
  std::array<std::uint32_t, stage_count>
      before_{};  ///< of each stage, a bit for each that must end
};

/// The bytes of each step of a schedule, while other proofs take as much as they may.
/// @param of_one     the schedule of one proof
/// @param on_device  proofs that have a place on the device at a time, at least 1
/// @param begun      proofs in flight, at least 1
[[nodiscard]] inline std::vector<StepBytes> bytes_over_time(const ProofGraph& graph,
                                                            const Schedule& of_one,
                                                            const Schedule& schedule,
                                                            std::size_t on_device,
                                                            std::size_t begun) {
  const ProofTimeline timeline(graph, of_one);
  const StepBytes peak = timeline.peak();
  std::vector<StepBytes> bytes;
  for (const ScheduleStep& step : schedule.steps) {
    StepBytes lent = timeline.at(step.stage);
    lent.device += (on_device - 1) * peak.device;
    lent.host += (begun - 1) * peak.host;
    bytes.push_back(lent);
  }
  return bytes;
}

}  // namespace zkgpu::pipeline
