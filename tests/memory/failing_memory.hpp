// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

/// Memory of which one allocation fails. For one unit of a program: it replaces `operator new`.
namespace zkgpu::test {

/// Counts the allocations of all threads while it lives, and refuses the one of the number given.
class FailingMemory {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  explicit FailingMemory(std::uint64_t at = never) noexcept {
    seen = 0;
    refused = at;
    watching = true;
  }
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;
  ~FailingMemory() { watching = false; }

  [[nodiscard]] std::uint64_t allocations() const noexcept { return seen; }

  /// What `operator new` asks.
  static bool refuses() noexcept { return watching && seen++ == refused; }

 private:
  inline static std::atomic<bool> watching = false;
  inline static std::atomic<std::uint64_t> seen = 0, refused = never;
};

/// @return nullptr if the memory cannot be had
inline void* obtain(std::size_t n, std::size_t alignment) noexcept {
  constexpr std::size_t most = std::size_t{1}
                               << 39;  // beyond twice that a sanitizer ends the process
  if (FailingMemory::refuses() || n > most) return nullptr;
  return std::aligned_alloc(alignment, (n + alignment) / alignment * alignment);
}
inline void* obtain_or_throw(std::size_t n, std::size_t alignment) {
  void* memory = obtain(n, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
inline constexpr std::size_t plain_alignment = alignof(std::max_align_t);

}  // namespace zkgpu::test

// Out of line, and all forms that are used: the compiler must not see how one is built, and a
// sanitizer's own forms belong to its own release.
[[gnu::noinline]] void* operator new(std::size_t n) {
  return zkgpu::test::obtain_or_throw(n, zkgpu::test::plain_alignment);
}
[[gnu::noinline]] void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return zkgpu::test::obtain(n, zkgpu::test::plain_alignment);
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t alignment) {
  return zkgpu::test::obtain_or_throw(n, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return zkgpu::test::obtain(n, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t,
                                       const std::nothrow_t&) noexcept {
  std::free(memory);
}
