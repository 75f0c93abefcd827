// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <zkgpu/prover/porep/node.hpp>
#include <zkgpu/prover/porep/sector.hpp>

/// What the first half of a commit gives to the second: for each challenge the tree paths and
/// labels that its circuit proves knowledge of.
namespace zkgpu::porep {

/// One step of a path from a leaf: where among its siblings the node stands, and who they are.
struct PathLevel {
  std::uint64_t index = 0;     ///< own position, below the arity
  std::vector<Node> siblings;  ///< arity − 1, own position left out
  friend bool operator==(const PathLevel&, const PathLevel&) = default;
};

/// A leaf of a tree, with its path to the root: base levels first, then sub, then top.
struct MerkleProof {
  Node root{}, leaf{};
  std::vector<PathLevel> path;
  friend bool operator==(const MerkleProof&, const MerkleProof&) = default;
};

/// The labels of one node in all layers, and its column hash in tree C.
struct ColumnProof {
  std::uint32_t node = 0;
  std::vector<Node> labels;  ///< layer 1 first
  MerkleProof inclusion;     ///< leaf: the column hash
  friend bool operator==(const ColumnProof&, const ColumnProof&) = default;
};

/// What a label was made of.
struct LabelingProof {
  std::vector<Node> parents;  ///< label_parents of them, repeated as they are hashed
  std::uint32_t layer = 0;    ///< from 1
  std::uint64_t node = 0;
  friend bool operator==(const LabelingProof&, const LabelingProof&) = default;
};

/// All that is known of one challenged node.
struct ChallengeProof {
  MerkleProof comm_d;       ///< tree D, always a single tree
  MerkleProof comm_r_last;  ///< tree R
  ColumnProof c_x;          ///< the node's own column
  std::array<ColumnProof, drg_degree> drg_parents;
  std::array<ColumnProof, expander_degree> exp_parents;
  std::vector<LabelingProof> labeling;  ///< one a layer, layer 1 first
  LabelingProof encoding;               ///< the last of them again
  friend bool operator==(const ChallengeProof&, const ChallengeProof&) = default;
};

using PartitionProof = std::vector<ChallengeProof>;

/// The output of commit phase 1 for one sector, without the name of its proof type.
struct Phase1Output {
  std::vector<PartitionProof> partitions;
  Node comm_r{}, comm_d{}, replica_id{};
  Node seed{}, ticket{};  ///< any 32 bytes
  friend bool operator==(const Phase1Output&, const Phase1Output&) = default;
};

}  // namespace zkgpu::porep
