// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

/// The third value of the memory policy: what becomes of a buffer that is given back. Here those
/// that free it in the caller's thread, and the one that frees nothing; `free_async.hpp` has the
/// other.
namespace zkgpu::pipeline {

/// Wiped and freed by whoever gives it back, before that call returns.
struct free_inline {
  static constexpr std::string_view name = "free_inline";
  static constexpr bool frees = true;

  template <Backend B>
  class Freer {
   public:
    Freer(B& backend, MemoryBudget& budget) noexcept : backend_(&backend), budget_(&budget) {}

    void free(typename BufferSource<B>::Buffer&& buffer) noexcept {
      const std::size_t bytes = buffer.size();
      {
        auto dying = std::move(buffer);
        wipe(*backend_, dying, *budget_);
      }
      budget_->give_back(bytes);
    }

   private:
    B* backend_;
    MemoryBudget* budget_;
  };
};

/// The same, one buffer at a time: an operating system and a driver serialise frees anyway, and
/// threads that queue here leave those that compute alone.
struct free_serialised {
  static constexpr std::string_view name = "free_serialised";
  static constexpr bool frees = true;

  template <Backend B>
  class Freer {
   public:
    Freer(B& backend, MemoryBudget& budget) noexcept : backend_(&backend), budget_(&budget) {}

    void free(typename BufferSource<B>::Buffer&& buffer) noexcept {
      const std::size_t bytes = buffer.size();
      auto dying = std::move(buffer);
      wipe(*backend_, dying, *budget_);
      {
        const std::scoped_lock lock(one_at_a_time_);
        dying = {};
      }
      budget_->give_back(bytes);
    }

   private:
    B* backend_;
    MemoryBudget* budget_;
    std::mutex one_at_a_time_;
  };
};

/// It goes back to the store that it came from, and nothing is freed.
struct recycle {
  static constexpr std::string_view name = "recycle";
  static constexpr bool frees = false;
};

template <class R>
concept ReleasePart = requires {
  { R::frees } -> std::convertible_to<bool>;
};

}  // namespace zkgpu::pipeline
