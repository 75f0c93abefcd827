// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/env.hpp>

namespace zkgpu::pipeline {

/// Overwrites a buffer with zeros in a way that the compiler must keep. A backend whose memory the
/// host cannot write offers `wipe(span)`.
template <Backend B>
void wipe(B& backend, typename BufferSource<B>::Buffer& buffer) noexcept {
  if constexpr (std::same_as<typename B::template Span<std::byte>, std::span<std::byte>>) {
    secure_wipe(static_cast<void*>(buffer.span().data()), buffer.span().size());
  } else {
    backend.wipe(buffer.span());
  }
}

}  // namespace zkgpu::pipeline
