// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>

namespace zkgpu {

namespace cuda {

class Staging;  // cuda/runtime/staging.hpp

}  // namespace cuda

/// n elements that an operation of a device reads wherever they are: on the device, or in the
/// host's memory, pinned or pageable.
template <class T>
class CudaSource {
 public:
  CudaSource() = default;
  CudaSource(DeviceSpan<const T> device) noexcept
      : data_(device.data()), size_(device.size()), on_host_(false) {}
  CudaSource(DeviceSpan<T> device) noexcept : CudaSource(DeviceSpan<const T>(device)) {}
  CudaSource(std::span<const T> host) noexcept
      : data_(host.data()), size_(host.size()), on_host_(true) {}
  CudaSource(std::span<T> host) noexcept : CudaSource(std::span<const T>(host)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool on_host() const noexcept { return on_host_; }
  /// What is on the device.
  [[nodiscard]] DeviceSpan<const T> device() const noexcept {
    return on_host_ ? DeviceSpan<const T>() : DeviceSpan<const T>(data_, size_);
  }

  /// Elements [at, at + n), wherever they are. @throws InvalidArgument if there are fewer
  [[nodiscard]] CudaSource part(std::size_t at, std::size_t n) const {
    if (at > size_ || n > size_ - at) {
      throw InvalidArgument("cuda: a copy beyond the end of its source");
    }
    CudaSource some = *this;
    some.data_ += at;
    some.size_ = n;
    return some;
  }
  /// All of it to the device; pageable memory by the thread that asks, at a fifth of the bus.
  /// @throws InvalidArgument unless it has the size of `to`; DeviceError
  void copy(const CudaQueue& queue, DeviceSpan<T> to) const {
    if (on_host_) {
      queue.upload(host(), to);
    } else {
      queue.copy_within(device(), to);
    }
  }
  [[nodiscard]] std::span<const T> host() const noexcept {
    return on_host_ ? std::span<const T>(data_, size_) : std::span<const T>();
  }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
  bool on_host_ = false;
};

/// Brings data to a device in turns, beside the work of another queue: while that one reads the
/// slot of one turn, the slot of the next is filled. One operation at a time.
///
/// Pinned memory is copied by the device. Pageable memory goes through a ring of pinned pieces, 32
/// MiB that the first such copy takes and that stay: threads of the feed fill them, while the
/// device empties others and the thread that runs the operation goes on.
class CudaFeed {
 public:
  static constexpr std::size_t slots = 2;

  /// @param threads  that copy pageable memory; 0: half of those of the machine, at most 8
  explicit CudaFeed(const Cuda& cuda, unsigned threads = 0);
  CudaFeed(CudaFeed&&) = default;
  CudaFeed& operator=(CudaFeed&&) = delete;
  ~CudaFeed() = default;

  /// An operation in turns. Copies begin when what `queue` has now is done: it may make what they
  /// read, and use the memory that they fill. It returns when all copies and all work are enqueued.
  ///
  /// @param fetch  fetch(turn): `copy`s what that turn reads to slot turn % slots
  /// @param work   work(turn): enqueues on `queue` what reads the slot
  /// @throws what they throw, when no copy reads the host's memory any more; ResourceExhausted,
  ///         DeviceError
  template <class Fetch, class Work>
  void run(const CudaQueue& queue, std::size_t turns, const Fetch& fetch, const Work& work) const {
    if (turns == 0) return;
    try {
      follow(queue);
      fetch(std::size_t{0});
      for (std::size_t turn = 0; turn < turns; ++turn) {
        close(turn);
        if (turn + 1 < turns) {
          copies_.wait_for(read_[(turn + 1) % slots]);  // the turn before has had that slot
          fetch(turn + 1);
        }
        queue.wait_for(filled_[turn % slots]);
        work(turn);
        queue.record(read_[turn % slots]);
      }
    } catch (...) {
      drain();
      throw;
    }
  }

  /// Begins to write zeros over the pinned pieces, once the device has read them: they have held
  /// what was copied. Milliseconds at most; it is over before the pieces serve again or are freed.
  /// An operation that fails leaves this to its caller, too.
  void wipe() const noexcept;

  /// In a fetch: `from` to the device.
  /// @throws InvalidArgument if the sizes differ; DeviceError
  template <class T>
  void copy(const CudaSource<T>& from, DeviceSpan<T> to) const {
    if (from.on_host() && from.size() == to.size()) {
      copy_host(std::as_bytes(from.host()), reinterpret_cast<std::byte*>(to.data()));
    } else {
      from.copy(copies_, to);
    }
  }

 private:
  struct Destroy {
    void operator()(cuda::Staging* staging) const noexcept;
  };

  void follow(const CudaQueue& queue) const;
  void copy_host(std::span<const std::byte> from, std::byte* to) const;
  /// The copies of this turn are all enqueued.
  void close(std::size_t turn) const;
  void drain() const noexcept;

  CudaQueue copies_;
  CudaEvent begun_;
  CudaEvent filled_[slots];
  CudaEvent read_[slots];
  std::unique_ptr<cuda::Staging, Destroy> staging_;  // last: it goes before what it copies by
};

}  // namespace zkgpu
