// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <zkgpu/prover/groth16/stages/query_cache.hpp>

using zkgpu::QueryCache;

namespace {

const std::array<int, 4> names{};

/// What is kept under a name, as many of it as there are.
struct Thing {
  explicit Thing(std::atomic<int>& alive_) : alive(alive_) { ++alive; }
  Thing(const Thing&) = delete;
  Thing& operator=(const Thing&) = delete;
  ~Thing() { --alive; }
  std::atomic<int>& alive;
};

struct Shelf {
  QueryCache cache;
  std::atomic<int> alive = 0, made = 0;
  explicit Shelf(std::size_t budget, std::size_t most_uses = QueryCache::unlimited)
      : cache(budget, most_uses) {}
  std::shared_ptr<const Thing> use(std::size_t name, std::size_t bytes) {
    return cache.use<Thing>(&names[name], bytes, [&] {
      ++made;
      return std::make_shared<const Thing>(alive);
    });
  }
};

}  // namespace

TEST_CASE("a cache keeps what was asked for last within its budget", "[pipeline]") {
  Shelf shelf(100);
  CHECK(shelf.use(0, 40) != nullptr);
  CHECK(shelf.use(1, 40) != nullptr);
  CHECK(shelf.use(0, 40) != nullptr);
  CHECK(shelf.made == 2);
  CHECK(shelf.use(2, 40) != nullptr);  // 1 goes
  CHECK(shelf.alive == 2);
  CHECK(shelf.cache.bytes() == 80);
  CHECK(shelf.use(0, 40) != nullptr);
  CHECK(shelf.made == 3);
  CHECK(shelf.use(1, 40) != nullptr);  // 2 goes
  CHECK(shelf.made == 4);
  CHECK(shelf.use(3, 100) != nullptr);  // all go
  CHECK(shelf.alive == 1);
  CHECK(shelf.use(0, 101) == nullptr);
  CHECK(shelf.cache.bytes() == 100);
}

TEST_CASE("what somebody uses does not leave a cache", "[pipeline]") {
  Shelf shelf(100);
  const auto first = shelf.use(0, 60);
  CHECK(shelf.use(1, 60) == nullptr);
  CHECK(shelf.use(2, 40) != nullptr);
  CHECK(shelf.use(1, 60) == nullptr);
  CHECK(shelf.cache.bytes() == 100);  // nothing went in vain
  CHECK(shelf.use(0, 60) == first);
}

TEST_CASE("what was made for some uses goes with the last of them", "[pipeline]") {
  Shelf shelf(100, 3);
  {
    const auto first = shelf.use(0, 60);
    const auto second = shelf.use(0, 60);
    CHECK(shelf.use(0, 60) == first);
    CHECK(shelf.made == 1);
    CHECK(shelf.cache.bytes() == 60);    // two still use it
    CHECK(shelf.use(0, 60) == nullptr);  // a second one has no room beside it
    CHECK(shelf.use(1, 40) != nullptr);
  }
  CHECK(shelf.alive == 1);
  CHECK(shelf.cache.bytes() == 40);
  CHECK(shelf.use(0, 60) != nullptr);
  CHECK(shelf.made == 3);
  CHECK(shelf.use(1, 40) != nullptr);
  CHECK(shelf.use(2, 60) != nullptr);  // 0 goes before its time
  CHECK(shelf.use(2, 60) != nullptr);
  CHECK(shelf.use(2, 60) != nullptr);
  CHECK(shelf.cache.bytes() == 40);
  CHECK(shelf.alive == 1);
}

TEST_CASE("what cannot be made leaves a cache as it was", "[pipeline][fault]") {
  Shelf shelf(100);
  const auto fail = [&]() -> std::shared_ptr<const Thing> { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(shelf.cache.use<Thing>(&names[0], 60, fail), std::runtime_error);
  CHECK(shelf.cache.bytes() == 0);
  CHECK(shelf.use(0, 100) != nullptr);
}

TEST_CASE("threads share what one of them makes, within the budget", "[pipeline][thread]") {
  const std::size_t most_uses = GENERATE(std::size_t{2}, QueryCache::unlimited);
  Shelf shelf(100, most_uses);
  std::atomic<bool> good = true;
  const auto work = [&](std::size_t seed) {
    for (std::size_t i = 0; i < 500; ++i) {
      const auto mine = shelf.use((seed + i * i) % names.size(), 40);
      if (shelf.alive > 2) good = false;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  CHECK(good);
  CHECK(shelf.cache.bytes() <= 100);
  CHECK(shelf.alive == static_cast<int>(shelf.cache.bytes() / 40));
}
