// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <utility>

#include <zkgpu/prover/pipeline/schedule.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

namespace zkgpu::pipeline {

/// Thread policy: no threads. Tasks run in the order of submission on the thread that drains.
class inline_pool {
 public:
  explicit inline_pool(const PipelineLimits&) {}

  void submit(PoolRole, Task task) { waiting_.push_back(std::move(task)); }

  void drain() {
    std::exception_ptr failure;
    while (!waiting_.empty()) {
      Task task = std::move(waiting_.front());
      waiting_.pop_front();
      try {
        task();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }
  [[nodiscard]] std::size_t width(PoolRole) const noexcept { return 1; }

 private:
  std::deque<Task> waiting_;
};

}  // namespace zkgpu::pipeline
