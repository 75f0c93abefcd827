// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/prover/porep/statement/graph.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

/// Stacked depth-robust labels: each is a hash of labels before it, so that they can only be made
/// one after the other.
namespace zkgpu::porep {

/// The labels that a label hashes: those of its parents over and over, label_parents in all.
/// @param parents  6 of layer 1, 14 of a later layer (DRG parents first)
[[nodiscard]] std::vector<Node> repeated_parents(std::span<const Node> parents);

/// The label of a node: SHA-256 over replica id, layer, node and parents, trimmed.
/// @param layer    from 1
/// @param parents  as they are hashed (repeated_parents); none for node 0
[[nodiscard]] Node make_label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
                              std::span<const Node> parents);

/// All labels: layers, each of all nodes; layer 1 first.
/// @cost  nodes · layers SHA-256 of 1248 bytes, one after the other; 32 bytes a label, and while it
///   runs 56 bytes a node
[[nodiscard]] std::vector<std::vector<Node>> make_layers(const Graph& graph, const Node& replica_id,
                                                         unsigned layers);

/// The leaf of tree C for a node: Poseidon over its labels.
/// @throws Malformed if a label is not below the modulus
[[nodiscard]] Node column_hash(std::span<const Node> labels);

/// A node of the replica: the last label, plus the data.
/// @throws Malformed if one of them is not below the modulus
[[nodiscard]] Node encode(const Node& last_label, const Node& data);

}  // namespace zkgpu::porep
