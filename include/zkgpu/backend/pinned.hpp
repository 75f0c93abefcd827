// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace zkgpu {

/// Page-locked host memory: copies from it run beside kernels, at the full rate of the bus.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(std::shared_ptr<std::byte> memory, std::size_t n) noexcept
      : memory_(std::move(memory)), size_(n) {}
  [[nodiscard]] std::span<T> span() const noexcept {
    return {reinterpret_cast<T*>(memory_.get()), size_};
  }

 private:
  std::shared_ptr<std::byte> memory_;
  std::size_t size_ = 0;
};

}  // namespace zkgpu
