// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

namespace zkgpu::porep {

/// Files know three kinds of trees, by how many of base, sub-tree and top tree they have.
enum class MerkleVariant : std::uint32_t { single = 0, sub = 1, top = 2 };

[[nodiscard]] constexpr MerkleVariant variant_of(const TreeShape& tree) noexcept {
  if (tree.sub == 0) return MerkleVariant::single;
  return tree.top == 0 ? MerkleVariant::sub : MerkleVariant::top;
}

/// Tree D of a sector, as a shape: binary, one tree.
[[nodiscard]] constexpr TreeShape data_tree(const SectorShape& shape) noexcept {
  return {shape.log_nodes, 0, 0};
}

/// A path in the parts that files have: base, sub and top, the latter two of a level or none.
struct PathParts {
  std::span<const PathLevel> base, sub, top;
};

/// @throws InvalidArgument if the path has not one level for each of the tree
[[nodiscard]] inline PathParts path_parts(const MerkleProof& proof, const TreeShape& tree) {
  const std::span<const PathLevel> path = proof.path;
  if (path.size() != tree.levels()) {
    throw InvalidArgument("a path of " + std::to_string(path.size()) + " levels in a tree of " +
                          std::to_string(tree.levels()));
  }
  const std::size_t sub = tree.sub != 0 ? 1 : 0;
  return {path.first(tree.base_levels), path.subspan(tree.base_levels, sub),
          path.subspan(tree.base_levels + sub)};
}

}  // namespace zkgpu::porep
