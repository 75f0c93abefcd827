// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

#include <zkgpu/prover/porep/seal/labels.hpp>

namespace zkgpu::porep {

/// What a proof of a challenge is put together from: a sector, or as much of one as is asked for.
class SectorView {
 public:
  SectorView() = default;
  SectorView(const SectorView&) = delete;
  SectorView& operator=(const SectorView&) = delete;
  virtual ~SectorView() = default;
  /// @param layer  from 1
  [[nodiscard]] virtual const Node& label(std::uint32_t layer, std::uint32_t node) const = 0;
  [[nodiscard]] virtual MerkleProof data_proof(std::uint32_t node) const = 0;
  [[nodiscard]] virtual MerkleProof column_proof(std::uint32_t node) const = 0;
  [[nodiscard]] virtual MerkleProof replica_proof(std::uint32_t node) const = 0;
};

/// The labels that the label of a node hashes, before they are repeated: 6 or 14.
std::vector<Node> parent_labels(const SectorView& sector,
                                const std::array<std::uint32_t, Graph::degree>& parents,
                                std::uint32_t layer);

/// The proofs of all challenges of one partition, made on all cores.
PartitionProof make_partition_proof(const SectorView& sector, const Graph& graph, unsigned layers,
                                    std::span<const std::uint64_t> challenges);

}  // namespace zkgpu::porep
