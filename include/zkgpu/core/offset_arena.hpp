// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

namespace zkgpu {

/// Cuts one block of memory into pieces, by their offsets alone: it touches no memory and knows no
/// address. For one thread at a time.
///
/// A request takes a free piece of exactly its size; else it is cut from what was never cut, which
/// free pieces at its edge join again; else free neighbours merge and the smallest that is large
/// enough is cut. Hence, for sizes rounded up to `alignment`, no request fails
///   - while for each size no more pieces are lent than some list has, and the list adds up to at
///     most the capacity: then pieces never merge, and there are never more of a size than that;
///   - while pieces come back in the reverse of the order in which they went, and those lent add
///     up to at most the capacity: then there is no gap;
/// and after any time without a lent piece the block is whole, whatever was before. Other orders
/// may leave what is free in pieces that are too small, as they may in any allocator that does not
/// move what it has lent.
class OffsetArena {
 public:
  static constexpr std::size_t alignment = 256;

  explicit OffsetArena(std::size_t capacity = 0) noexcept
      : capacity_(capacity / alignment * alignment) {}

  /// The offset of `bytes` bytes, or nothing if there is no such piece.
  /// @throws std::bad_alloc if its list, which only grows with the number of pieces, cannot grow
  [[nodiscard]] std::optional<std::size_t> take(std::size_t bytes) {
    if (bytes > capacity_ - used_) return std::nullopt;
    bytes = rounded(bytes);
    if (bytes > capacity_ - used_) return std::nullopt;
    // For the piece and the rest that it is cut from.
    if (pieces_.capacity() < pieces_.size() + 2) pieces_.reserve(2 * pieces_.size() + 16);
    auto at = std::find_if(pieces_.begin(), pieces_.end(),
                           [&](const Piece& piece) { return !piece.lent && piece.bytes == bytes; });
    if (at == pieces_.end()) at = cut(bytes);
    if (at == pieces_.end()) at = merge_and_cut(bytes);
    if (at == pieces_.end()) return std::nullopt;
    at->lent = true;
    used_ += bytes;
    return at->offset;
  }
  /// @param offset  from `take`, and not given back since
  void give_back(std::size_t offset) noexcept {
    const auto at = std::partition_point(pieces_.begin(), pieces_.end(),
                                         [&](const Piece& piece) { return piece.offset < offset; });
    if (at == pieces_.end() || at->offset != offset || !at->lent) return;
    at->lent = false;
    used_ -= at->bytes;
    while (!pieces_.empty() && !pieces_.back().lent) {
      uncut_ = pieces_.back().offset;
      pieces_.pop_back();
    }
  }

  [[nodiscard]] std::size_t capacity_bytes() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t used_bytes() const noexcept { return used_; }
  /// All pieces ever lent lay below this offset.
  [[nodiscard]] std::size_t high_water_bytes() const noexcept { return high_water_; }
  /// The largest request that would succeed now.
  [[nodiscard]] std::size_t largest_free_bytes() const noexcept {
    std::size_t largest = capacity_ - uncut_;
    std::size_t run = 0;
    for (const Piece& piece : pieces_) {
      run = piece.lent ? 0 : run + piece.bytes;
      largest = std::max(largest, run);
    }
    return largest;
  }

 private:
  struct Piece {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    bool lent = false;
  };
  using Pieces = std::vector<Piece>;

  static constexpr std::size_t rounded(std::size_t bytes) noexcept {
    return std::max<std::size_t>((bytes + alignment - 1) / alignment, 1) * alignment;
  }
  Pieces::iterator cut(std::size_t bytes) {
    if (capacity_ - uncut_ < bytes) return pieces_.end();
    pieces_.push_back({uncut_, bytes, false});
    uncut_ += bytes;
    high_water_ = std::max(high_water_, uncut_);
    return std::prev(pieces_.end());
  }
  /// The last piece is lent, so what was never cut has no free neighbour.
  Pieces::iterator merge_and_cut(std::size_t bytes) {
    Pieces::iterator last = pieces_.begin();
    for (auto at = pieces_.begin(); at != pieces_.end(); ++at) {
      if (at == last) continue;
      if (at->lent || last->lent) {
        *++last = *at;
      } else {
        last->bytes += at->bytes;
      }
    }
    if (!pieces_.empty()) pieces_.erase(std::next(last), pieces_.end());
    auto best = pieces_.end();
    for (auto at = pieces_.begin(); at != pieces_.end(); ++at) {
      if (at->lent || at->bytes < bytes) continue;
      if (best == pieces_.end() || at->bytes < best->bytes) best = at;
    }
    if (best == pieces_.end() || best->bytes == bytes) return best;
    const Piece rest{best->offset + bytes, best->bytes - bytes, false};
    best->bytes = bytes;
    return std::prev(pieces_.insert(std::next(best), rest));
  }

  Pieces pieces_;  // by offset, without gaps, up to uncut_
  std::size_t capacity_ = 0;
  std::size_t uncut_ = 0;  // from here on nothing is cut
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

}  // namespace zkgpu
