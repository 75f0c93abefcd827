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

/// Pages of the host's own memory, page-locked in place while this lives. Moves only.
class PinnedPages {
 public:
  PinnedPages() = default;
  PinnedPages(std::shared_ptr<const void> lease, std::span<const std::byte> pages) noexcept
      : lease_(std::move(lease)), pages_(pages) {}
  PinnedPages(PinnedPages&& other) noexcept
      : lease_(std::move(other.lease_)), pages_(std::exchange(other.pages_, {})) {}
  PinnedPages& operator=(PinnedPages&& other) noexcept {
    lease_ = std::move(other.lease_);
    pages_ = std::exchange(other.pages_, {});
    return *this;
  }

  /// Inside of the memory that was named; may be empty.
  [[nodiscard]] std::span<const std::byte> span() const noexcept { return pages_; }

 private:
  std::shared_ptr<const void> lease_;
  std::span<const std::byte> pages_;
};

}  // namespace zkgpu
