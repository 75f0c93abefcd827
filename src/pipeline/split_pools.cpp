// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>

#include "arena.hpp"
#include "arena_set.hpp"

namespace zkgpu::pipeline {

namespace {

std::size_t arena_of(PoolRole role) noexcept { return role == PoolRole::synthesis ? 0 : 1; }

/// With these and a synthesis as wide as the machine, oneTBB still has a thread for every place
/// (arena_set.cpp).
std::size_t device_thread_count(const PipelineLimits& limits) {
  check_threads("device_threads", limits.device_threads);
  if (limits.device_threads == 0) return thread_count(limits.threads);
  return std::min(limits.device_threads, std::max<std::size_t>(128, thread_count(0)));
}

}  // namespace

split_pools::split_pools(std::size_t synthesis_threads, std::size_t device_threads)
    : ArenaPools(std::make_unique<ArenaSet>(
          std::vector<ArenaShape>{{.threads = synthesis_threads}, {.threads = device_threads}})) {}

split_pools::split_pools(const PipelineLimits& limits)
    : split_pools(thread_count(limits.threads), thread_count(limits.threads)) {}

void split_pools::submit(PoolRole role, Task task) {
  arenas_->submit(arena_of(role), std::move(task));
}

std::size_t split_pools::width(PoolRole role) const noexcept {
  return arenas_->width(arena_of(role));
}

sized_pools::sized_pools(const PipelineLimits& limits)
    : split_pools(thread_count(limits.threads), device_thread_count(limits)) {}

}  // namespace zkgpu::pipeline
