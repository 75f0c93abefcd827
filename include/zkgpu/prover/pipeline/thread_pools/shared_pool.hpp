// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>

#include <zkgpu/prover/pipeline/schedule.hpp>
#include <zkgpu/prover/pipeline/task.hpp>

namespace zkgpu::pipeline {

/// Thread policy: one pool for everything. Stages run side by side and each spreads over the same
/// threads, so that none of them idles while a stage has a serial end.
class shared_pool {
 public:
  /// limits.threads, but no more than the machine runs at once; 0: all of them.
  /// @throws InvalidArgument if limits.threads is absurd (more than 4096)
  explicit shared_pool(const PipelineLimits& limits);
  shared_pool(shared_pool&&) noexcept;
  shared_pool& operator=(shared_pool&&) noexcept;
  ~shared_pool();

  void submit(PoolRole role, Task task);
  void drain();
  [[nodiscard]] std::size_t width(PoolRole role) const noexcept;

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace zkgpu::pipeline
