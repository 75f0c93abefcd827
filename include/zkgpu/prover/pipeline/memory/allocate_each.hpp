// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>

namespace zkgpu::pipeline {

/// Buffer policy: the backend's allocator is asked each time, and the release policy frees. Nothing
/// stays between proofs; the simplest, and the oracle of the others.
struct allocate_each {
  static constexpr std::string_view name = "allocate_each";
  static constexpr bool keeps = false;
  static constexpr bool one_block = false;

  template <Backend B, class Release>
  class Store {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    Store(B& backend, MemoryBudget& budget) : backend_(&backend), freer_(backend, budget) {}

    Buffer take(std::size_t bytes) { return backend_->template allocate<std::byte>(bytes); }
    void put(Buffer&& buffer) noexcept { freer_.free(std::move(buffer)); }

   private:
    B* backend_;
    typename Release::template Freer<B> freer_;
  };
};

}  // namespace zkgpu::pipeline
