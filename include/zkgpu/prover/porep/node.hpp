// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>

namespace zkgpu::porep {

using Fr = Bls12_381::Fr;

/// 32 bytes as sectors and trees hold them: a label, a tree node, a commitment, a replica id. As a
/// number they are little-endian; a valid node is below the modulus of Fr.
using Node = std::array<std::byte, 32>;

/// The canonical bytes of x.
[[nodiscard]] inline Node to_node(const Fr& x) noexcept {
  const Fr::Integer integer = x.to_integer();
  Node node;
  std::memcpy(node.data(), &integer, sizeof node);
  return node;
}

/// The bytes as an integer; any bytes.
[[nodiscard]] inline Fr::Integer to_integer(const Node& node) noexcept {
  Fr::Integer integer;
  std::memcpy(&integer, node.data(), node.size());
  return integer;
}

[[nodiscard]] inline bool is_canonical(const Node& node) noexcept {
  return Fr::is_canonical(to_integer(node));
}

/// The element that a node stands for.
/// @throws Malformed if the node is not below the modulus
[[nodiscard]] inline Fr to_field(const Node& node) {
  const Fr::Integer integer = to_integer(node);
  if (!Fr::is_canonical(integer)) throw Malformed("a node is not below the modulus of Fr");
  return Fr::from_integer(integer);
}

/// Clears the two top bits, so that the bytes of a hash become a node. Never a reduction.
inline void trim(Node& node) noexcept { node[31] &= std::byte{0x3f}; }

}  // namespace zkgpu::porep
