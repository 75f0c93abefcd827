// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

#include "affinity.hpp"

/// What every pool of threads is made of: an arena of oneTBB, and what is kept of its tasks.
namespace zkgpu::pipeline {

namespace tbb = oneapi::tbb;

/// Threads come to an arena and go; in between a worker runs on the arena's CPUs.
///
/// They take nothing along that its tasks, which work on secrets, left on their stacks. A worker
/// lingers for a moment after its last task, so the end of the arena waits for those inside: one
/// that left later would go unnoticed, with its stack as it is.
///
/// A worker that goes may run where it could before, and where the maker of the arena could: a
/// thread that a bound worker starts inherits the binding, and would keep it for good.
class ArenaThreads final : public tbb::task_scheduler_observer {
 public:
  /// @param cpus  what workers are bound to; none: they are free
  ArenaThreads(tbb::task_arena& arena, std::size_t slots, const CpuMask& cpus)
      : tbb::task_scheduler_observer(arena),
        cpus_(cpus),
        makers_(CpuMask::of_this_thread()),
        before_(cpus.is_empty() ? 0 : std::max<std::size_t>(slots, least_places)) {
    { const std::scoped_lock members_are_seen_by_who_locks_next(mutex_); }
    observe(true);
  }
  ~ArenaThreads() override {
    {
      // Workers without work leave within milliseconds; the limit is for the unforeseen.
      std::unique_lock lock(mutex_);
      left_.wait_for(lock, std::chrono::seconds(1), [this] { return inside_ == 0; });
    }
    observe(false);
  }
  void on_scheduler_entry(bool is_worker) override {
    {
      const std::scoped_lock lock(mutex_);
      ++inside_;
    }
    if (is_worker) bind();
  }
  void on_scheduler_exit(bool is_worker) override {
    if (is_worker) unbind();
    wipe_stack();  // all below this frame, which is small: masks are in frames of their own
    const std::scoped_lock lock(mutex_);
    if (--inside_ == 0) left_.notify_all();
  }

 private:
  /// A system that refuses to bind leaves a thread that is slower, not wrong.
  [[gnu::noinline]] void bind() noexcept {
    const CpuMask now = CpuMask::of_this_thread();
    if (is_bound()) before() = now;
    const CpuMask wanted = is_bound() ? cpus_ : now | makers_;
    if (wanted != now) wanted.bind_this_thread();
  }
  [[gnu::noinline]] void unbind() noexcept {
    if (is_bound()) (before() | makers_).bind_this_thread();
  }
  [[nodiscard]] bool is_bound() const noexcept { return !before_.empty(); }
  /// What the calling thread, by its place in the arena, came with.
  CpuMask& before() noexcept {
    const int place = tbb::this_task_arena::current_thread_index();
    return before_[static_cast<std::size_t>(std::max(place, 0)) % before_.size()];
  }

  static constexpr std::size_t least_places = 2;  // an arena has them even for one thread

  const CpuMask cpus_;
  const CpuMask makers_;
  std::vector<CpuMask> before_;
  std::mutex mutex_;
  std::condition_variable left_;
  std::size_t inside_ = 0;
};

/// Up to `width` threads that take tasks from each other and from nobody else.
struct Arena {
  /// @param reserved  places that are kept for threads that are not oneTBB's
  Arena(std::size_t width_, unsigned reserved, const CpuMask& cpus = {})
      : width(width_), arena(static_cast<int>(width), reserved), threads(arena, width, cpus) {}

  std::size_t width;
  tbb::task_arena arena;
  ArenaThreads threads;
};

/// Runs tasks and keeps the first failure. None gets to oneTBB, which would cancel the loops inside
/// the tasks that still run: those must end whole, because their memory is in use.
class FailureKeeper {
 public:
  void run(Task& task) noexcept {
    try {
      task();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() {
    std::exception_ptr first;
    {
      const std::scoped_lock lock(mutex_);
      first = std::exchange(first_, nullptr);
    }
    if (first) std::rethrow_exception(std::move(first));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

inline constexpr std::size_t most_threads = 4096;

/// @throws InvalidArgument if nobody can have meant so many
inline void check_threads(const char* name, std::size_t threads) {
  if (threads <= most_threads) return;
  throw InvalidArgument(std::string(name) + ": " + std::to_string(threads) + " is more than " +
                        std::to_string(most_threads));
}

/// As many as the machine runs at once, or `threads` if that is less and not zero.
/// @throws InvalidArgument if `threads` is absurd
[[nodiscard]] inline std::size_t thread_count(std::size_t threads) {
  check_threads("threads", threads);
  const auto all = static_cast<std::size_t>(tbb::info::default_concurrency());
  return threads == 0 ? all : std::min(threads, all);
}

}  // namespace zkgpu::pipeline
