// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/allocate_each.hpp>
#include <zkgpu/prover/pipeline/memory/key.hpp>
#include <zkgpu/prover/pipeline/memory/release.hpp>

namespace zkgpu::pipeline {

/// Laws: `Store<B, Release>` is made from the device and a budget, which has admitted what `take`
/// is asked for, and is told by what `put` leads to when that is over; `take` throws
/// ResourceExhausted and leaves nothing behind; several threads may call both. `keeps`: what is
/// given back stays with the store, and nothing is released. `one_block`: see `memory_plan`.
template <class S>
concept BuffersPart = requires {
  { S::keeps } -> std::convertible_to<bool>;
  { S::one_block } -> std::convertible_to<bool>;
};

/// Memory policy: where the key is, where buffers come from, where they go, and whether rows that
/// the quotient has read go at once.
///
/// @tparam Key            load_per_proof, resident_host, budgeted_lru, resident_device or
///                        split_resident
/// @tparam Buffers        allocate_each, cached or arena
/// @tparam Release        free_inline, free_async, free_serialised; recycle where buffers are kept
/// @tparam early_release_ the rows a, b are given back after the quotient, not with their proof
template <class Key, class Buffers, class Release, bool early_release_>
struct memory {
  static_assert(KeyPart<Key>,
                "memory: the first part says where the key is, as resident_device does");
  static_assert(BuffersPart<Buffers>,
                "memory: the second part says where buffers come from, as cached does");
  static_assert(ReleasePart<Release>,
                "memory: the third part says where buffers go, as free_inline does");
  static_assert(Buffers::keeps || Release::frees,
                "memory: recycle needs a place that keeps buffers: take cached or arena with it");
  static_assert(!Buffers::keeps || !Release::frees,
                "memory: cached and arena keep their buffers, so none is freed: take recycle");

  static constexpr KeyPlace key = Key::place;
  static constexpr bool early_release = early_release_;
  static constexpr bool one_block = Buffers::one_block;

  /// What a source takes of the device at most, made with a plan of that many bytes.
  [[nodiscard]] static constexpr std::size_t footprint_bytes(std::size_t planned_bytes) noexcept {
    if constexpr (requires { Buffers::slack_bytes(planned_bytes); }) {
      return planned_bytes + Buffers::slack_bytes(planned_bytes);
    }
    return planned_bytes;
  }

  template <Backend B>
  class Source final : public BufferSource<B> {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    /// @param planned_bytes  most that is lent at once; more is refused
    Source(B& backend, std::size_t planned_bytes)
        : budget_(planned_bytes), store_(backend, budget_) {}

    Buffer acquire(std::size_t bytes) override {
      budget_.lend(bytes);
      try {
        return with_typed_memory_errors("memory policy", [&] { return store_.take(bytes); });
      } catch (...) {
        budget_.give_back(bytes);
        throw;
      }
    }
    void release(Buffer&& buffer) noexcept override { store_.put(std::move(buffer)); }
    /// What is lent.
    [[nodiscard]] const MemoryAccount& account() const noexcept { return budget_.account(); }
    /// Until all that was given back is where it goes. @return what it could not be wiped for, if
    /// so; the next `acquire` would have thrown it
    [[nodiscard]] std::exception_ptr settle() {
      budget_.settle();
      return budget_.take_failure();
    }

   private:
    MemoryBudget budget_;
    typename Buffers::template Store<B, Release> store_;
  };
};

/// Every buffer for itself: the oracle of the others, and what stages want that run by themselves.
using simple_memory = memory<resident_host, allocate_each, free_inline, true>;

}  // namespace zkgpu::pipeline
