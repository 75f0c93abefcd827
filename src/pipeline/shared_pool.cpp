// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <oneapi/tbb/task_group.h>

#include <memory>
#include <utility>

#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>

#include "arena.hpp"

namespace zkgpu::pipeline {

/// One arena, in which the thread that drains has a place.
struct shared_pool::Threads {
  explicit Threads(std::size_t width) : arena(width, 1) {}
  Arena arena;
  tbb::task_group group;
  FailureKeeper failures;
};

shared_pool::shared_pool(const PipelineLimits& limits)
    : threads_(std::make_unique<Threads>(thread_count(limits.threads))) {}
shared_pool::shared_pool(shared_pool&&) noexcept = default;
shared_pool& shared_pool::operator=(shared_pool&&) noexcept = default;
shared_pool::~shared_pool() = default;

void shared_pool::submit(PoolRole, Task task) {
  // A task group's function is called as const and may be copied, which a Task is not.
  const auto shared = std::make_shared<Task>(std::move(task));
  Threads* const threads = threads_.get();
  threads->arena.arena.execute(
      [&] { threads->group.run([threads, shared] { threads->failures.run(*shared); }); });
}

void shared_pool::drain() {
  threads_->arena.arena.execute([this] { threads_->group.wait(); });
  threads_->failures.rethrow();
}

std::size_t shared_pool::width(PoolRole) const noexcept { return threads_->arena.width; }

}  // namespace zkgpu::pipeline
