// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/global_control.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include <zkgpu/prover/pipeline/task.hpp>

#include "affinity.hpp"
#include "arena.hpp"

namespace zkgpu::pipeline {

/// One arena to be: how many threads, and on which CPUs (none: any).
struct ArenaShape {
  std::size_t threads = 1;
  CpuGroup cpus{};
  friend bool operator==(const ArenaShape&, const ArenaShape&) = default;
};

/// Several arenas that end together. A task begins in the arena that it was given to, in the order
/// of submission, and stays there with all its loops.
///
/// All threads are oneTBB's: the thread that drains sleeps, because it could be in one arena only.
class ArenaSet {
 public:
  /// @throws InvalidArgument without a shape
  explicit ArenaSet(const std::vector<ArenaShape>& shapes);
  ArenaSet(const ArenaSet&) = delete;
  ArenaSet& operator=(const ArenaSet&) = delete;
  /// Waits for the tasks; a failure is lost.
  ~ArenaSet();

  void submit(std::size_t arena, Task task);
  /// To the arena with the fewest tasks that have not ended; of those, the first.
  void submit_to_idlest(Task task);
  /// Returns when all tasks have ended, also those that tasks submitted. @throws the first failure
  void drain();

  [[nodiscard]] std::size_t width(std::size_t arena) const noexcept;
  /// Of the widest arena: over how many threads a task may spread at most.
  [[nodiscard]] std::size_t width() const noexcept;

 private:
  struct Member;
  void submit_locked(Member& member, Task&& task);
  void run_next(Member& member) noexcept;
  void wait();

  tbb::global_control workers_;
  FailureKeeper failures_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t unfinished_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace zkgpu::pipeline
