// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/pinned.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>

struct CUstream_st;  // the toolkit's names: this header needs no toolkit
struct CUevent_st;

namespace zkgpu {

/// One GPU as the driver describes it.
struct CudaDeviceInfo {
  int ordinal = 0;
  std::string name;
  std::string uuid;  ///< "GPU-xxxxxxxx-xxxx-..."
  DeviceProperties properties;
};

namespace cuda {

class Arena;  // cuda/runtime/arena.hpp

/// What an arena holds at the moment.
struct ArenaUse {
  std::size_t reserved_bytes = 0;  ///< taken from the driver
  std::size_t used_bytes = 0;      ///< lent to buffers
};

/// Throws for a status of the runtime that is not success: ResourceExhausted for lack of memory,
/// else DeviceError; the message names the call, the error and the place.
void check(int status, const char* call, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

}  // namespace cuda

/// Device memory from the arena of its device; 256-byte aligned, uninitialised; moves only. Work
/// that uses it must be done before it dies.
template <class T>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  CudaBuffer(std::shared_ptr<std::byte> memory, std::size_t n) noexcept
      : memory_(std::move(memory)), size_(n) {}
  CudaBuffer(CudaBuffer&& other) noexcept { swap(other); }
  CudaBuffer& operator=(CudaBuffer&& other) noexcept {
    CudaBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// Elements [first, first + n) as a buffer of their own; the memory is freed with the last.
  [[nodiscard]] CudaBuffer piece(std::size_t first, std::size_t n) noexcept {
    return {std::shared_ptr<std::byte>(memory_, memory_.get() + first * sizeof(T)), n};
  }
  [[nodiscard]] DeviceSpan<T> span() noexcept { return {data(), size_}; }
  [[nodiscard]] DeviceSpan<const T> span() const noexcept { return {data(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(memory_.get()); }

 private:
  void swap(CudaBuffer& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
  }
  std::shared_ptr<std::byte> memory_;
  std::size_t size_ = 0;
};

/// A point in a queue's work; timed.
class CudaEvent {
 public:
  CudaEvent();
  /// @throws DeviceError
  [[nodiscard]] double milliseconds_since(const CudaEvent& earlier) const;
  void wait() const;
  [[nodiscard]] CUevent_st* handle() const noexcept { return event_.get(); }

 private:
  struct Destroy {
    void operator()(CUevent_st* event) const noexcept;
  };
  std::unique_ptr<CUevent_st, Destroy> event_;
};

/// Work of one device in the order enqueued; enqueue returns at once.
class CudaQueue {
 public:
  /// @throws DeviceError with what the work failed with
  void wait() const;
  void record(const CudaEvent& event) const;
  /// Later work of this queue starts when `event` has happened.
  void wait_for(const CudaEvent& event) const;

  /// @throws InvalidArgument if the sizes differ; DeviceError
  template <class T>
  void upload(std::span<const T> from, DeviceSpan<T> to) const {
    copy(from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  template <class T>
  void download(DeviceSpan<const T> from, std::span<T> to) const {
    copy(from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  template <class T>
  void copy_within(DeviceSpan<const T> from, DeviceSpan<T> to) const {
    copy(from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  void fill_bytes(DeviceSpan<std::byte> to, int value) const;

  [[nodiscard]] CUstream_st* handle() const noexcept { return stream_.get(); }
  [[nodiscard]] int device() const noexcept { return device_; }

 private:
  friend class Cuda;
  struct Destroy {
    void operator()(CUstream_st* stream) const noexcept;
  };
  explicit CudaQueue(int device);
  void copy(const void* from, std::size_t from_bytes, void* to, std::size_t to_bytes) const;

  std::unique_ptr<CUstream_st, Destroy> stream_;
  int device_ = 0;
};

/// One GPU. Copies are the same device and share its arena.
class Cuda {
 public:
  static constexpr std::string_view name = "cuda";
  using Queue = CudaQueue;
  using Event = CudaEvent;
  template <class T>
  using Span = DeviceSpan<T>;
  template <class T>
  using Buffer = CudaBuffer<T>;

  /// All devices that the driver offers. @throws DeviceError without a GPU or a driver that fits
  static std::vector<CudaDeviceInfo> devices();
  /// @throws DeviceError if there is no such device
  explicit Cuda(int ordinal = 0);
  /// @param wanted  an ordinal ("1"), a UUID ("GPU-…", or its beginning) or a name ("NVIDIA H200")
  /// @throws InvalidArgument if `wanted` names none of the devices, DeviceError if there are none
  static Cuda select(std::string_view wanted);

  [[nodiscard]] const CudaDeviceInfo& info() const noexcept;
  [[nodiscard]] DeviceProperties properties() const noexcept { return info().properties; }
  [[nodiscard]] Queue make_queue() const;

  /// @throws ResourceExhausted with the bytes wanted and free
  template <class T>
  [[nodiscard]] Buffer<T> allocate(std::size_t n) const {
    return Buffer<T>(allocate_bytes(n, sizeof(T)), n);
  }
  /// @throws ResourceExhausted
  template <class T>
  [[nodiscard]] PinnedBuffer<T> allocate_pinned(std::size_t n) const {
    return PinnedBuffer<T>(allocate_pinned_bytes(n, sizeof(T)), n);
  }
  /// Page-locks the whole pages inside of `memory` in place, for all devices, until the result
  /// dies: then the copies that read them are done. Pages that are pinned already stay as they are.
  /// @throws ResourceExhausted, DeviceError if the system or the driver does not lock them
  [[nodiscard]] PinnedPages register_host(std::span<const std::byte> memory) const;
  /// Bytes that the driver has left, and what the arena keeps for later buffers.
  [[nodiscard]] std::size_t free_bytes() const;
  [[nodiscard]] cuda::ArenaUse arena_use() const;
  /// Gives memory that no buffer uses back to the driver.
  void trim() const;
  /// Zeros over memory that no work uses; done when it returns. Any thread may call it.
  /// @throws DeviceError if the device cannot any more
  void wipe(DeviceSpan<std::byte> memory) const;

 private:
  [[nodiscard]] std::shared_ptr<std::byte> allocate_bytes(std::size_t n, std::size_t size) const;
  [[nodiscard]] std::shared_ptr<std::byte> allocate_pinned_bytes(std::size_t n,
                                                                 std::size_t size) const;
  struct State;
  std::shared_ptr<State> state_;
};

static_assert(DeviceBackend<Cuda>);

}  // namespace zkgpu
