// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu {
template <NttField F, Backend B>
struct Quotient;  // qap/quotient.hpp, which whoever runs the stage includes
}  // namespace zkgpu

namespace zkgpu::pipeline {

/// Staging policy: one stage after another in the order of the graph. The least scratch memory:
/// that of the largest stage, and what later stages still read.
struct in_order {
  template <NttField F, Backend B>
  using QuotientStage = Quotient<F, B>;

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits) {
    Schedule schedule;
    for (std::size_t proof = 0; proof < proofs; ++proof) {
      const std::size_t first = schedule.steps.size();
      for (const StageNode& node : graph.nodes) {
        ScheduleStep step{proof, node.id, role_of(node), {}};
        const std::size_t since = first == 0 ? 0 : first - 1;  // the last step of the proof before
        for (std::size_t i = since; i < schedule.steps.size(); ++i) {
          const bool needed = i >= first && node.after.contains(schedule.steps[i].stage);
          if (needed || i + 1 == schedule.steps.size()) {
            step.after.push_back(static_cast<std::uint32_t>(i));
          }
        }
        schedule.steps.push_back(step);
        schedule.peak_bytes = std::max(schedule.peak_bytes, bytes_while(graph, node));
      }
    }
    return schedule;
  }

 private:
  /// What is lent while `running` runs: its own, and earlier results that it or a later stage
  /// reads.
  static std::size_t bytes_while(const ProofGraph& graph, const StageNode& running) {
    std::size_t bytes = running.scratch_bytes + running.output_bytes;
    for (const StageNode& earlier : graph.nodes) {
      if (earlier.id >= running.id) break;
      const bool read = std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& later) {
        return later.id >= running.id && later.after.contains(earlier.id);
      });
      if (read) bytes += earlier.output_bytes;
    }
    return bytes;
  }
};

}  // namespace zkgpu::pipeline
