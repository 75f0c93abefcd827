// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/env.hpp>

namespace zkgpu::pipeline {

/// Does the host write this backend's memory itself? Else the backend offers `wipe(span)`, which
/// waits for the device.
template <Backend B>
inline constexpr bool host_memory =
    std::same_as<typename B::template Span<std::byte>, std::span<std::byte>>;

/// Overwrites a buffer with zeros in a way that the compiler must keep.
template <Backend B>
void wipe(B& backend, typename BufferSource<B>::Buffer& buffer) noexcept {
  if constexpr (host_memory<B>) {
    secure_wipe(static_cast<void*>(buffer.span().data()), buffer.span().size());
  } else {
    backend.wipe(buffer.span());
  }
}

}  // namespace zkgpu::pipeline
