// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace zkgpu {

/// Overwrites memory with zeros in a way that the compiler must keep.
inline void secure_wipe(void* memory, std::size_t n) noexcept {
  if (n == 0) return;
  std::memset(memory, 0, n);
  // The empty statement claims to read the memory, so the stores before it are not dead.
  asm volatile("" : : "r"(memory) : "memory");
}

/// Wipes one object of plain data.
template <class T>
requires std::is_trivially_copyable_v<T>
void secure_wipe(T& object) noexcept { secure_wipe(static_cast<void*>(&object), sizeof object); }

}  // namespace zkgpu
