// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/porep/vanilla_proof.hpp>

/// The trees of a sector. Levels may differ in arity; a leaf's number, written with the arities as
/// its bases, lowest level first, is its path. A tree of base trees, a sub-tree and a top tree
/// (TreeShape) is one such tree.
namespace zkgpu::porep {

/// A parent of its children, as many as the arity.
using HashChildren = Node (*)(std::span<const Node> children);

/// Tree D: SHA-256 of the children, trimmed.
[[nodiscard]] Node hash_data_children(std::span<const Node> children);
/// Trees C and R, columns, comm_r: Poseidon with the tag of a Merkle tree.
/// @throws Malformed if a child is not below the modulus
[[nodiscard]] Node hash_poseidon_children(std::span<const Node> children);

/// Arities of the levels of tree D, from the leaves.
[[nodiscard]] std::vector<unsigned> data_arities(const SectorShape& shape);
/// Arities of the levels of trees C and R, from the leaves.
[[nodiscard]] std::vector<unsigned> column_arities(const TreeShape& tree);

/// The number of the leaf that a path starts at.
[[nodiscard]] std::uint64_t leaf_number(std::span<const PathLevel> path) noexcept;
/// The root that leaf and path lead to. The number of siblings is the arity less one.
/// @throws Malformed as `hash` does
[[nodiscard]] Node root_of(const MerkleProof& proof, HashChildren hash);

/// A tree all of whose nodes are kept.
class MerkleTree {
 public:
  MerkleTree() = default;
  /// @param leaves  as many as the product of the arities
  /// @throws InvalidArgument if there is another number of leaves
  /// @cost  levels are hashed on all cores; the memory of the leaves and of all inner nodes
  MerkleTree(std::vector<Node> leaves, std::vector<unsigned> arities, HashChildren hash);

  [[nodiscard]] const std::vector<Node>& leaves() const noexcept { return levels_.front(); }
  [[nodiscard]] const Node& root() const noexcept { return levels_.back().front(); }
  [[nodiscard]] MerkleProof proof(std::uint64_t leaf) const;

 private:
  std::vector<unsigned> arities_;
  std::vector<std::vector<Node>> levels_;  // leaves first, the root last
};

/// A tree of which some leaves are known, and whose other nodes are whatever a source says, asked
/// once for each sibling that a path of a known leaf needs.
class SparseMerkleTree {
 public:
  using Member = std::pair<std::uint64_t, Node>;  ///< number within its level, value
  /// Source of unknown nodes.
  class Unknown {
   public:
    Unknown() = default;
    Unknown(const Unknown&) = delete;
    Unknown& operator=(const Unknown&) = delete;
    virtual ~Unknown() = default;
    /// From several threads; the same answer to the same question.
    [[nodiscard]] virtual Node node(unsigned level, std::uint64_t index) const = 0;
  };

  /// @param leaves  ascending, each number once, at least one
  SparseMerkleTree(std::vector<Member> leaves, std::vector<unsigned> arities, HashChildren hash,
                   const Unknown& unknown);

  [[nodiscard]] const Node& root() const noexcept { return levels_.back().front().second; }
  /// @param leaf  one of the known ones
  /// @throws InternalError if it is not
  [[nodiscard]] MerkleProof proof(std::uint64_t leaf) const;

 private:
  [[nodiscard]] const Node& at(std::size_t level, std::uint64_t index) const;

  std::vector<unsigned> arities_;
  std::vector<std::vector<Member>> levels_;  // ascending
};

}  // namespace zkgpu::porep
