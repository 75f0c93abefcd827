// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "arena.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace zkgpu::cuda {

Arena::~Arena() {
  for (auto& [memory, piece] : pieces_) {
    if (piece.first) source_.release(memory);
  }
}

Arena::Pieces::iterator Arena::best_fit(std::size_t bytes) {
  auto best = pieces_.end();
  for (auto it = pieces_.begin(); it != pieces_.end(); ++it) {
    const Piece& piece = it->second;
    if (piece.used || piece.bytes < bytes) continue;
    if (best == pieces_.end() || piece.bytes < best->second.bytes) best = it;
  }
  return best;
}

std::byte* Arena::allocate(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(-1) - alignment) {
    throw ResourceExhausted("cuda: an allocation beyond the address space");
  }
  bytes = std::max<std::size_t>((bytes + alignment - 1) / alignment * alignment, alignment);
  const std::lock_guard<std::mutex> lock(mutex_);
  auto at = best_fit(bytes);
  if (at == pieces_.end()) {
    const std::size_t block_bytes = std::max(bytes, smallest_block);
    std::byte* block = nullptr;
    try {
      block = source_.obtain(block_bytes);
    } catch (const ResourceExhausted&) {
      trim_locked();  // blocks too small for this one may make room for it
      block = source_.obtain(bytes);
      at = pieces_.emplace(block, Piece{bytes, false, true}).first;
    }
    if (at == pieces_.end()) at = pieces_.emplace(block, Piece{block_bytes, false, true}).first;
  }
  const std::size_t rest = at->second.bytes - bytes;
  if (rest != 0) {
    pieces_.emplace(at->first + bytes, Piece{rest, false, false});
    at->second.bytes = bytes;
  }
  at->second.used = true;
  return at->first;
}

void Arena::release(std::byte* memory) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto at = pieces_.find(memory);
  if (at == pieces_.end()) return;
  at->second.used = false;
  const auto next = std::next(at);
  if (next != pieces_.end() && !next->second.used && !next->second.first) {
    at->second.bytes += next->second.bytes;
    pieces_.erase(next);
  }
  if (!at->second.first && at != pieces_.begin()) {
    const auto previous = std::prev(at);
    if (!previous->second.used) {
      previous->second.bytes += at->second.bytes;
      pieces_.erase(at);
    }
  }
}

void Arena::trim() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  trim_locked();
}

void Arena::trim_locked() noexcept {
  for (auto it = pieces_.begin(); it != pieces_.end();) {
    const auto next = std::next(it);
    const bool whole_block =
        it->second.first && !it->second.used && (next == pieces_.end() || next->second.first);
    if (whole_block) {
      source_.release(it->first);
      it = pieces_.erase(it);
    } else {
      it = next;
    }
  }
}

ArenaUse Arena::use() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  ArenaUse use;
  for (const auto& [memory, piece] : pieces_) {
    use.reserved_bytes += piece.bytes;
    if (piece.used) use.used_bytes += piece.bytes;
  }
  return use;
}

}  // namespace zkgpu::cuda
