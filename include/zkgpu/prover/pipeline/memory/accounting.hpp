// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include <zkgpu/core/error.hpp>

namespace zkgpu::pipeline {

/// How many bytes are lent now and were lent at most. Any thread may call any function.
class MemoryAccount {
 public:
  void add(std::size_t bytes) noexcept {
    const std::size_t now = in_use_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void subtract(std::size_t bytes) noexcept { in_use_.fetch_sub(bytes, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t in_use_bytes() const noexcept {
    return in_use_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::size_t peak_bytes() const noexcept {
    return peak_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> in_use_{0}, peak_{0};
};

/// The plan of a source that has none: nothing is too much.
inline constexpr std::size_t unplanned = static_cast<std::size_t>(-1);

/// Holds what is lent, and what was given back and is not freed yet, within the planned bytes. Any
/// thread may call any function.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t planned_bytes) noexcept : planned_(planned_bytes) {}

  /// Before the memory is taken. Waits where memory that is being freed makes the difference.
  /// @throws ResourceExhausted if this is more than was planned; once, what memory that came back
  ///   could not be wiped for
  void lend(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    if (not_wiped_) std::rethrow_exception(std::exchange(not_wiped_, nullptr));
    while (!fits(bytes) && dying_ != 0) freed_.wait(lock);
    if (!fits(bytes)) {
      throw ResourceExhausted("memory policy: " + std::to_string(bytes) + " bytes beside " +
                              std::to_string(account_.in_use_bytes()) + " that are lent, but " +
                              std::to_string(planned_) + " are planned");
    }
    account_.add(bytes);
  }
  /// After the memory is freed, or kept for others.
  void give_back(std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    account_.subtract(bytes);
  }
  /// The memory is given back, but will be freed later: `died` tells when.
  void dying(std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    account_.subtract(bytes);
    dying_ += bytes;
  }
  void died(std::size_t bytes) noexcept {
    {
      const std::scoped_lock lock(mutex_);
      dying_ -= bytes;
    }
    freed_.notify_all();
  }
  /// Until nothing is being freed.
  void settle() {
    std::unique_lock lock(mutex_);
    while (dying_ != 0) freed_.wait(lock);
  }
  /// The device failed to wipe what came back, which may still be there. The first one is kept.
  void not_wiped(std::exception_ptr why) noexcept {
    const std::scoped_lock lock(mutex_);
    if (!not_wiped_) not_wiped_ = std::move(why);
  }
  /// What `lend` would throw for that, or null; then it is forgotten.
  [[nodiscard]] std::exception_ptr take_failure() noexcept {
    const std::scoped_lock lock(mutex_);
    return std::exchange(not_wiped_, nullptr);
  }
  [[nodiscard]] std::size_t planned_bytes() const noexcept { return planned_; }
  /// What is lent.
  [[nodiscard]] const MemoryAccount& account() const noexcept { return account_; }

 private:
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept {
    return bytes <= planned_ - account_.in_use_bytes() - dying_;
  }
  const std::size_t planned_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t dying_ = 0;
  std::exception_ptr not_wiped_;
  MemoryAccount account_;  // changed with the mutex held
};

}  // namespace zkgpu::pipeline
