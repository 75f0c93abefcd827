// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <utility>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>
#include <zkgpu/prover/pipeline/memory/wipe.hpp>

namespace zkgpu::pipeline {

/// Memory policy: every scratch buffer is allocated when asked for and freed when given back.
/// Nothing stays between proofs; the simplest, and the oracle of the others.
struct allocate_each {
  template <Backend B>
  class Source final : public BufferSource<B> {
   public:
    using Buffer = typename BufferSource<B>::Buffer;
    explicit Source(B& backend) noexcept : backend_(&backend) {}

    Buffer acquire(std::size_t bytes) override {
      Buffer buffer = backend_->template allocate<std::byte>(bytes);
      account_.add(buffer.span().size());
      return buffer;
    }
    void release(Buffer&& buffer) noexcept override {
      Buffer dying = std::move(buffer);
      wipe(*backend_, dying);
      account_.subtract(dying.span().size());
    }
    [[nodiscard]] const MemoryAccount& account() const noexcept { return account_; }

   private:
    B* backend_;
    MemoryAccount account_;
  };
};

}  // namespace zkgpu::pipeline
