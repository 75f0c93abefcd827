// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <zkgpu/core/error.hpp>

namespace zkgpu::porep {

/// How many parents a node has: in its own layer, and in the layer before.
inline constexpr std::size_t drg_degree = 6, expander_degree = 8;
/// How many parent labels a label hashes: 6 or 14, repeated.
inline constexpr std::size_t label_parents = 37;

/// The trees over columns and replica: Poseidon of arity 8, then a sub-tree and a top tree of their
/// own arities, each of one level or absent (0).
struct TreeShape {
  unsigned base_levels = 0;
  unsigned sub = 0, top = 0;

  [[nodiscard]] constexpr unsigned levels() const noexcept {
    return base_levels + (sub != 0 ? 1 : 0) + (top != 0 ? 1 : 0);
  }
  /// Of the level counted from the leaves: 8, then sub, then top.
  [[nodiscard]] constexpr unsigned arity(unsigned level) const noexcept {
    if (level < base_levels) return 8;
    return level == base_levels && sub != 0 ? sub : top;
  }
  friend constexpr bool operator==(const TreeShape&, const TreeShape&) = default;
};

/// What decides the circuit of one partition, and how many there are.
struct SectorShape {
  std::string_view name;   ///< as users write it: "32GiB"
  unsigned log_nodes = 0;  ///< a node is 32 bytes
  unsigned layers = 0;
  unsigned challenges = 0;                              ///< of one partition
  unsigned partitions = 0;                              ///< of an interactive or synthetic proof
  unsigned least_challenges = 0;                        ///< over all partitions
  unsigned ni_partitions = 0, ni_least_challenges = 0;  ///< the same, non-interactive
  TreeShape tree;

  [[nodiscard]] constexpr std::uint64_t nodes() const noexcept {
    return std::uint64_t{1} << log_nodes;
  }
  [[nodiscard]] constexpr std::uint64_t bytes() const noexcept { return 32 * nodes(); }
  /// Public inputs of a partition, without the constant one: three commitments, and for each
  /// challenge the places of 18 nodes.
  [[nodiscard]] constexpr std::size_t public_inputs() const noexcept {
    return 3 + std::size_t{18} * challenges;
  }
  friend constexpr bool operator==(const SectorShape&, const SectorShape&) = default;
};

/// All sector sizes: those of the network (2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB), and shapes for
/// tests. (rust-fil-proofs 19.1, storage-proofs-porep and filecoin-proofs constants)
inline constexpr std::array<SectorShape, 10> sector_shapes{{
    {"2KiB", 6, 2, 2, 1, 2, 13, 26, {2, 0, 0}},
    {"4KiB", 7, 2, 2, 1, 2, 13, 26, {2, 2, 0}},
    {"16KiB", 9, 2, 2, 1, 2, 13, 26, {2, 8, 0}},
    {"32KiB", 10, 2, 2, 1, 2, 13, 26, {2, 8, 2}},
    {"8MiB", 18, 2, 2, 1, 2, 13, 26, {6, 0, 0}},
    {"16MiB", 19, 2, 2, 1, 2, 13, 26, {6, 2, 0}},
    {"512MiB", 24, 2, 2, 1, 2, 13, 26, {8, 0, 0}},
    {"1GiB", 25, 2, 2, 1, 2, 13, 26, {8, 2, 0}},
    {"32GiB", 30, 11, 18, 10, 176, 126, 2253, {9, 8, 0}},
    {"64GiB", 31, 11, 18, 10, 176, 126, 2253, {9, 8, 2}},
}};

/// @throws InvalidArgument if no sector has that many bytes
[[nodiscard]] inline const SectorShape& shape_of_bytes(std::uint64_t bytes) {
  for (const SectorShape& shape : sector_shapes) {
    if (shape.bytes() == bytes) return shape;
  }
  throw InvalidArgument("no sector has " + std::to_string(bytes) +
                        " bytes; sizes are 2KiB, 8MiB, 512MiB, 32GiB, 64GiB (and for tests 4KiB, "
                        "16KiB, 32KiB, 16MiB, 1GiB)");
}

/// @throws InvalidArgument if there is no such size
[[nodiscard]] inline const SectorShape& shape_of_name(std::string_view name) {
  for (const SectorShape& shape : sector_shapes) {
    if (shape.name == name) return shape;
  }
  throw InvalidArgument("no sector size '" + std::string(name) +
                        "'; sizes are 2KiB, 8MiB, 512MiB, 32GiB, 64GiB (and for tests 4KiB, "
                        "16KiB, 32KiB, 16MiB, 1GiB)");
}

}  // namespace zkgpu::porep
