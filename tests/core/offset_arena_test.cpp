// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <zkgpu/core/offset_arena.hpp>

using zkgpu::OffsetArena;

namespace {

constexpr std::size_t step = OffsetArena::alignment;

std::size_t rounded(std::size_t bytes) {
  return std::max<std::size_t>((bytes + step - 1) / step, 1) * step;
}

/// What is lent, checked against every new piece.
class Lent {
 public:
  explicit Lent(OffsetArena& arena) : arena_(&arena) {}
  /// @return whether there was such a piece
  bool take(std::size_t bytes) {
    const auto offset = arena_->take(bytes);
    if (!offset) return false;
    REQUIRE(*offset % step == 0);
    REQUIRE(*offset + bytes <= arena_->capacity_bytes());
    REQUIRE(*offset + bytes <= arena_->high_water_bytes());
    const auto next = pieces_.lower_bound(*offset);
    if (next != pieces_.end()) REQUIRE(*offset + bytes <= next->first);
    if (next != pieces_.begin()) {
      REQUIRE(std::prev(next)->first + std::prev(next)->second <= *offset);
    }
    pieces_[*offset] = bytes;
    order_.push_back(*offset);
    return true;
  }
  void give_back(std::size_t which) {
    const std::size_t offset = order_[which];
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(which));
    arena_->give_back(offset);
    pieces_.erase(offset);
  }
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t bytes_of(std::size_t which) const { return pieces_.at(order_[which]); }

 private:
  OffsetArena* arena_;
  std::map<std::size_t, std::size_t> pieces_;
  std::vector<std::size_t> order_;
};

}  // namespace

TEST_CASE("a list of buffers that adds up to the capacity fits in every order", "[core][law]") {
  std::mt19937_64 random(71);
  for (int list = 0; list < 200; ++list) {
    std::vector<std::size_t> sizes(1 + random() % 30);
    for (std::size_t& size : sizes) {  // some sizes occur twice and more
      size = 1 + random() % (random() % 2 == 0 ? 3000 : 100000);
      if (random() % 3 == 0) size = sizes.front();
    }
    std::size_t capacity = 0;
    for (const std::size_t size : sizes) capacity += rounded(size);
    OffsetArena arena(capacity);
    Lent lent(arena);
    std::vector<std::size_t> absent = sizes;
    for (int i = 0; i < 500; ++i) {
      const std::size_t percent = i / 50 % 2 == 0 ? 70 : 30;  // fills, empties
      if (!absent.empty() && random() % 100 < percent) {
        std::swap(absent.back(), absent[random() % absent.size()]);
        REQUIRE(lent.take(absent.back()));
        absent.pop_back();
      } else if (lent.size() != 0) {
        const std::size_t which = random() % lent.size();
        absent.push_back(lent.bytes_of(which));
        lent.give_back(which);
      }
    }
    while (!absent.empty()) {  // all at once
      REQUIRE(lent.take(absent.back()));
      absent.pop_back();
    }
    CHECK(arena.used_bytes() == capacity);
    CHECK(!lent.take(1));
    while (lent.size() != 0) lent.give_back(random() % lent.size());
    CHECK(arena.used_bytes() == 0);
    CHECK(arena.largest_free_bytes() == capacity);
  }
}

TEST_CASE("pieces that come back in reverse leave no gap", "[core][law]") {
  std::mt19937_64 random(72);
  const std::size_t capacity = 1000 * step;
  OffsetArena arena(capacity);
  Lent lent(arena);
  for (int i = 0; i < 20000; ++i) {
    const std::size_t bytes = 1 + random() % (400 * step);
    if (random() % 2 == 0) {
      const bool fits = rounded(bytes) <= capacity - arena.used_bytes();
      CHECK(arena.largest_free_bytes() == capacity - arena.used_bytes());
      CHECK(lent.take(bytes) == fits);
    } else if (lent.size() != 0) {
      lent.give_back(lent.size() - 1);
    }
  }
}

TEST_CASE("in any other order pieces do not overlap, and merge where nothing else is left",
          "[core][law]") {
  std::mt19937_64 random(73);
  OffsetArena arena(2000 * step);
  Lent lent(arena);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 100 < (i / 1000 % 2 == 0 ? 60U : 40U)) {
      const std::size_t bytes = 1 + random() % (300 * step);
      const std::size_t largest = arena.largest_free_bytes();
      const bool got = lent.take(bytes);
      CHECK(got == (rounded(bytes) <= largest));
      refused += got ? 0 : 1;
    } else if (lent.size() != 0) {
      lent.give_back(random() % lent.size());
    }
  }
  CHECK(refused > 100);
  while (lent.size() != 0) lent.give_back(0);
  CHECK(lent.take(2000 * step));  // whole again
}

TEST_CASE("an arena refuses what cannot be, and nothing is one step", "[core][edge]") {
  OffsetArena none;
  CHECK(!none.take(0));
  CHECK(!none.take(1));
  OffsetArena arena(3 * step + 17);
  CHECK(arena.capacity_bytes() == 3 * step);
  CHECK(!arena.take(3 * step + 1));
  CHECK(!arena.take(static_cast<std::size_t>(-1)));
  const auto empty = arena.take(0);
  REQUIRE(empty);
  CHECK(arena.used_bytes() == step);
  arena.give_back(12345);  // no piece of it
  CHECK(arena.used_bytes() == step);
  arena.give_back(*empty);
  arena.give_back(*empty);
  CHECK(arena.used_bytes() == 0);
  CHECK(arena.take(3 * step) == 0);
}
