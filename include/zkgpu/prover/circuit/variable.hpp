// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <compare>
#include <cstdint>

namespace zkgpu {

/// One unknown of a circuit: which kind, and its place among those of its kind in allocation order.
///
/// Public variable 0 is the constant one. The wire of a variable, its place in the assignment
/// z = (1, public, auxiliary), is known only when all variables are allocated.
struct Variable {
  enum class Kind : std::uint8_t { public_input = 0, auxiliary = 1 };

  Kind kind;
  std::uint32_t index;

  static constexpr Variable one() noexcept { return {Kind::public_input, 0}; }
  [[nodiscard]] constexpr bool is_public() const noexcept { return kind == Kind::public_input; }

  /// Public before auxiliary, then by index: the order of the wires.
  friend constexpr auto operator<=>(const Variable&, const Variable&) = default;
};

}  // namespace zkgpu
