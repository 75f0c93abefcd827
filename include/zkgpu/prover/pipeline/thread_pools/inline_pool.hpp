// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/schedule.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

namespace zkgpu::pipeline {

/// Thread policy: no threads of its own. Tasks run in the order of submission on the thread that
/// drains; loops inside them spread over the arena that it is in, whose workers' stacks are the
/// caller's to wipe.
class inline_pool {
 public:
  explicit inline_pool(const PipelineLimits&) {}

  void submit(PoolRole, Task task) { waiting_.push_back(std::move(task)); }

  void drain() {
    std::exception_ptr failure;
    for (std::size_t next = 0; next < waiting_.size(); ++next) {  // tasks may submit tasks
      Task task = std::move(waiting_[next]);
      try {
        task();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    waiting_.clear();
    if (failure) std::rethrow_exception(failure);
  }
  [[nodiscard]] std::size_t width(PoolRole) const noexcept { return 1; }

 private:
  std::vector<Task> waiting_;
};

}  // namespace zkgpu::pipeline
