// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <zkgpu/arith/limbs.hpp>

namespace zkgpu::io {

/// Most decimal digits of an integer of N limbs: ⌈64 N · log10(2)⌉.
template <std::size_t N>
inline constexpr std::size_t max_decimal_digits = (64 * N * 30103 + 99999) / 100000;

/// Parses a canonical decimal number: digits only, no sign, space or leading zero.
///
/// @return false, and `out` unspecified, for any other text or a number of more than 64 N bits
/// @cost  N products for 19 digits; a text longer than any number is refused by its length
template <std::size_t N>
constexpr bool parse_decimal(std::string_view text, Limbs<N>& out) noexcept {
  constexpr std::size_t digits_a_step = 19;  // 10^19 < 2^64
  if (text.empty() || text.size() > max_decimal_digits<N>) return false;
  if (text.size() > 1 && text[0] == '0') return false;
  out = Limbs<N>::zero();
  while (!text.empty()) {
    const std::string_view step = text.substr(0, digits_a_step);
    std::uint64_t value = 0;
    std::uint64_t scale = 1;
    for (const char c : step) {
      if (c < '0' || c > '9') return false;
      value = 10 * value + static_cast<std::uint64_t>(c - '0');
      scale *= 10;
    }
    std::uint64_t carry = value;  // out = out · scale + value
    for (std::size_t i = 0; i < N; ++i) {
      const unsigned __int128 sum = static_cast<unsigned __int128>(out.limb[i]) * scale + carry;
      out.limb[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    if (carry != 0) return false;
    text.remove_prefix(step.size());
  }
  return true;
}

/// The canonical decimal form.
template <std::size_t N>
std::string to_decimal(Limbs<N> n) {
  constexpr std::uint64_t scale = 10'000'000'000'000'000'000u;  // 10^19, the largest below 2^64
  std::string reversed;
  while (!n.is_zero()) {
    std::uint64_t remainder = 0;
    for (std::size_t i = N; i-- > 0;) {
      const unsigned __int128 value = (static_cast<unsigned __int128>(remainder) << 64) | n.limb[i];
      n.limb[i] = static_cast<std::uint64_t>(value / scale);
      remainder = static_cast<std::uint64_t>(value % scale);
    }
    const bool last = n.is_zero();
    for (int digit = 0; digit < 19 && !(last && remainder == 0); ++digit) {
      reversed += static_cast<char>('0' + remainder % 10);
      remainder /= 10;
    }
  }
  if (reversed.empty()) return "0";
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace zkgpu::io
