// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/backend/page_registry.hpp>

namespace zkgpu::fake {

using Clock = std::chrono::steady_clock;

/// Why something has failed, if it has: set once. Works without memory too, but for the reason.
class Failure {
 public:
  void set(const char* why) noexcept {
    if (failed_) return;
    failed_ = true;
    try {
      text_ = why;
    } catch (const std::bad_alloc&) {
    }
  }
  /// Null: it has not. What it points to stays as it is.
  [[nodiscard]] const char* text() const noexcept { return failed_ ? text_.c_str() : nullptr; }

 private:
  bool failed_ = false;
  std::string text_;
};

/// One allocation. Its bytes stay as long as anybody has it; for the device it dies with `live`.
struct Block {
  explicit Block(std::size_t n);  // throws std::bad_alloc
  Block(std::byte* there, std::size_t n) noexcept : data(there), bytes(n), owned(false) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  std::byte* const data;
  const std::size_t bytes;
  const bool owned = true;
  bool live = true;         // of the pool's mutex, as the next
  std::size_t pending = 0;  // pieces of queued work that were given it
};

class Pool;

/// Queued work has been given a block.
class Lease {
 public:
  Lease(Pool& pool, std::shared_ptr<Block> block) noexcept
      : pool_(&pool), block_(std::move(block)) {}
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();
  /// @throws DeviceError if the memory was freed
  void check() const;

 private:
  Pool* pool_;
  std::shared_ptr<Block> block_;
};

/// Memory of one kind with a limit, and who uses it.
class Pool {
 public:
  static constexpr std::size_t alignment = 256;

  Pool(const char* what, std::size_t limit) : what_(what), limit_(limit) {}

  /// @throws ResourceExhausted with the bytes wanted and free
  std::shared_ptr<Block> allocate(std::size_t bytes);
  /// The same for memory that is there already.
  void adopt(std::span<std::byte> memory);
  /// What `allocate` throws where the limit is passed.
  [[noreturn]] void refuse(std::size_t bytes, const char* why) const;
  void release(const std::shared_ptr<Block>& block) noexcept;
  /// The block that begins there.
  void release(const std::byte* data) noexcept;
  /// The live block that these bytes lie in, for work that will use it.
  std::optional<Lease> lease(const void* data, std::size_t bytes);
  /// A misuse if these bytes lie in no live block, or queued work was given it.
  void wipe(std::byte* data, std::size_t bytes) noexcept;

  [[nodiscard]] std::size_t used() const;
  [[nodiscard]] std::size_t peak() const;
  [[nodiscard]] std::size_t free() const { return limit_ - used(); }
  [[nodiscard]] std::uint64_t misuses() const;
  [[nodiscard]] std::uint64_t wiped_bytes() const;

 private:
  friend class Lease;
  /// A block of `bytes` that make() makes. @throws ResourceExhausted
  template <class Make>
  std::shared_ptr<Block> add(std::size_t bytes, const Make& make);
  std::shared_ptr<Block> find_locked(const void* data, std::size_t bytes) const;

  const char* const what_;
  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::map<const std::byte*, std::shared_ptr<Block>> blocks_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::uint64_t misuses_ = 0;
  std::uint64_t wiped_bytes_ = 0;
};

/// One direction of the bus: one transfer at a time, in the order in which they are ready.
class TransferEngine {
 public:
  explicit TransferEngine(double bytes_per_second) : bytes_per_second_(bytes_per_second) {}
  /// Until the time of the transfer is over; the bytes move at its end.
  /// @param ready  when what it waits for was done
  /// @return when it was over by the rate: this thread notices that later
  Clock::time_point transfer(const void* from, void* to, std::size_t bytes, double part_of_rate,
                             Clock::time_point ready);

 private:
  const double bytes_per_second_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;
  std::uint64_t serving_ = 0;
  Clock::time_point free_at_{};  // of who is served
};

/// FakeFaults, and how far the device has come with them.
class FaultPlan {
 public:
  explicit FaultPlan(FakeFaults faults);  // throws InvalidArgument
  /// Numbers an operation. @return how it is to go wrong
  std::optional<FakeEffect> number(FakeOperation& operation);
  /// @return whether there is anything to be called
  bool before(const FakeOperation& operation) const {
    if (faults_.before) faults_.before(operation);
    return static_cast<bool>(faults_.before);
  }
  [[nodiscard]] std::uint64_t operations() const;

 private:
  const FakeFaults faults_;
  mutable std::mutex mutex_;
  std::uint64_t operations_ = 0;
  std::array<std::uint64_t, fake_kinds> of_kind_{};
};

class Device {
 public:
  explicit Device(FakeDeviceOptions wanted);

  /// @throws DeviceError if a failure has ended the whole device
  void check() const;
  void fail(const char* why) noexcept;
  [[nodiscard]] std::shared_ptr<FaultPlan> plan() const;
  void set_plan(std::shared_ptr<FaultPlan> plan);
  /// An operation of the device itself. @throws what it fails with
  void perform(FakeKind kind, std::size_t bytes);

  const FakeDeviceOptions options;  // without the faults
  Pool memory;
  Pool pinned;
  PageRegistry registry;
  TransferEngine uploads;
  TransferEngine downloads;
  std::atomic<std::size_t> queues{0};
  std::atomic<std::uint64_t> queues_made{0};
  std::atomic<std::uint64_t> allocations{0};
  std::atomic<std::size_t> registered_bytes{0};
  std::atomic<std::uint64_t> registrations{0};
  std::atomic<std::uint64_t> launches{0};
  std::atomic<std::uint64_t> waits{0};
  std::atomic<std::uint64_t> copies{0};
  std::atomic<std::uint64_t> upload_bytes{0};
  std::atomic<std::uint64_t> download_bytes{0};
  std::atomic<std::uint64_t> pageable_bytes{0};

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<FaultPlan> plan_;
  Failure failure_;
};

/// One recording of an event.
class Recording {
 public:
  /// @param time  when it was due: the thread of the queue may have come to it later
  void happen(Clock::time_point time) noexcept { end(nullptr, time); }
  void fail(const char* why) noexcept { end(why, Clock::now()); }
  /// Until it has happened. @throws DeviceError if its queue failed before
  Clock::time_point wait() const;
  /// @throws DeviceError if it has not happened
  [[nodiscard]] Clock::time_point time() const;

 private:
  void end(const char* why, Clock::time_point time) noexcept;
  [[nodiscard]] Clock::time_point time_locked() const;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ended_ = false;
  Failure failure_;
  Clock::time_point time_{};
};

class Event {
 public:
  void set(std::shared_ptr<Recording> recording);
  /// The latest; none: it was never recorded.
  [[nodiscard]] std::shared_ptr<Recording> recording() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Recording> recording_;
};

/// What a queue keeps of an operation until its turn.
struct Step {
  FakeOperation operation;
  std::shared_ptr<FaultPlan> plan;
  std::optional<FakeEffect> effect;
  std::vector<Lease> leases;
  std::span<std::byte> written;  // what `corrupt` may touch
  std::unique_ptr<Work> work;
  Clock::time_point enqueued;
};

class Queue {
 public:
  /// @throws ResourceExhausted if the host has no thread left
  explicit Queue(std::shared_ptr<Device> device);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  [[nodiscard]] Device& device() const noexcept { return *device_; }
  /// When the work that runs was due by the rates of the device. For that work.
  [[nodiscard]] Clock::time_point due() const noexcept { return due_; }
  void set_due(Clock::time_point next) noexcept { due_ = next; }
  /// A step to be filled, if the queue takes more. @throws DeviceError, also if it is to fail
  Step begin(FakeKind kind, const char* name, std::size_t bytes) const;
  /// Notes that the step uses memory of the device. @throws DeviceError if it is not the device's
  void use(Step& step, const void* data, std::size_t bytes) const;
  void enqueue(Step step);
  void wait();

 private:
  void run() noexcept;
  void carry_out(Step& step) noexcept;
  void fail(const char* why, std::exception_ptr exception) noexcept;
  [[nodiscard]] const char* failed() const;  // why; null: it has not

  const std::shared_ptr<Device> device_;
  const std::uint64_t number_;
  mutable std::mutex mutex_;
  std::condition_variable more_;
  std::condition_variable done_;
  std::deque<Step> pending_;
  std::uint64_t enqueued_ = 0;
  std::uint64_t completed_ = 0;
  bool ending_ = false;
  Clock::time_point due_{};  // of the queue's thread
  std::exception_ptr exception_;
  Failure failure_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace zkgpu::fake
