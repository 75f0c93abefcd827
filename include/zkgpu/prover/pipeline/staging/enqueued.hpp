// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu::pipeline {

/// Plans that let a proof's stages on the device follow each other in one queue, which orders them,
/// with one wait after the last. Nothing can be given back before: all of a proof's memory is
/// planned to be lent at once.
struct enqueued {
  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits) {
    return {steps_of(graph, proofs, Chain::on_device), proofs * bytes_of_one(graph), true};
  }
  /// Most scratch memory of a proof.
  static constexpr std::size_t bytes_of_one(const ProofGraph& graph) noexcept {
    std::size_t sum = 0;
    for (const StageNode& node : graph.nodes) sum += node.scratch_bytes + node.output_bytes;
    return sum;
  }
};

}  // namespace zkgpu::pipeline
