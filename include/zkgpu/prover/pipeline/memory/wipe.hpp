// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/pipeline/memory/accounting.hpp>

namespace zkgpu::pipeline {

/// Does the host write this backend's memory itself? Else the backend offers `wipe(span)`, which
/// waits for the device.
template <Backend B>
inline constexpr bool host_memory =
    std::same_as<typename B::template Span<std::byte>, std::span<std::byte>>;

/// Overwrites a buffer with zeros in a way that the compiler must keep. A device that cannot tells
/// the budget, and so whoever asks it next: those who give memory back must not fail.
template <Backend B>
void wipe(B& backend, typename BufferSource<B>::Buffer& buffer, MemoryBudget& budget) noexcept {
  if constexpr (host_memory<B>) {
    secure_wipe(static_cast<void*>(buffer.span().data()), buffer.span().size());
  } else {
    try {
      backend.wipe(buffer.span());
    } catch (...) {
      budget.not_wiped(std::current_exception());
    }
  }
}

}  // namespace zkgpu::pipeline
