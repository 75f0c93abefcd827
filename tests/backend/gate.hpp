// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace zkgpu::test {

/// Closed until somebody opens it: what threads of a test wait for, to make one interleaving.
class Gate {
 public:
  void open() {
    {
      const std::scoped_lock lock(mutex_);
      open_ = true;
    }
    changed_.notify_all();
  }
  /// @return whether it was opened within the time that a test that hangs is given
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return open_; });
  }
  [[nodiscard]] bool is_open() {
    const std::scoped_lock lock(mutex_);
    return open_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

}  // namespace zkgpu::test
