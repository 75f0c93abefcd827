// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/core/arch.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>

namespace zkgpu {

/// The architectures by value, for what is found at run time; ordered, the larger includes the
/// smaller.
enum class CpuLevel : int { scalar = 0, x86_adx = 1, avx2 = 2, avx512ifma = 3 };

/// The level of an architecture.
template <CpuArch A>
inline constexpr CpuLevel cpu_level = std::is_base_of_v<arch::avx512ifma, A> ? CpuLevel::avx512ifma
                                      : std::is_base_of_v<arch::avx2, A>     ? CpuLevel::avx2
                                      : std::is_base_of_v<arch::x86_adx, A>  ? CpuLevel::x86_adx
                                                                             : CpuLevel::scalar;

/// What this machine can run.
CpuLevel detected_cpu_level() noexcept;

/// The level in use: what was detected, or what ZKGPU_FORCE_ARCH=scalar|x86_adx|avx2|avx512ifma
/// names.
///
/// The first call decides for the process. Below x86_adx it also keeps field products from BMI2 and
/// ADX.
/// @throws InvalidArgument if the variable names no level, or one that this machine cannot run
CpuLevel selected_cpu_level();

/// The level of a name of `arch`. @throws InvalidArgument if unknown, or above `available`
CpuLevel cpu_level_from_name(std::string_view name, CpuLevel available);

/// What plans are told of this machine; read once from the operating system.
DeviceProperties detected_cpu_properties() noexcept;

/// Host memory, 64-byte aligned, uninitialised, in huge pages where it is large; moves only.
template <class T>
class HostBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= ArrayAllocator<T>::alignment);

 public:
  HostBuffer() = default;
  /// @throws ResourceExhausted if there is no memory for n elements
  explicit HostBuffer(std::size_t n) : memory_(obtain(n), Release{n, true}) {}

  /// Elements [first, first + n) as a buffer that owns nothing: this one must outlive it.
  [[nodiscard]] HostBuffer piece(std::size_t first, std::size_t n) noexcept {
    HostBuffer part;
    part.memory_ = {data() + first, Release{n, false}};
    return part;
  }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size()}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size()}; }
  [[nodiscard]] std::size_t size() const noexcept {
    return memory_ == nullptr ? 0 : memory_.get_deleter().size;
  }
  [[nodiscard]] T* data() noexcept { return memory_.get(); }
  [[nodiscard]] const T* data() const noexcept { return memory_.get(); }

 private:
  struct Release {
    std::size_t size = 0;
    bool owned = true;
    void operator()(T* memory) const noexcept {
      if (owned) ArrayAllocator<T>{}.deallocate(memory, size);
    }
  };
  static T* obtain(std::size_t n) {
    if (n == 0) return nullptr;
    try {
      return ArrayAllocator<T>{}.allocate(n);
    } catch (const std::bad_alloc&) {
      throw ResourceExhausted("cpu: no memory for a buffer");
    }
  }
  std::unique_ptr<T, Release> memory_;
};

/// The CPU as a device: the caller's memory is device memory, and work is done when enqueue
/// returns.
///
/// Threads come from the task arena that the caller runs in, so a caller limits them by entering a
/// smaller one; results do not depend on their number.
template <CpuArch A = arch::scalar>
class Cpu {
 public:
  using Arch = A;
  static constexpr std::string_view name = "cpu";

  template <class T>
  using Span = std::span<T>;
  template <class T>
  using Buffer = HostBuffer<T>;

  /// Synchronous: work fails in enqueue, and nothing is left to wait for.
  struct Queue {
    void wait() const noexcept {}
    /// @throws InvalidArgument if the sizes differ
    template <class T>
    void upload(std::span<const T> from, std::span<T> to) const {
      copy(from, to);
    }
    /// @throws InvalidArgument if the sizes differ
    template <class T>
    void download(std::span<const T> from, std::span<T> to) const {
      copy(from, to);
    }

   private:
    template <class T>
    static void copy(std::span<const T> from, std::span<T> to) {
      if (from.size() != to.size()) {
        throw InvalidArgument("cpu: a copy of " + std::to_string(from.size()) + " elements to " +
                              std::to_string(to.size()));
      }
      if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
    }
  };

  Cpu() : properties_(detected_cpu_properties()) {}
  /// A machine as described: for plans of another machine, and for tests.
  explicit Cpu(const DeviceProperties& properties) noexcept : properties_(properties) {}

  [[nodiscard]] Queue make_queue() const noexcept { return {}; }
  template <class T>
  [[nodiscard]] Buffer<T> allocate(std::size_t n) const {
    return Buffer<T>(n);
  }
  [[nodiscard]] DeviceProperties properties() const noexcept { return properties_; }

 private:
  DeviceProperties properties_;
};

static_assert(Backend<Cpu<arch::scalar>>);

/// Calls f(Cpu<Arch>{}) with the best architecture that is compiled in and selected (see
/// `selected_cpu_level`); returns what f returns, the same type for every architecture.
///
/// Below avx2 there is one form: products choose between mulx/adx and portable text
/// themselves.
template <class Function>
decltype(auto) with_best_cpu(Function&& f) {
  const CpuLevel level = selected_cpu_level();
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512ifma) return std::forward<Function>(f)(Cpu<arch::avx512ifma>{});
  if (level >= CpuLevel::avx2) return std::forward<Function>(f)(Cpu<arch::avx2>{});
#endif
  static_cast<void>(level);
  return std::forward<Function>(f)(Cpu<arch::scalar>{});
}

}  // namespace zkgpu
