// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>

namespace zkgpu::pipeline {

namespace tbb = oneapi::tbb;

namespace {

/// Threads that leave the arena take nothing along that its tasks, which work on secrets, left on
/// their stacks. A worker lingers for a moment after its last task, so the end of the arena waits
/// for those inside: one that left later would go unnoticed, with its stack as it is.
class StackWiper final : public tbb::task_scheduler_observer {
 public:
  explicit StackWiper(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {
    observe(true);
  }
  ~StackWiper() override {
    {
      // Workers without work leave within milliseconds; the limit is for the unforeseen.
      std::unique_lock lock(mutex_);
      left_.wait_for(lock, std::chrono::seconds(1), [this] { return inside_ == 0; });
    }
    observe(false);
  }
  void on_scheduler_entry(bool) override {
    const std::scoped_lock lock(mutex_);
    ++inside_;
  }
  void on_scheduler_exit(bool) override {
    wipe_stack();
    const std::scoped_lock lock(mutex_);
    if (--inside_ == 0) left_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::size_t inside_ = 0;
};

}  // namespace

struct shared_pool::Arena {
  explicit Arena(int threads) : arena(threads), wiper(arena) {}

  /// A failure is kept here and not left to the task group, which would cancel the loops inside the
  /// stages that still run: those must end whole, because their memory is in use.
  void run(Task& task) noexcept {
    try {
      task();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  tbb::task_arena arena;
  StackWiper wiper;
  tbb::task_group group;
  std::mutex mutex;
  std::exception_ptr failure;
};

namespace {

int thread_count(const PipelineLimits& limits) {
  if (limits.threads > 4096) {
    throw InvalidArgument("threads: " + std::to_string(limits.threads) + " is more than 4096");
  }
  if (limits.threads == 0) return tbb::task_arena::automatic;
  return std::min(static_cast<int>(limits.threads), tbb::info::default_concurrency());
}

}  // namespace

shared_pool::shared_pool(const PipelineLimits& limits)
    : arena_(std::make_unique<Arena>(thread_count(limits))) {}
shared_pool::shared_pool(shared_pool&&) noexcept = default;
shared_pool& shared_pool::operator=(shared_pool&&) noexcept = default;
shared_pool::~shared_pool() = default;

void shared_pool::submit(PoolRole, Task task) {
  // A task group's function is called as const and may be copied, which a Task is not.
  const auto shared = std::make_shared<Task>(std::move(task));
  Arena* const arena = arena_.get();
  arena->arena.execute([&] { arena->group.run([arena, shared] { arena->run(*shared); }); });
}

void shared_pool::drain() {
  arena_->arena.execute([this] { arena_->group.wait(); });
  if (std::exception_ptr failure = std::exchange(arena_->failure, nullptr)) {
    std::rethrow_exception(std::move(failure));
  }
}

std::size_t shared_pool::width(PoolRole) const noexcept {
  return static_cast<std::size_t>(arena_->arena.max_concurrency());
}

}  // namespace zkgpu::pipeline
