// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "challenge_proof.hpp"

#include <tbb/parallel_for.h>

namespace zkgpu::porep {

namespace {

ColumnProof make_column(const SectorView& sector, unsigned layers, std::uint32_t node) {
  ColumnProof column{node, {}, sector.column_proof(node)};
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    column.labels.push_back(sector.label(layer, node));
  }
  return column;
}

ChallengeProof make_challenge_proof(const SectorView& sector, const Graph& graph, unsigned layers,
                                    std::uint32_t node) {
  const auto parents = graph.parents(node);
  ChallengeProof proof;
  proof.comm_d = sector.data_proof(node);
  proof.comm_r_last = sector.replica_proof(node);
  proof.c_x = make_column(sector, layers, node);
  for (std::size_t i = 0; i < drg_degree; ++i) {
    proof.drg_parents[i] = make_column(sector, layers, parents[i]);
  }
  for (std::size_t i = 0; i < expander_degree; ++i) {
    proof.exp_parents[i] = make_column(sector, layers, parents[drg_degree + i]);
  }
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    proof.labeling.push_back(
        {repeated_parents(parent_labels(sector, parents, layer)), layer, node});
  }
  proof.encoding = proof.labeling.back();
  return proof;
}

}  // namespace

std::vector<Node> parent_labels(const SectorView& sector,
                                const std::array<std::uint32_t, Graph::degree>& parents,
                                std::uint32_t layer) {
  std::vector<Node> labels;
  for (std::size_t i = 0; i < (layer == 1 ? drg_degree : Graph::degree); ++i) {
    labels.push_back(sector.label(i < drg_degree ? layer : layer - 1, parents[i]));
  }
  return labels;
}

PartitionProof make_partition_proof(const SectorView& sector, const Graph& graph, unsigned layers,
                                    std::span<const std::uint64_t> challenges) {
  PartitionProof proofs(challenges.size());
  tbb::parallel_for(std::size_t{0}, proofs.size(), [&](std::size_t i) {
    proofs[i] =
        make_challenge_proof(sector, graph, layers, static_cast<std::uint32_t>(challenges[i]));
  });
  return proofs;
}

}  // namespace zkgpu::porep
