// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/fake_faults.hpp>
#include <zkgpu/backend/pinned.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>

namespace zkgpu {

/// A device as tests want it.
struct FakeDeviceOptions {
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::size_t pinned_bytes = static_cast<std::size_t>(-1);  ///< that the host lets be page-locked
  double upload_bytes_per_second = 0;                       ///< 0: at once
  double download_bytes_per_second = 0;                     ///< 0: at once
  double pageable_rate = 1;  ///< of copies with memory that is not pinned: this part of the rate
  std::chrono::nanoseconds launch_latency{0};
  std::size_t compute_units = 1;  ///< for plans; what is submitted brings its own threads
  bool sticky_device = false;     ///< what fails one queue fails the whole device
  FakeFaults faults;
};

/// What a FakeDevice has done and holds.
struct FakeCounters {
  std::size_t bytes_in_use = 0;  ///< in steps of 256, as allocated
  std::size_t peak_bytes = 0;
  std::size_t pinned_bytes_in_use = 0;
  std::size_t peak_pinned_bytes = 0;
  std::size_t registered_bytes = 0;  ///< of those: pages of the host's own memory, pinned in place
  std::uint64_t registrations = 0;   ///< of such pages, that succeeded
  std::size_t queues = 0;            ///< alive
  std::uint64_t operations = 0;      ///< asked for since the faults were set, refused ones included
  std::uint64_t allocations = 0;     ///< of device memory, that succeeded
  std::uint64_t launches = 0;        ///< carried out
  std::uint64_t waits = 0;           ///< of the host for the end of a queue's work, asked for
  std::uint64_t copies = 0;          ///< carried out, within the device too
  std::uint64_t upload_bytes = 0;
  std::uint64_t download_bytes = 0;
  std::uint64_t pageable_bytes = 0;  ///< of those: copied from or to memory that is not pinned
  /// Memory freed or wiped while work that was given it had not run, or wiped though it is not the
  /// device's. The work then fails too.
  std::uint64_t misuses = 0;
  std::uint64_t wiped_bytes = 0;  ///< of device memory
};

namespace fake {

class Device;  // src/backend/fake_state.hpp
class Queue;
class Event;

/// A piece of work of a queue; runs once at most, in the queue's thread, and dies there.
class Work {
 public:
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  virtual ~Work() = default;
  virtual void run() = 0;
  /// Called instead of `run`, or after it has thrown.
  virtual void fail(const char* why) noexcept { static_cast<void>(why); }
};

template <class Function>
class WorkOf final : public Work {
 public:
  explicit WorkOf(Function function) : function_(std::move(function)) {}
  void run() override { function_(); }

 private:
  Function function_;
};

/// Memory that work was given.
struct Use {
  void* data = nullptr;
  std::size_t bytes = 0;
  bool written = false;
};

template <class T>
Use use_of(const T&) noexcept {
  return {};
}
template <class T>
Use use_of(const DeviceSpan<T>& span) noexcept {
  return {const_cast<std::remove_const_t<T>*>(span.data()), span.size_bytes(), !std::is_const_v<T>};
}

/// An argument as work on the device sees it.
template <class T>
T seen_by_work(const T& value) {
  return value;
}
template <class T>
std::span<T> seen_by_work(const DeviceSpan<T>& span) noexcept {
  return {span.data(), span.size()};
}

}  // namespace fake

/// Memory of a FakeDevice; 256-byte aligned, each byte 0xA5; moves only. Work that uses it must be
/// done before it dies.
template <class T>
class FakeBuffer {
 public:
  FakeBuffer() = default;
  FakeBuffer(std::shared_ptr<std::byte> memory, std::size_t n) noexcept
      : memory_(std::move(memory)), size_(n) {}
  FakeBuffer(FakeBuffer&& other) noexcept { swap(other); }
  FakeBuffer& operator=(FakeBuffer&& other) noexcept {
    FakeBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// Elements [first, first + n) as a buffer of their own; the memory is freed with the last.
  [[nodiscard]] FakeBuffer piece(std::size_t first, std::size_t n) noexcept {
    return {std::shared_ptr<std::byte>(memory_, memory_.get() + first * sizeof(T)), n};
  }
  [[nodiscard]] DeviceSpan<T> span() noexcept { return {data(), size_}; }
  [[nodiscard]] DeviceSpan<const T> span() const noexcept { return {data(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() const noexcept { return reinterpret_cast<T*>(memory_.get()); }

 private:
  void swap(FakeBuffer& other) noexcept {
    memory_.swap(other.memory_);
    std::swap(size_, other.size_);
  }
  std::shared_ptr<std::byte> memory_;
  std::size_t size_ = 0;
};

/// A point in a queue's work; timed. Moves only; a moved-from one is refused (InvalidArgument).
///
/// As CUDA's: one that was never recorded has happened; one that is recorded again stands for the
/// later point, and who waits for the earlier point already goes on doing so.
class FakeEvent {
 public:
  FakeEvent();
  FakeEvent(FakeEvent&& other) noexcept;
  FakeEvent& operator=(FakeEvent&& other) noexcept;
  ~FakeEvent();

  /// @throws DeviceError if one of the two was not recorded, has not happened or never will
  [[nodiscard]] double milliseconds_since(const FakeEvent& earlier) const;
  /// @throws DeviceError if the queue failed before the point
  void wait() const;

 private:
  friend class FakeQueue;
  [[nodiscard]] fake::Event& state() const;
  std::unique_ptr<fake::Event> state_;
};

/// Work of one device in the order enqueued, on a thread of this queue; enqueue returns at once.
/// Moves only; a moved-from one is refused (InvalidArgument). The host's memory must stay until the
/// queue drains. Its end waits for the work that is left.
///
/// What an operation fails with is the queue's end: nothing that follows is carried out, further
/// calls throw DeviceError, and every `wait` throws the failure, until the owner makes a new queue.
/// Work of other queues that waits for an event recorded after the failure fails too.
class FakeQueue {
 public:
  using Event = FakeEvent;

  FakeQueue(FakeQueue&& other) noexcept;
  FakeQueue& operator=(FakeQueue&& other) noexcept;
  ~FakeQueue();

  /// @throws what the work failed with: of a submitted callable what it threw, else DeviceError
  void wait() const;
  void record(const FakeEvent& event) const;
  /// Later work of this queue starts when `event` has happened.
  void wait_for(const FakeEvent& event) const;

  /// Copies of one direction take turns on the device, and time by its rate.
  /// @throws InvalidArgument if the sizes differ; DeviceError where memory is not the device's
  template <class T>
  void upload(std::span<const T> from, DeviceSpan<T> to) const {
    copy(FakeKind::upload, from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  template <class T>
  void download(DeviceSpan<const T> from, std::span<T> to) const {
    copy(FakeKind::download, from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  /// @throws InvalidArgument if the sizes differ or the spans overlap; DeviceError
  template <class T>
  void copy_within(DeviceSpan<const T> from, DeviceSpan<T> to) const {
    copy(FakeKind::copy_within, from.data(), from.size_bytes(), to.data(), to.size_bytes());
  }
  void fill_bytes(DeviceSpan<std::byte> to, int value) const;

  /// The launch door of this device: work(arguments...) in the queue's order.
  ///
  /// A DeviceSpan among the arguments reaches `work` as a std::span that it may read and write; it
  /// must lie in memory of the device, and that memory is watched until the work is done. Spans
  /// that `work` captures are not: what goes wrong with those, sanitizers see. It may enqueue to
  /// any queue and wait for others; it must not own its own.
  ///
  /// @param name  "operation.kernel", a literal
  /// @throws DeviceError where an argument's memory is not the device's
  template <class Function, class... Arguments>
  requires std::invocable < std::decay_t<Function>
  &, decltype(fake::seen_by_work(std::declval<const Arguments&>()))&... >
         void submit(const char* name, Function&& work, const Arguments&... arguments) const {
    auto run = [work = std::forward<Function>(work),
                ... seen = fake::seen_by_work(arguments)]() mutable { work(seen...); };
    launch(name, {fake::use_of(arguments)...},
           std::make_unique<fake::WorkOf<decltype(run)>>(std::move(run)));
  }

 private:
  friend class FakeDevice;
  explicit FakeQueue(std::unique_ptr<fake::Queue> state) noexcept;
  [[nodiscard]] fake::Queue& state() const;
  void copy(FakeKind kind, const void* from, std::size_t from_bytes, void* to,
            std::size_t to_bytes) const;
  void launch(const char* name, std::initializer_list<fake::Use> uses,
              std::unique_ptr<fake::Work> work) const;

  std::unique_ptr<fake::Queue> state_;
};

/// A device that is not there: the CPU carries out its work, with the memory, the queues, the
/// rates and the failures of a device. For tests of what uses devices. Copies are the same device.
class FakeDevice {
 public:
  static constexpr std::string_view name = "fake";
  using Queue = FakeQueue;
  using Event = FakeEvent;
  template <class T>
  using Span = DeviceSpan<T>;
  template <class T>
  using Buffer = FakeBuffer<T>;

  /// @throws InvalidArgument for a rate that is negative or no number, a probability beyond [0, 1]
  explicit FakeDevice(FakeDeviceOptions options = {});

  [[nodiscard]] DeviceProperties properties() const noexcept;
  /// @throws DeviceError
  [[nodiscard]] Queue make_queue() const;

  /// @throws ResourceExhausted with the bytes wanted and free
  template <class T>
  [[nodiscard]] Buffer<T> allocate(std::size_t n) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 256);
    return Buffer<T>(allocate_bytes(FakeKind::allocate, n, sizeof(T)), n);
  }
  /// @throws ResourceExhausted
  template <class T>
  [[nodiscard]] PinnedBuffer<T> allocate_pinned(std::size_t n) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 256);
    return PinnedBuffer<T>(allocate_bytes(FakeKind::allocate_pinned, n, sizeof(T)), n);
  }
  /// Page-locks the whole pages inside of `memory` in place until the result dies: then the copies
  /// that read them are done. Pages that are pinned already stay as they are.
  /// @throws ResourceExhausted beyond `pinned_bytes`; DeviceError
  [[nodiscard]] PinnedPages register_host(std::span<const std::byte> memory) const;
  [[nodiscard]] std::size_t free_bytes() const;
  /// For the interface's sake: this device keeps nothing that no buffer uses.
  void trim() const noexcept {}
  /// Overwrites memory that no queued work uses with zeros, at once. @throws DeviceError
  void wipe(DeviceSpan<std::byte> memory) const;

  /// From now on these; numbers of operations begin again. For any thread.
  void set_faults(FakeFaults faults) const;
  [[nodiscard]] FakeCounters counters() const;

 private:
  [[nodiscard]] std::shared_ptr<std::byte> allocate_bytes(FakeKind kind, std::size_t n,
                                                          std::size_t size) const;
  std::shared_ptr<fake::Device> state_;
};

static_assert(DeviceBackend<FakeDevice>);

}  // namespace zkgpu
