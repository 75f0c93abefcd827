// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>

namespace zkgpu {

/// An unsigned integer of N · 64 bits, least significant limb first. A plain aggregate: its memory
/// is the integer in little-endian order, on host and device alike.
template <std::size_t N>
struct Limbs {
  static_assert(N >= 1, "an integer has at least one limb");
  static constexpr std::size_t limb_count = N;
  static constexpr std::size_t bit_count = 64 * N;

  std::uint64_t limb[N];

  ZKGPU_HD static constexpr Limbs zero() noexcept { return Limbs{}; }

  ZKGPU_HD static constexpr Limbs from_uint64(std::uint64_t value) noexcept {
    Limbs r{};
    r.limb[0] = value;
    return r;
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < N; ++i) any |= limb[i];
    return any == 0;
  }

  ZKGPU_HD constexpr bool bit(std::size_t at) const noexcept {
    return ((limb[at / 64] >> (at % 64)) & 1) != 0;
  }

  /// Bits [at, at + count) as a number, count <= 64; bits beyond the top limb are zero.
  ZKGPU_HD constexpr std::uint64_t bits(std::size_t at, std::size_t count) const noexcept {
    const std::size_t word = at / 64;
    const std::size_t shift = at % 64;
    if (count == 0 || word >= N) return 0;
    std::uint64_t value = limb[word] >> shift;
    if (shift != 0 && word + 1 < N) value |= limb[word + 1] << (64 - shift);
    return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }

  /// Position of the highest set bit plus one; 0 for zero.
  ZKGPU_HD constexpr std::size_t bit_length() const noexcept {
    for (std::size_t i = N; i-- > 0;) {
      if (limb[i] == 0) continue;
      std::size_t length = 64 * i;
      for (std::uint64_t rest = limb[i]; rest != 0; rest >>= 1) ++length;
      return length;
    }
    return 0;
  }

  ZKGPU_HD friend constexpr bool operator==(const Limbs& a, const Limbs& b) noexcept {
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < N; ++i) differ |= a.limb[i] ^ b.limb[i];
    return differ == 0;
  }
};

/// -1, 0 or 1 as a < b, a == b or a > b.
template <std::size_t N>
ZKGPU_HD constexpr int compare(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  for (std::size_t i = N; i-- > 0;) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
  }
  return 0;
}

/// a >> count, 0 <= count < 64 N.
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> shift_right(const Limbs<N>& a, std::size_t count) noexcept {
  Limbs<N> r{};
  for (std::size_t i = 0; i + count / 64 < N; ++i) r.limb[i] = a.bits(64 * i + count, 64);
  return r;
}

}  // namespace zkgpu
