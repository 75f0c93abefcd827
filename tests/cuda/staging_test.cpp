// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "../../cuda/runtime/staging.cpp"  // NOLINT: the backend is not built without a toolkit

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

namespace {

using zkgpu::cuda::PieceDevice;
using zkgpu::cuda::Staging;

/// A device whose memory is the host's, and whose copies are done when their piece is waited for:
/// a piece that is filled again too early shows in what arrives.
struct Device {
  struct Sent {
    std::span<const std::byte> from;
    std::byte* to = nullptr;
  };
  bool has_pinned_memory = true;
  std::size_t fails_at = ~std::size_t{0};  ///< the copy that fails
  std::atomic<std::size_t> copies{0};
  std::size_t obtained = 0;
  std::array<Sent, 64> last{};

  PieceDevice calls() {
    return {[this](std::size_t bytes) -> std::shared_ptr<std::byte> {
              if (!has_pinned_memory) throw zkgpu::ResourceExhausted("no pinned memory");
              obtained += bytes;
              return {new std::byte[bytes], std::default_delete<std::byte[]>()};
            },
            [this](unsigned piece, std::span<const std::byte> from, std::byte* to) {
              if (copies++ == fails_at) throw zkgpu::DeviceError("the copy that fails");
              last[piece] = {from, to};
            },
            [this](unsigned piece) { deliver(piece); }};
  }
  void deliver(unsigned piece) {
    const Sent sent = std::exchange(last[piece], {});
    if (sent.to != nullptr) std::memcpy(sent.to, sent.from.data(), sent.from.size());
  }
  void deliver_all() {
    for (unsigned piece = 0; piece < last.size(); ++piece) deliver(piece);
  }
};

std::vector<std::byte> random_bytes(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(n);
  for (auto& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

}  // namespace

TEST_CASE("what goes through a ring of pieces arrives, whatever its size", "[cuda][runtime]") {
  constexpr std::size_t piece = Staging::piece_bytes;
  for (unsigned threads : {1u, 2u, 5u}) {
    for (bool pinned : {true, false}) {
      Device device;
      device.has_pinned_memory = pinned;
      Staging staging(device.calls(), threads);
      for (std::size_t n :
           {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1, 7 * piece + 12345}) {
        INFO(n << " bytes, " << threads << " threads, pinned memory: " << pinned);
        const auto first = random_bytes(n, n);
        const auto second = random_bytes(n / 3, n + 1);
        std::vector<std::byte> got_first(n), got_second(n / 3);
        staging.begin(first, got_first.data());
        staging.begin(second, got_second.data());
        staging.finish();
        device.deliver_all();
        CHECK(got_first == first);
        CHECK(got_second == second);
      }
      CHECK(device.obtained == (pinned ? threads * Staging::pieces_of_thread * piece : 0));
    }
  }
}

TEST_CASE("a copy that fails ends its operation, and the next one works",
          "[cuda][runtime][fault]") {
  const auto bytes = random_bytes(9 * Staging::piece_bytes, 3);
  for (const std::size_t at : {0u, 1u, 4u, 8u}) {
    Device device;
    device.fails_at = at;
    std::vector<std::byte> lost(bytes.size()), got(bytes.size());
    Staging staging(device.calls(), 3);
    staging.begin(bytes, lost.data());
    CHECK_THROWS_AS(staging.finish(), zkgpu::DeviceError);
    staging.begin(bytes, got.data());
    CHECK_NOTHROW(staging.finish());
    device.deliver_all();
    CHECK(got == bytes);
  }
}

TEST_CASE("the ring is wiped when nothing of it is needed, and later copies come after that",
          "[cuda][runtime][secret]") {
  const auto first = random_bytes(9 * Staging::piece_bytes + 77, 4);
  const auto second = random_bytes(5 * Staging::piece_bytes, 5);
  std::vector<std::byte> got_first(first.size()), got_second(second.size());
  Device device;
  std::span<const std::byte> ring;
  PieceDevice calls = device.calls();
  calls.obtain = [&, obtain = calls.obtain](std::size_t bytes) {
    const auto memory = obtain(bytes);
    ring = {memory.get(), bytes};
    return memory;
  };
  Staging staging(calls, 3);
  const auto is_zero = [&] {
    return std::all_of(ring.begin(), ring.end(), [](std::byte b) { return b == std::byte{0}; });
  };
  staging.wipe();  // of nothing
  staging.begin(first, got_first.data());
  staging.finish();
  CHECK_FALSE(is_zero());
  staging.wipe();
  staging.finish();
  CHECK(is_zero());
  CHECK(got_first == first);  // the device had it before
  staging.begin(first, got_first.data());
  staging.finish();
  staging.wipe();
  staging.begin(second, got_second.data());
  staging.finish();
  device.deliver_all();
  CHECK(got_second == second);
  staging.wipe();
  staging.cancel();
  CHECK(is_zero());
}

TEST_CASE("copies that are cancelled read nothing any more", "[cuda][runtime][fault]") {
  Device device;
  std::vector<std::byte> got(64 * Staging::piece_bytes);
  Staging staging(device.calls(), 2);
  {
    const std::vector<std::byte> bytes(got.size());
    staging.begin(bytes, got.data());
    staging.cancel();
  }
  const std::size_t done = device.copies;
  CHECK(done <= 64);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(device.copies == done);
  staging.finish();  // nothing is left
}
