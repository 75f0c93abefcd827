// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// What a source of the memory policy M is to be made with, for proofs whose schedule takes
/// `peak_bytes` at once: that. Of a policy that cuts its buffers from one block (`one_block`) all
/// that they ever take, each buffer counted for itself, since a block that is reused for other
/// sizes cannot be packed in every order.
template <class M>
[[nodiscard]] constexpr std::size_t memory_plan(const ProofGraph& graph, std::size_t proofs,
                                                std::size_t peak_bytes) noexcept {
  if constexpr (requires { requires M::one_block; }) {
    std::size_t of_one = 0;
    for (const StageNode& node : graph.nodes) of_one += node.scratch_bytes + node.output_bytes;
    return std::max(peak_bytes, proofs * of_one);
  }
  return peak_bytes;
}

/// The schedule of the policy P's staging, with what its memory makes of the peak.
template <class P>
[[nodiscard]] Schedule plan_of(const ProofGraph& graph, std::size_t proofs, PipelineLimits limits) {
  Schedule schedule = P::Staging::plan(graph, proofs, limits);
  schedule.peak_bytes = memory_plan<typename P::Memory>(graph, proofs, schedule.peak_bytes);
  return schedule;
}

/// What such a source takes of the device at most: the plan, and where the policy says so the slack
/// of its placing.
template <class M>
[[nodiscard]] constexpr std::size_t memory_footprint(std::size_t planned_bytes) noexcept {
  if constexpr (requires { M::footprint_bytes(planned_bytes); }) {
    return M::footprint_bytes(planned_bytes);
  }
  return planned_bytes;
}

/// The largest plan whose footprint fits into so many bytes; 0 if there is none.
template <class M>
[[nodiscard]] constexpr std::size_t memory_plan_within(std::size_t bytes) noexcept {
  std::size_t fits = 0;
  for (std::size_t step = bytes / 2 + 1; step != 0; step /= 2) {
    while (step <= bytes - fits && memory_footprint<M>(fits + step) <= bytes) fits += step;
  }
  return fits;
}

/// A memory policy's answers as values, for what is compiled once for all policies.
struct MemoryNeeds {
  std::size_t (*footprint)(std::size_t planned_bytes) noexcept = nullptr;
  std::size_t (*planned_within)(std::size_t bytes) noexcept = nullptr;

  template <class M>
  static constexpr MemoryNeeds of() noexcept {
    return {&memory_footprint<M>, &memory_plan_within<M>};
  }
};

}  // namespace zkgpu::pipeline
