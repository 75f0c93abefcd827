// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::pipeline {

/// Memory policy: buffers that are given back are wiped and kept, and lent again to whoever asks
/// for as many bytes, as the same stage of the next proof does. From the second proof of a circuit
/// on nothing is allocated or freed.
///
/// Host memory is also lent for up to a quarter less, since fresh pages cost more than they save.
/// Device memory is not: what is kept and lent together is then at most what a staging plans that
/// lets every stage have its memory at once (one that does not wants `allocate_each`). It is wiped
/// when the prover dies: until then only its own stages get it, and gigabytes a proof would be
/// written for nothing.
struct recycle {
  template <Backend B>
  class Source final : public BufferSource<B> {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    explicit Source(B& backend) noexcept : backend_(&backend) {}
    ~Source() override {
      if constexpr (!host_memory<B>) {
        for (Buffer& buffer : kept_) wipe(*backend_, buffer);
      }
    }

    Buffer acquire(std::size_t bytes) override {
      Buffer buffer = take(bytes);
      if (buffer.span().size() < bytes) buffer = backend_->template allocate<std::byte>(bytes);
      account_.add(buffer.span().size());
      return buffer;
    }
    void release(Buffer&& buffer) noexcept override {
      Buffer returned = std::move(buffer);
      if constexpr (host_memory<B>) wipe(*backend_, returned);
      account_.subtract(returned.span().size());
      try {
        const std::scoped_lock lock(mutex_);
        kept_.push_back(std::move(returned));
      } catch (const std::exception&) {
        // No memory for the list's entry, or no lock: the buffer is freed instead of kept.
        if constexpr (!host_memory<B>) wipe(*backend_, returned);
      }
    }
    [[nodiscard]] const MemoryAccount& account() const noexcept { return account_; }
    /// Bytes kept and lent to nobody.
    [[nodiscard]] std::size_t kept_bytes() const {
      const std::scoped_lock lock(mutex_);
      std::size_t total = 0;
      for (const Buffer& buffer : kept_) total += buffer.span().size();
      return total;
    }

   private:
    Buffer take(std::size_t bytes) {
      const std::scoped_lock lock(mutex_);
      const std::size_t most = host_memory<B> ? bytes + bytes / 4 : bytes;
      auto best = kept_.end();
      for (auto it = kept_.begin(); it != kept_.end(); ++it) {
        const std::size_t size = it->span().size();
        if (size < bytes || size > most) continue;
        if (best == kept_.end() || size < best->span().size()) best = it;
      }
      if (best == kept_.end()) return Buffer{};
      Buffer taken = std::move(*best);
      kept_.erase(best);
      return taken;
    }
    B* backend_;
    mutable std::mutex mutex_;
    std::vector<Buffer> kept_;
    MemoryAccount account_;
  };
};

}  // namespace zkgpu::pipeline
