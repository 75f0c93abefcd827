// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>

namespace zkgpu {

/// n elements that an operation of a device reads wherever they are: on the device, or in the
/// host's memory, pinned or pageable. Pinned memory is copied beside kernels, at the full rate of
/// the bus; pageable memory by the thread that asks for it, at about a fifth of that.
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

  /// Elements [at, at + to.size()) to the device.
  /// @throws InvalidArgument if there are fewer; DeviceError
  void copy(const CudaQueue& queue, std::size_t at, DeviceSpan<T> to) const {
    if (at > size_ || to.size() > size_ - at) {
      throw InvalidArgument("cuda: a copy beyond the end of its source");
    }
    if (to.empty()) return;
    if (on_host_) {
      queue.upload(std::span<const T>(data_ + at, to.size()), to);
    } else {
      queue.copy_within(DeviceSpan<const T>(data_ + at, to.size()), to);
    }
  }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
  bool on_host_ = false;
};

/// Brings data to a device in turns, beside the work of another queue: while that one reads the
/// slot of one turn, the slot of the next is filled. One operation at a time.
///
///     feed.follow(queue)
///     for each turn:  feed.begin(turn) copies; feed.end(turn)
///                     feed.acquire(queue, turn); kernels that read; feed.release(queue, turn)
class CudaFeed {
 public:
  static constexpr std::size_t slots = 2;

  explicit CudaFeed(const Cuda& cuda) : copies_(cuda.make_queue()) {}

  /// Copies of the turns to come begin when what `queue` has now is done: it may make what they
  /// read, and use the memory that they fill.
  void follow(const CudaQueue& queue) const {
    queue.record(begun_);
    copies_.wait_for(begun_);
  }
  /// The queue for copies of this turn: they begin when the turn that had the slot is read.
  [[nodiscard]] const CudaQueue& begin(std::size_t turn) const {
    copies_.wait_for(read_[turn % slots]);
    return copies_;
  }
  void end(std::size_t turn) const { copies_.record(filled_[turn % slots]); }
  void acquire(const CudaQueue& queue, std::size_t turn) const {
    queue.wait_for(filled_[turn % slots]);
  }
  void release(const CudaQueue& queue, std::size_t turn) const {
    queue.record(read_[turn % slots]);
  }

  /// Until no copy reads the host's memory any more; for operations that fail half-way.
  void drain() const noexcept {
    try {
      copies_.wait();
    } catch (const Error&) {  // the operation reports its own failure
    }
  }

 private:
  CudaQueue copies_;
  CudaEvent begun_;
  CudaEvent filled_[slots];
  CudaEvent read_[slots];
};

}  // namespace zkgpu
