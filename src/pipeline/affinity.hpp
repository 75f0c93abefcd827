// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace zkgpu::pipeline {

/// Logical CPUs by the numbers that the operating system gives them, ascending.
using CpuGroup = std::vector<unsigned>;

/// The CPUs that a thread may run on. A value of fixed size: threads that enter and leave an arena
/// allocate nothing. Where the system knows no such sets, every mask of a thread is empty.
class CpuMask {
 public:
  static constexpr std::size_t capacity = 8192;  ///< the most CPUs that Linux is built for

  CpuMask() = default;  // no CPU
  /// CPUs beyond the capacity are left out.
  explicit CpuMask(const CpuGroup& cpus) noexcept;

  /// Empty if the system does not say.
  [[nodiscard]] static CpuMask of_this_thread() noexcept;
  /// False, and nothing happens, if the system refuses: no such CPU, or none that is allowed.
  bool bind_this_thread() const noexcept;

  [[nodiscard]] bool is_empty() const noexcept { return *this == CpuMask{}; }
  [[nodiscard]] CpuGroup cpus() const;
  /// CPUs of either.
  friend CpuMask operator|(const CpuMask& a, const CpuMask& b) noexcept;
  friend bool operator==(const CpuMask&, const CpuMask&) = default;

 private:
  using Word = unsigned long;  // what the system's interface is made of
  static constexpr std::size_t word_bits = 8 * sizeof(Word);
  std::array<Word, capacity / word_bits> words_{};
};

}  // namespace zkgpu::pipeline
