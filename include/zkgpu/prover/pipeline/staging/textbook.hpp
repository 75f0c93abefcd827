// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu {
template <NttField F, CpuArch A>
struct QuotientReference;  // qap/reference.hpp, which whoever runs the stage includes
}  // namespace zkgpu

namespace zkgpu::pipeline {

/// Staging policy: one stage after another in the order of the graph, and the quotient by the seven
/// transforms of the textbook. The oracle of every other staging; for the CPU only.
struct textbook {
  template <NttField F, Backend B>
  using QuotientStage = QuotientReference<F, typename B::Arch>;

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits) {
    Schedule schedule;
    for (std::size_t proof = 0; proof < proofs; ++proof) {
      const std::size_t first = schedule.steps.size();
      std::size_t held = 0;  // by results that a later stage reads
      for (const StageNode& node : graph.nodes) {
        ScheduleStep step{proof, node.id, role_of(node), {}};
        for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
          const bool needed = i >= first && node.after.contains(schedule.steps[i].stage);
          if (needed || i + 1 == schedule.steps.size()) {
            step.after.push_back(static_cast<std::uint32_t>(i));
          }
        }
        schedule.steps.push_back(step);
        schedule.peak_bytes =
            std::max(schedule.peak_bytes, held + node.scratch_bytes + node.output_bytes);
        // In this order a result is read by the very next stage and then given back.
        held = node.output_bytes;
      }
    }
    return schedule;
  }
};

}  // namespace zkgpu::pipeline
