// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <memory>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>

#include "arena.hpp"
#include "arena_set.hpp"
#include "topology.hpp"

namespace zkgpu::pipeline {

namespace {

/// One arena for each group of the CPUs that this thread may use; one that is not bound where the
/// system does not say which these are.
std::unique_ptr<ArenaSet> bound_arenas(const PipelineLimits& limits, CpuSharing sharing) {
  const std::size_t threads = thread_count(limits.threads);
  const CpuGroup allowed = CpuMask::of_this_thread().cpus();
  if (allowed.empty()) {
    return std::make_unique<ArenaSet>(std::vector<ArenaShape>{{.threads = threads}});
  }
  const auto groups = disjoint_groups(machine_groups(sharing), allowed);
  return std::make_unique<ArenaSet>(share_threads(groups, limits.threads));
}

}  // namespace

per_cache_pools::per_cache_pools(const PipelineLimits& limits)
    : ArenaPools(bound_arenas(limits, CpuSharing::cache)) {}
void per_cache_pools::submit(PoolRole, Task task) { arenas_->submit_to_idlest(std::move(task)); }
std::size_t per_cache_pools::width(PoolRole) const noexcept { return arenas_->width(); }

per_numa_pools::per_numa_pools(const PipelineLimits& limits)
    : ArenaPools(bound_arenas(limits, CpuSharing::numa_node)) {}
void per_numa_pools::submit(PoolRole, Task task) { arenas_->submit_to_idlest(std::move(task)); }
std::size_t per_numa_pools::width(PoolRole) const noexcept { return arenas_->width(); }

}  // namespace zkgpu::pipeline
