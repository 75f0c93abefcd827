// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include <zkgpu/backend/cpu.hpp>

namespace zkgpu::test {

/// What a WatchedHost has done and holds.
struct HostWatch {
  std::atomic<std::size_t> allocations{0}, in_use{0}, peak{0};
  std::atomic<std::size_t> not_wiped{0};  ///< freed with something in it
  std::atomic<int> freeing{0}, most_freeing{0};
  std::chrono::microseconds free_time{0};
  std::mutex gate;  ///< frees wait for it
  std::mutex mutex;
  std::set<std::thread::id> freed_by;

  std::shared_ptr<std::byte> allocate(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(std::calloc(bytes + 64, 1));
    if (memory == nullptr) throw ResourceExhausted("watched: out of memory");
    ++allocations;
    raise(peak, in_use += bytes);
    return {memory, [this, bytes](std::byte* dying) { free(dying, bytes); }};
  }

 private:
  template <class T>
  static void raise(std::atomic<T>& most, T now) {
    T known = most.load();
    while (known < now && !most.compare_exchange_weak(known, now)) {
    }
  }
  void free(std::byte* memory, std::size_t bytes) {
    raise(most_freeing, ++freeing);
    if (free_time.count() != 0) std::this_thread::sleep_for(free_time);
    { const std::scoped_lock until_open(gate); }
    const bool wiped =
        std::all_of(memory, memory + bytes, [](std::byte b) { return b == std::byte{0}; });
    not_wiped += wiped ? 0U : 1U;
    std::free(memory);
    in_use -= bytes;
    {
      const std::scoped_lock lock(mutex);
      freed_by.insert(std::this_thread::get_id());
    }
    --freeing;
  }
};

/// The CPU as a device whose memory is zero when new, and watched: who frees it, how many at a
/// time, and whether it was wiped.
class WatchedHost {
 public:
  static constexpr std::string_view name = "watched";
  template <class T>
  using Span = std::span<T>;
  using Queue = Cpu<>::Queue;

  template <class T>
  class Buffer {
   public:
    Buffer() = default;
    Buffer(std::shared_ptr<std::byte> memory, std::size_t n) noexcept
        : memory_(std::move(memory)), size_(n) {}
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
      Buffer taken(std::move(other));
      swap(taken);
      return *this;
    }
    [[nodiscard]] Buffer piece(std::size_t first, std::size_t n) noexcept {
      return {std::shared_ptr<std::byte>(memory_, memory_.get() + first * sizeof(T)), n};
    }
    [[nodiscard]] std::span<T> span() const noexcept { return {data(), size_}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(memory_.get()); }

   private:
    void swap(Buffer& other) noexcept {
      memory_.swap(other.memory_);
      std::swap(size_, other.size_);
    }
    std::shared_ptr<std::byte> memory_;
    std::size_t size_ = 0;
  };

  [[nodiscard]] Queue make_queue() const noexcept { return {}; }
  template <class T>
  [[nodiscard]] Buffer<T> allocate(std::size_t n) const {
    return {watch->allocate(n * sizeof(T)), n};
  }
  [[nodiscard]] DeviceProperties properties() const noexcept { return {}; }

  std::shared_ptr<HostWatch> watch = std::make_shared<HostWatch>();
};

static_assert(Backend<WatchedHost>);

}  // namespace zkgpu::test
