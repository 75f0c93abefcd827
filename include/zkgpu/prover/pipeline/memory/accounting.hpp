// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace zkgpu::pipeline {

/// How many bytes are out now and were out at most. Any thread may call any function.
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

}  // namespace zkgpu::pipeline
