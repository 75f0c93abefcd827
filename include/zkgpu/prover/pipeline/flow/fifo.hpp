// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu::pipeline {

/// Flow policy: whole proofs in the order of the requests, limits.proofs_in_flight of them at a
/// time.
struct fifo {
  static std::vector<ProofBatch> batches(std::size_t proofs, PipelineLimits limits) {
    const std::size_t most = std::max<std::size_t>(limits.proofs_in_flight, 1);
    std::vector<ProofBatch> out;
    for (std::size_t first = 0; first < proofs; first += most) {
      out.push_back({first, std::min(most, proofs - first)});
    }
    return out;
  }
};

}  // namespace zkgpu::pipeline
