// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace zkgpu::cuda {

/// How pieces get from the host's memory to a device: the runtime's calls, or a test's. Threads
/// call `send` and `wait` at a time, never two for one piece.
struct PieceDevice {
  /// Pinned memory; throws ResourceExhausted
  std::function<std::shared_ptr<std::byte>(std::size_t bytes)> obtain;
  /// Begins to copy to the device, and remembers it as the last copy of that piece.
  std::function<void(unsigned piece, std::span<const std::byte> from, std::byte* to)> send;
  /// Until the last copy of that piece is done.
  std::function<void(unsigned piece)> wait;
};

/// Copies pageable memory to a device by a ring of pinned pieces: each thread fills one of its two
/// while the device empties the other. Where pinned memory cannot be had, threads hand the device
/// what is in the caller's.
class Staging {
 public:
  static constexpr std::size_t piece_bytes = std::size_t{2} << 20;  // tens of µs on the bus
  static constexpr unsigned pieces_of_thread = 2;

  Staging(PieceDevice device, unsigned threads) : device_(std::move(device)), count_(threads) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();

  /// Begins to copy. `from` stays as it is until `finish` or `cancel` returns.
  void begin(std::span<const std::byte> from, std::byte* to);
  /// Until all that was begun is with the device, which may not have it in its memory yet.
  /// @throws what a thread failed with; the rest is given up then
  void finish();
  /// Gives up what no thread has begun, and waits for what one has.
  void cancel() noexcept;
  /// Begins to write zeros over the ring, after what was begun, when the device has read it; each
  /// thread its pieces. `finish` and `cancel` wait for that too, and later copies come after it.
  void wipe() noexcept;

 private:
  struct Copy {
    std::span<const std::byte> from;
    std::byte* to = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] std::size_t ring_bytes() const noexcept {
    return count_ * pieces_of_thread * piece_bytes;
  }
  void start();
  void work(unsigned thread) noexcept;
  void copy(unsigned piece, const Copy& part);
  void wipe_pieces(unsigned thread) noexcept;
  Copy take_locked();

  PieceDevice device_;
  unsigned count_;
  std::mutex mutex_;
  std::condition_variable more_;
  std::condition_variable idle_;
  std::deque<Copy> waiting_;
  std::size_t in_work_ = 0;  ///< copies, and threads that wipe
  std::vector<char> wipes_;  ///< for each thread: is it to wipe its pieces?
  bool ends_ = false;
  std::exception_ptr failure_;
  std::shared_ptr<std::byte> ring_;
  std::vector<std::thread> threads_;
};

}  // namespace zkgpu::cuda
