// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/core/env.hpp>

namespace zkgpu {

/// Allocator of large plain arrays: a new element is left uninitialised, memory is 64-byte aligned,
/// and arrays of megabytes ask for huge pages.
///
/// @tparam wipe  overwrite memory with zeros before it is given back (witness, r, s)
template <class T, bool wipe = false>
struct ArrayAllocator {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = ArrayAllocator<U, wipe>;
  };
  static constexpr std::size_t alignment = 64;  // one cache line, one AVX-512 register
  static constexpr std::size_t huge_page_threshold = std::size_t{4} << 20;  // two huge pages

  ArrayAllocator() = default;
  template <class U>
  ArrayAllocator(const ArrayAllocator<U, wipe>&) noexcept {}

  T* allocate(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    // Throws itself: a sanitizer's operator new would end the process instead.
    void* memory = ::operator new (n * sizeof(T), std::align_val_t{alignment}, std::nothrow);
    if (memory == nullptr) throw std::bad_alloc();
    if (n * sizeof(T) >= huge_page_threshold) advise(memory, n * sizeof(T), MADV_HUGEPAGE);
    if constexpr (wipe) advise(memory, n * sizeof(T), MADV_DONTDUMP);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    if constexpr (wipe) {
      secure_wipe(static_cast<void*>(memory), n * sizeof(T));
      advise(static_cast<void*>(memory), n * sizeof(T), MADV_DODUMP);
    }
    ::operator delete (static_cast<void*>(memory), std::align_val_t{alignment});
  }

  /// `vector(n)` leaves its elements uninitialised: a reader overwrites them at once.
  template <class U>
  void construct(U* at) noexcept(std::is_nothrow_default_constructible_v<U>) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const ArrayAllocator&, const ArrayAllocator&) noexcept { return true; }

 private:
  /// For the whole pages inside: huge ones for fewer faults on first touch, none of a secret's in a
  /// core dump. Whether the system follows changes no result.
  static void advise(void* memory, std::size_t n, int advice) noexcept {
    constexpr std::uintptr_t page = 4096;
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto last = (reinterpret_cast<std::uintptr_t>(memory) + n) / page * page;
    if (last > first) {
      static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, advice));
    }
  }
};

/// A contiguous array of plain data. `Array<T>(n)` is uninitialised, `Array<T>(n, T{})` is filled.
template <class T>
using Array = std::vector<T, ArrayAllocator<T>>;

/// The same for secrets: its memory is wiped before it is given back, also when it grows.
template <class T>
using SecretArray = std::vector<T, ArrayAllocator<T, true>>;

/// What is asked before outside data decides an allocation: an `Env`, or who stands for one.
template <class M>
concept MemoryGate = requires(M& gate, std::size_t n) {
  gate.admit_memory(n);
};

/// An uninitialised array of `n` elements whose count came from outside.
/// @throws ResourceExhausted naming the size when the memory cannot be had
template <class T, bool wipe = false, MemoryGate M>
std::vector<T, ArrayAllocator<T, wipe>> allocate_array(M& gate, std::size_t n) {
  try {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    gate.admit_memory(n * sizeof(T));
    return std::vector<T, ArrayAllocator<T, wipe>>(n);
  } catch (const std::exception&) {  // bad_alloc, or length_error beyond the address space
    throw ResourceExhausted("out of memory: an array of " + std::to_string(n) + " elements of " +
                            std::to_string(sizeof(T)) + " bytes");
  }
}

}  // namespace zkgpu
