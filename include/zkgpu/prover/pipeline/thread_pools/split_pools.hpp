// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/pipeline/thread_pools/arena_pools.hpp>

namespace zkgpu::pipeline {

/// Thread policy: one pool makes witnesses, another feeds the device, or is it, and finishes
/// proofs. The witness of the next proof is made beside the stages of this one, and neither waits
/// for a thread of the other; where both compute, the system shares the machine between them.
class split_pools : public ArenaPools {
 public:
  /// Each pool has limits.threads, but no more than the machine runs at once; 0: all of them.
  /// @throws InvalidArgument if limits.threads is absurd (more than 4096)
  explicit split_pools(const PipelineLimits& limits);

  void submit(PoolRole role, Task task);
  [[nodiscard]] std::size_t width(PoolRole role) const noexcept;

 protected:
  split_pools(std::size_t synthesis_threads, std::size_t device_threads);
};

}  // namespace zkgpu::pipeline
