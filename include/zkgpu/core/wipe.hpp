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

/// Overwrites the part of the calling thread's stack where functions that have returned left what
/// they had in registers and temporary objects. For the frame of a caller of secret work, which
/// must be a function of its own: [[gnu::noinline]].
[[gnu::noinline]] inline void wipe_stack() noexcept {
  constexpr std::size_t depth = std::size_t{64} << 10;  // the work's frames, with a block of points
  unsigned char below[depth];
  secure_wipe(static_cast<void*>(below), depth);
}

/// The same at the end of a block, however it is left.
struct StackWipe {
  StackWipe() = default;
  StackWipe(const StackWipe&) = delete;
  StackWipe& operator=(const StackWipe&) = delete;
  ~StackWipe() { wipe_stack(); }
};

}  // namespace zkgpu
