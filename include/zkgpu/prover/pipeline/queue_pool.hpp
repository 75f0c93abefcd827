// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>

namespace zkgpu::pipeline {

/// Queues of one device, for one stage at a time each. They are kept: a driver may make a new one
/// only when the device is idle, and a stage that asked for it would wait for all others.
template <Backend B>
class QueuePool {
 public:
  explicit QueuePool(B& backend) noexcept : backend_(&backend) {}

  /// A queue until this dies. One whose stage failed is not lent again: what it failed with stays.
  class Lease {
   public:
    /// @throws DeviceError
    explicit Lease(QueuePool& pool)
        : pool_(pool), queue_(pool.take()), failures_(std::uncaught_exceptions()) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (!dropped_ && std::uncaught_exceptions() == failures_) pool_.give_back(std::move(queue_));
    }
    /// It has failed: it is not lent again.
    void drop() noexcept { dropped_ = true; }
    [[nodiscard]] typename B::Queue& queue() noexcept { return queue_; }

   private:
    QueuePool& pool_;
    typename B::Queue queue_;
    int failures_;
    bool dropped_ = false;
  };

 private:
  typename B::Queue take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        typename B::Queue queue = std::move(idle_.back());
        idle_.pop_back();
        return queue;
      }
    }
    return backend_->make_queue();
  }
  void give_back(typename B::Queue&& queue) noexcept {
    try {
      const std::scoped_lock lock(mutex_);
      idle_.push_back(std::move(queue));
    } catch (const std::exception&) {  // no memory for the list: one is made next time
    }
  }

  B* backend_;
  std::mutex mutex_;
  std::vector<typename B::Queue> idle_;
};

}  // namespace zkgpu::pipeline
