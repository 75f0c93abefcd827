// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <zkgpu/prover/pipeline/graph.hpp>

namespace zkgpu::pipeline {

/// Which kind of host thread a step asks for.
enum class PoolRole : std::uint8_t {
  synthesis,  ///< makes witnesses
  device,     ///< feeds a device, or is one
  finish,     ///< assembles and checks proofs
};

/// Counts that a policy is run with. Structure is a type, counts are values; each is read by the
/// parts that say so.
struct PipelineLimits {
  std::size_t threads = 0;           ///< 0: as many as the machine has
  std::size_t device_threads = 0;    ///< of `sized_pools`' device side; 0: as many as `threads`
  std::size_t memory_bytes = 0;      ///< most scratch memory at once; 0: no limit
  std::size_t proofs_in_flight = 1;  ///< most proofs begun and not finished
  std::size_t device_workers = 2;    ///< most proofs on the device, for lock models that count them
  /// On a device, most bytes for the key's points and their multiples; 0: half of what is free
  /// beside a proof. The points alone are kept in any case where they are resident; where a part of
  /// them is, these bytes are what that part may take.
  std::size_t table_bytes = 0;
  std::size_t synthesis_workers = 1;  ///< permits of an admission
  std::size_t synthesis_quota = 1;    ///< most witnesses made at a time, for throttle::quota
  std::size_t host_bytes = 0;         ///< for admission::byte_budget; 0: no limit
  std::size_t jobs_in_flight = 1;     ///< where jobs are not mixed
  std::size_t batch_jobs = 2;         ///< for batching::sector_batch
  friend bool operator==(const PipelineLimits&, const PipelineLimits&) = default;
};

/// One stage of one proof, and the steps that must be done before.
struct ScheduleStep {
  std::size_t proof = 0;
  StageId stage = StageId::synthesize;
  PoolRole role = PoolRole::device;
  std::vector<std::uint32_t> after;  ///< places of earlier steps in the schedule
  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

/// Memory that is lent at most from before a step until it ends, by all proofs.
struct StepBytes {
  std::size_t device = 0;  ///< scratch memory of where stages run
  std::size_t host = 0;    ///< witnesses, and what the host does for a device
  friend bool operator==(const StepBytes&, const StepBytes&) = default;
};

/// A plan for some proofs: what runs, after what, and how much scratch memory that takes at most.
/// A plain value: compare it, print it, assert on it.
struct Schedule {
  std::vector<ScheduleStep> steps;
  std::size_t peak_bytes = 0;
  /// The steps of a proof on the device only enqueue their work, and the last of them waits for
  /// all: until then the proof keeps its memory and what it was granted of the device.
  bool one_wait = false;
  std::vector<StepBytes> bytes{};  ///< of each step, or nothing where nobody asked
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Which pool a stage asks for.
[[nodiscard]] constexpr PoolRole role_of(const StageNode& node) noexcept {
  if (node.id == StageId::synthesize) return PoolRole::synthesis;
  return node.resource == Resource::device ? PoolRole::device : PoolRole::finish;
}

/// Which steps of a proof wait for the one before them, beside those that they read from.
enum class Chain : std::uint8_t { none, on_device, all };

/// The steps of so many proofs, which do not wait for each other. A step waits for the stages that
/// it reads from, and in a chain for the one before it.
[[nodiscard]] inline std::vector<ScheduleStep> steps_of(const ProofGraph& graph, std::size_t proofs,
                                                        Chain chain) {
  std::vector<ScheduleStep> steps;
  for (std::size_t proof = 0; proof < proofs; ++proof) {
    const std::size_t first = steps.size();
    std::optional<std::size_t> last;  // of the chain
    for (const StageNode& node : graph.nodes) {
      const bool chained =
          chain == Chain::all || (chain == Chain::on_device && node.resource == Resource::device);
      ScheduleStep step{proof, node.id, role_of(node), {}};
      for (std::size_t i = first; i < steps.size(); ++i) {
        if (node.after.contains(steps[i].stage) || (chained && last == i)) {
          step.after.push_back(static_cast<std::uint32_t>(i));
        }
      }
      if (chained) last = steps.size();
      steps.push_back(step);
    }
  }
  return steps;
}

/// Empty if each stage of each proof stands in the schedule exactly once, after all it depends on;
/// else a sentence that says what is wrong.
[[nodiscard]] inline std::string fault_of(const Schedule& schedule, const ProofGraph& graph,
                                          std::size_t proofs) {
  const std::size_t none = schedule.steps.size();
  std::vector<std::size_t> place(proofs * stage_count, none);
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const ScheduleStep& step = schedule.steps[i];
    const std::string name =
        std::string(to_string(step.stage)) + " of proof " + std::to_string(step.proof);
    if (step.proof >= proofs) return name + ": no such proof";
    std::size_t& mine = place[step.proof * stage_count + static_cast<std::size_t>(step.stage)];
    if (mine != none) return name + " stands there twice";
    mine = i;
    for (const std::uint32_t before : step.after) {
      if (before >= i) return name + " waits for a later step";
    }
    for (const StageNode& other : graph.nodes) {
      if (!graph[step.stage].after.contains(other.id)) continue;
      const std::size_t at = place[step.proof * stage_count + static_cast<std::size_t>(other.id)];
      bool waits = false;
      for (const std::uint32_t before : step.after) waits = waits || before == at;
      if (!waits) return name + " does not wait for " + std::string(to_string(other.id));
    }
  }
  if (schedule.steps.size() != proofs * stage_count) return "a stage is missing";
  return {};
}

/// One line a step, for logs and tests: "3 msm_h of proof 0 after 2", and ": device 96, host 64
/// bytes" where that is known.
[[nodiscard]] inline std::string to_string(const Schedule& schedule) {
  std::string text;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const ScheduleStep& step = schedule.steps[i];
    text += std::to_string(i) + ' ' + std::string(to_string(step.stage)) + " of proof " +
            std::to_string(step.proof);
    for (std::size_t k = 0; k < step.after.size(); ++k) {
      text += (k == 0 ? " after " : ", ") + std::to_string(step.after[k]);
    }
    if (schedule.bytes.size() == schedule.steps.size()) {
      const StepBytes& lent = schedule.bytes[i];
      text += ": device " + std::to_string(lent.device) + ", host " + std::to_string(lent.host) +
              " bytes";
    }
    text += '\n';
  }
  return text + "peak " + std::to_string(schedule.peak_bytes) + " bytes\n";
}

}  // namespace zkgpu::pipeline
