// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::pipeline {

/// Buffer policy: buffers that are given back are kept, and lent again to whoever asks for exactly
/// as many bytes, as the same stage of the next proof does. Where stages run beside each other and
/// their plan counts every buffer for itself, nothing is freed until the end, and nothing allocated
/// when each size was once lent as often at a time as it ever is.
///
/// What is lent and what is kept stay within the plan together: where a new buffer would not fit,
/// those that were kept longest are freed first. A staging that plans less than all buffers thereby
/// pays for some of them again in every proof.
///
/// Host memory is wiped before it is kept. Device memory is wiped before it is freed: until then
/// only stages of the same prover get it, and gigabytes a proof would be written for nothing.
struct cached {
  static constexpr std::string_view name = "cached";
  static constexpr bool keeps = true;
  static constexpr bool one_block = false;

  template <Backend B, class Release>
  class Store {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    Store(B& backend, MemoryBudget& budget) noexcept : backend_(&backend), budget_(&budget) {}
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    ~Store() {
      for (Buffer& buffer : kept_) end(std::move(buffer));
    }

    Buffer take(std::size_t bytes) {
      if (bytes == 0) return Buffer{};
      {
        const std::scoped_lock lock(mutex_);
        const auto same = std::find_if(kept_.begin(), kept_.end(), [&](const Buffer& buffer) {
          return buffer.size() == bytes;
        });
        if (same != kept_.end()) return take_out(same);
        while (!kept_.empty() && kept_bytes_ > room()) end(take_out(kept_.begin()));
        // So that `put`, which must not fail, finds a place: for those out, and this one.
        if (kept_.capacity() <= made_) kept_.reserve(2 * made_ + 16);
        ++made_;
      }
      try {
        return backend_->template allocate<std::byte>(bytes);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        --made_;
        throw;
      }
    }
    void put(Buffer&& buffer) noexcept {
      Buffer returned = std::move(buffer);
      const std::size_t bytes = returned.size();
      if (bytes == 0) return;
      if constexpr (host_memory<B>) wipe(*backend_, returned, *budget_);
      const std::scoped_lock lock(mutex_);
      kept_bytes_ += bytes;
      kept_.push_back(std::move(returned));
      budget_->give_back(bytes);
    }

   private:
    using Kept = std::vector<Buffer>;
    /// Bytes of the plan that are not lent; what `take` was asked for is.
    [[nodiscard]] std::size_t room() const noexcept {
      return budget_->planned_bytes() - budget_->account().in_use_bytes();
    }
    Buffer take_out(typename Kept::iterator at) noexcept {
      Buffer taken = std::move(*at);
      kept_.erase(at);
      kept_bytes_ -= taken.size();
      return taken;
    }
    void end(Buffer&& buffer) noexcept {
      Buffer dying = std::move(buffer);
      if constexpr (!host_memory<B>) wipe(*backend_, dying, *budget_);
      --made_;
    }

    B* backend_;
    MemoryBudget* budget_;
    std::mutex mutex_;
    Kept kept_;  // the longest kept first
    std::size_t kept_bytes_ = 0;
    std::size_t made_ = 0;  // buffers kept or lent
  };
};

}  // namespace zkgpu::pipeline
