// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/offset_arena.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::pipeline {

/// Buffer policy: one block of the planned size, taken when a buffer is first asked for and kept
/// until the end; buffers are pieces of it, 256-byte aligned. After that nothing is allocated or
/// freed. A large block of the host is in huge pages.
///
/// A block cannot be packed in every order of taking and giving back. It can be where the plan is
/// the sum of all buffers that are ever lent at once, each counted for itself (`one_block` asks for
/// that plan): every order of those fits. See OffsetArena for why, and docs/decisions/0009 for what
/// else was thought of.
///
/// Host memory is wiped piece by piece when it comes back, device memory at the end.
struct arena {
  static constexpr std::string_view name = "arena";
  static constexpr bool keeps = true;
  static constexpr bool one_block = true;

  /// Of the block, beyond the plan: pieces are multiples of 256 bytes, which costs a thousand
  /// buffers 256 KiB, and those of more proofs in flight 1.6 % if they have 16 KiB on average.
  [[nodiscard]] static constexpr std::size_t slack_bytes(std::size_t planned_bytes) noexcept {
    return (std::size_t{256} << 10) + planned_bytes / 64;
  }

  template <Backend B, class Release>
  class Store {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    static_assert(
        requires(Buffer & block) {
          { block.piece(std::size_t{}, std::size_t{}) } -> std::same_as<Buffer>;
        },
        "arena: the backend's buffers cannot be cut: give them piece(first, size), or take cached");

    Store(B& backend, MemoryBudget& budget) : backend_(&backend), budget_(&budget) {
      if (budget.planned_bytes() > unplanned / 2) {
        throw InvalidArgument("arena: a block needs a plan of its bytes");
      }
    }
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    ~Store() {
      if constexpr (!host_memory<B>) {
        if (block_.size() == 0) return;
        Buffer touched = block_.piece(0, first_ + arena_.high_water_bytes());
        wipe(*backend_, touched, *budget_);
      }
    }

    Buffer take(std::size_t bytes) {
      if (bytes == 0) return Buffer{};
      const std::scoped_lock lock(mutex_);
      if (block_.size() == 0) obtain();
      const auto offset = arena_.take(bytes);
      if (!offset) refuse(bytes);
      return block_.piece(first_ + *offset, bytes);
    }
    void put(Buffer&& buffer) noexcept {
      Buffer returned = std::move(buffer);
      const std::size_t bytes = returned.size();
      if (bytes == 0) return;
      if constexpr (host_memory<B>) wipe(*backend_, returned, *budget_);
      {
        const std::scoped_lock lock(mutex_);
        const auto at = static_cast<std::size_t>(returned.data() - block_.data());
        arena_.give_back(at - first_);
      }
      budget_->give_back(bytes);
    }

   private:
    void obtain() {
      constexpr std::size_t alignment = OffsetArena::alignment;
      const std::size_t planned = budget_->planned_bytes();
      Buffer block = backend_->template allocate<std::byte>(planned + slack_bytes(planned));
      const auto address = reinterpret_cast<std::uintptr_t>(block.data());
      first_ = (alignment - address % alignment) % alignment;
      arena_ = OffsetArena(block.size() - first_);
      block_ = std::move(block);
    }
    [[noreturn]] void refuse(std::size_t bytes) const {
      throw ResourceExhausted("arena: " + std::to_string(bytes) + " bytes of a block of " +
                              std::to_string(arena_.capacity_bytes()) + ", " +
                              std::to_string(arena_.used_bytes()) +
                              " of which are lent and the rest is in pieces of at most " +
                              std::to_string(arena_.largest_free_bytes()) + "; " +
                              std::to_string(budget_->planned_bytes()) + " were planned");
    }

    B* backend_;
    MemoryBudget* budget_;
    std::mutex mutex_;
    Buffer block_;
    std::size_t first_ = 0;  // of the block's aligned part
    OffsetArena arena_;
  };
};

}  // namespace zkgpu::pipeline
