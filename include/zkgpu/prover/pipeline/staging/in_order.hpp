// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu {
template <NttField F, Backend B>
struct Quotient;  // qap/quotient.hpp, which whoever runs the stage includes
}  // namespace zkgpu

namespace zkgpu::pipeline {

/// Staging policy: one stage of a proof after another in the order of the graph. The least scratch
/// memory: that of the largest stage, and what later stages still read.
struct in_order {
  template <NttField F, Backend B>
  using QuotientStage = Quotient<F, B>;

  static constexpr GraphPlaces places{};

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits) {
    return {steps_of(graph, proofs, Chain::all), proofs * bytes_of_one(graph)};
  }
  /// Most scratch memory of a proof.
  static constexpr std::size_t bytes_of_one(const ProofGraph& graph) noexcept {
    std::size_t most = 0;
    for (const StageNode& node : graph.nodes) most = std::max(most, bytes_while(graph, node));
    return most;
  }

 private:
  /// What is lent while `running` runs: its own, and earlier results that it or a later stage
  /// reads.
  static constexpr std::size_t bytes_while(const ProofGraph& graph, const StageNode& running) {
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
