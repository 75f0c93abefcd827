// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>

namespace zkgpu::pipeline {

/// Thread policy: split_pools whose device side has a size of its own. Its stages keep tables for
/// each of their threads: with fewer threads they leave caches and memory to the synthesis, and are
/// slower where the device hides it.
class sized_pools : public split_pools {
 public:
  /// As split_pools, with limits.device_threads on the device side; 0: as many as for the
  /// synthesis. They wait more than they compute, so up to 128 may be more than the machine runs.
  /// @throws InvalidArgument if a number is absurd (more than 4096)
  explicit sized_pools(const PipelineLimits& limits);
};

}  // namespace zkgpu::pipeline
