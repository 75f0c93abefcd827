// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "../../cuda/runtime/arena.cpp"  // NOLINT: the backend is not built without a toolkit

#include <map>
#include <memory>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

namespace {

/// Blocks of host memory, at most `limit` bytes of them.
struct Blocks {
  explicit Blocks(std::size_t most) : limit(most) {}
  std::size_t limit;
  std::size_t taken = 0;
  int calls = 0;
  std::map<std::byte*, std::pair<std::unique_ptr<std::byte[]>, std::size_t>> held;

  zkgpu::cuda::BlockSource source() {
    return {[this](std::size_t bytes) {
              if (taken + bytes > limit) throw zkgpu::ResourceExhausted("full");
              ++calls;
              taken += bytes;
              auto memory = std::make_unique<std::byte[]>(bytes);
              std::byte* at = memory.get();
              held[at] = {std::move(memory), bytes};
              return at;
            },
            [this](std::byte* memory) {
              taken -= held.at(memory).second;
              held.erase(memory);
            }};
  }
};

}  // namespace

TEST_CASE("pieces of an arena do not overlap, and come back as one", "[cuda][runtime]") {
  Blocks blocks(std::size_t{1} << 30);
  zkgpu::cuda::Arena arena(blocks.source());
  std::mt19937_64 random(61);
  std::map<std::byte*, std::size_t> lent;
  for (int i = 0; i < 2000; ++i) {
    if (lent.size() < 20 || random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % 100000;
      std::byte* memory = arena.allocate(bytes);
      const auto next = lent.lower_bound(memory);
      REQUIRE((next == lent.end() || memory + bytes <= next->first));
      if (next != lent.begin()) {
        REQUIRE(std::prev(next)->first + std::prev(next)->second <= memory);
      }
      lent[memory] = bytes;
    } else {
      auto it = lent.begin();
      std::advance(it, static_cast<long>(random() % lent.size()));
      arena.release(it->first);
      lent.erase(it);
    }
  }
  for (const auto& [memory, bytes] : lent) arena.release(memory);
  CHECK(arena.use().used_bytes == 0);
  const int calls = blocks.calls;
  arena.release(arena.allocate(std::size_t{20} << 20));  // all in one piece again
  CHECK(blocks.calls == calls);
  arena.trim();
  CHECK(arena.use().reserved_bytes == 0);
  CHECK(blocks.held.empty());
}

TEST_CASE("an arena that is full says so, gives free blocks back first, and works on",
          "[cuda][runtime]") {
  Blocks blocks(std::size_t{64} << 20);
  zkgpu::cuda::Arena arena(blocks.source());
  std::byte* small = arena.allocate(1000);  // a block of 32 MiB
  CHECK_THROWS_AS(arena.allocate(std::size_t{60} << 20), zkgpu::ResourceExhausted);
  arena.release(small);
  std::byte* large = arena.allocate(std::size_t{60} << 20);  // the free block made room
  CHECK(arena.use().used_bytes == std::size_t{60} << 20);
  arena.release(large);
  CHECK_THROWS_AS(arena.allocate(~std::size_t{0}), zkgpu::ResourceExhausted);
}
