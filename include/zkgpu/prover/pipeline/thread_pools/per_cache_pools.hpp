// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/pipeline/thread_pools/arena_pools.hpp>

namespace zkgpu::pipeline {

/// Thread policy: one pool for each L3 cache, its threads bound to the CPUs of that cache. A stage
/// runs in the pool with the fewest stages and stays there: what its threads share is in their
/// cache. The roles share the pools.
///
/// Where the machine does not show its caches: one pool on all CPUs.
class per_cache_pools : public ArenaPools {
 public:
  /// CPUs are those that the calling thread may use. limits.threads are dealt out to the pools one
  /// by one, but no more than there are CPUs; 0: one for each.
  /// @throws InvalidArgument if limits.threads is absurd (more than 4096)
  explicit per_cache_pools(const PipelineLimits& limits);

  void submit(PoolRole role, Task task);
  /// Of the widest pool: over how many threads a stage spreads at most.
  [[nodiscard]] std::size_t width(PoolRole role) const noexcept;
};

}  // namespace zkgpu::pipeline
