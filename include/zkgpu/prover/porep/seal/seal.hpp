// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <vector>

#include <zkgpu/prover/porep/seal/labels.hpp>
#include <zkgpu/prover/porep/seal/merkle.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

/// Sealing as it is meant, for sectors that fit into memory: test sizes.
namespace zkgpu::porep {

/// A sealed sector with everything that was made on the way.
struct SealedSector {
  SealConfig config;
  SectorId sector;
  Node replica_id{};
  std::vector<std::vector<Node>> layers;  ///< labels, layer 1 first
  MerkleTree tree_d;                      ///< its leaves are the data
  MerkleTree tree_c;                      ///< its leaves are the column hashes
  MerkleTree tree_r;                      ///< its leaves are the replica
  Node comm_r{};

  [[nodiscard]] SealStatement statement(const Node& seed) const {
    return {sector, tree_d.root(), comm_r, seed};
  }
};

/// Seals a sector.
/// @param data  config.shape.bytes(), padded (fr32_pad)
/// @throws InvalidArgument if the data is of another size; Malformed if a node of it is not below
///   the modulus; ResourceExhausted if labels and trees do not fit into memory
/// @cost  labels on one core, trees on all: 8 MiB some ten seconds. Memory: sectors · (layers + 6)
[[nodiscard]] SealedSector seal_sector(const SealConfig& config, const SectorId& sector,
                                       Bytes data);

/// The proofs of all challenges, and what else commit phase 2 wants.
/// @param seed  of the chain; non-interactive challenges do not depend on it
[[nodiscard]] Phase1Output commit_phase1(const SealedSector& sealed, const Node& seed);

/// Both at once.
[[nodiscard]] inline Phase1Output seal(const SealConfig& config, const SectorId& sector, Bytes data,
                                       const Node& seed) {
  return commit_phase1(seal_sector(config, sector, data), seed);
}

}  // namespace zkgpu::porep
