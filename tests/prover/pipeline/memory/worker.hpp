// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::test {

/// Writes and reads memory of a backend as its stages do.
template <class B>
class Hand {
 public:
  explicit Hand(B& backend) : queue_(backend.make_queue()) {}
  void fill(const Scratch<std::byte, B>& memory, int value) {
    if constexpr (pipeline::host_memory<B>) {
      std::memset(memory.span().data(), value, memory.size());
    } else {
      queue_.fill_bytes(memory.span(), value);
      queue_.wait();
    }
  }
  [[nodiscard]] bool holds(const Scratch<std::byte, B>& memory, int value) {
    std::vector<std::byte> bytes(memory.size());
    const typename B::template Span<const std::byte> from(memory.span());
    queue_.download(from, std::span<std::byte>(bytes));
    queue_.wait();
    return std::all_of(bytes.begin(), bytes.end(),
                       [&](std::byte b) { return b == static_cast<std::byte>(value); });
  }

 private:
  typename B::Queue queue_;
};

/// Buffers of one proof, some of the same size: what its plan counts.
inline constexpr std::array<std::size_t, 6> sizes = {100, 100, 5000, 4096, 77777, 1};
inline constexpr std::size_t of_one_proof = 100 + 100 + 5000 + 4096 + 77777 + 1;

/// Takes the buffers of one proof and gives them back in any order, watching what is in them.
template <class B>
class Worker {
 public:
  Worker(B& backend, BufferSource<B>& source, int proof)
      : source_(source),
        hand_(backend),
        proof_(proof),
        random_(static_cast<unsigned>(80 + proof)) {}

  void step() {
    const std::size_t which = random_() % sizes.size();
    held_[which] ? give_back(which) : take(which);
  }
  void take_all() {
    for (std::size_t which = 0; which < sizes.size(); ++which) {
      if (!held_[which]) take(which);
    }
  }
  /// How often something of somebody else was in a buffer.
  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  [[nodiscard]] int mark(std::size_t which) const {
    return 1 + proof_ * 16 + static_cast<int>(which);
  }
  void take(std::size_t which) {
    const auto& taken = held_[which].emplace(source_, sizes[which]);
    if (pipeline::host_memory<B> && !hand_.holds(taken, 0)) ++wrong_;  // new, or wiped
    const auto address = reinterpret_cast<std::uintptr_t>(taken.span().data());
    wrong_ += address % alignof(std::max_align_t) == 0 ? 0 : 1;
    hand_.fill(taken, mark(which));
  }
  void give_back(std::size_t which) {
    wrong_ += hand_.holds(*held_[which], mark(which)) ? 0 : 1;
    held_[which].reset();
  }

  BufferSource<B>& source_;
  Hand<B> hand_;
  int proof_;
  std::mt19937_64 random_;
  std::array<std::optional<Scratch<std::byte, B>>, sizes.size()> held_;
  int wrong_ = 0;
};

}  // namespace zkgpu::test
