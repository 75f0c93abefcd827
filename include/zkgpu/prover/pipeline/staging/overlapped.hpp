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

/// Staging policy: a stage may start as soon as the stages it reads from are done, whatever else
/// runs. Fills all threads; all scratch memory may be lent at once, and is planned so.
struct overlapped {
  template <NttField F, Backend B>
  using QuotientStage = Quotient<F, B>;

  static constexpr GraphPlaces places{};

  static Schedule plan(const ProofGraph& graph, std::size_t proofs, PipelineLimits) {
    return {steps_of(graph, proofs, Chain::none), proofs * bytes_of_one(graph)};
  }
  /// Most scratch memory of a proof. Nothing runs beside the upload, which all others wait for.
  static constexpr std::size_t bytes_of_one(const ProofGraph& graph) noexcept {
    const StageNode& upload = graph[StageId::upload];
    std::size_t beside = upload.output_bytes;
    for (const StageNode& node : graph.nodes) {
      if (node.id != StageId::upload) beside += node.scratch_bytes + node.output_bytes;
    }
    return std::max(beside, upload.scratch_bytes + upload.output_bytes);
  }
};

}  // namespace zkgpu::pipeline
