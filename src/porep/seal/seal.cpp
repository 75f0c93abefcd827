// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/seal/seal.hpp>

#include <tbb/parallel_for.h>

#include <cstring>
#include <string>

#include "challenge_proof.hpp"

namespace zkgpu::porep {

namespace {

std::vector<Node> nodes_of(Bytes data) {
  std::vector<Node> nodes(data.size() / sizeof(Node));
  std::memcpy(nodes.data(), data.data(), data.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_canonical(nodes[i])) continue;
    throw Malformed("sector data: node " + std::to_string(i) +
                    " is not below the modulus of Fr; is the data padded?");
  }
  return nodes;
}

/// f(0), …, f(count − 1), made on all cores.
template <class Function>
std::vector<Node> each_node(std::size_t count, const Function& f) {
  std::vector<Node> nodes(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { nodes[i] = f(i); });
  return nodes;
}

Node hash_column_of(const std::vector<std::vector<Node>>& layers, std::size_t node) {
  std::vector<Node> labels;
  labels.reserve(layers.size());
  for (const std::vector<Node>& layer : layers) labels.push_back(layer[node]);
  return column_hash(labels);
}

class WholeSector final : public SectorView {
 public:
  explicit WholeSector(const SealedSector& sealed) : sealed_(sealed) {}
  const Node& label(std::uint32_t layer, std::uint32_t node) const override {
    return sealed_.layers[layer - 1][node];
  }
  MerkleProof data_proof(std::uint32_t node) const override { return sealed_.tree_d.proof(node); }
  MerkleProof column_proof(std::uint32_t node) const override { return sealed_.tree_c.proof(node); }
  MerkleProof replica_proof(std::uint32_t node) const override {
    return sealed_.tree_r.proof(node);
  }

 private:
  const SealedSector& sealed_;
};

}  // namespace

SealedSector seal_sector(const SealConfig& config, const SectorId& sector, Bytes data) {
  const SectorShape& shape = config.shape;
  if (data.size() != shape.bytes()) {
    throw InvalidArgument("sector data: a sector of " + std::string(shape.name) + " holds " +
                          std::to_string(shape.bytes()) + " bytes, got " +
                          std::to_string(data.size()));
  }
  return with_typed_memory_errors("sealing", [&] {
    SealedSector sealed{config, sector, {}, {}, {}, {}, {}, {}};
    sealed.tree_d = MerkleTree(nodes_of(data), data_arities(shape), hash_data_children);
    sealed.replica_id = make_replica_id(config, sector, sealed.tree_d.root());
    sealed.layers = make_layers(Graph(config), sealed.replica_id, shape.layers);
    sealed.tree_c = MerkleTree(
        each_node(shape.nodes(), [&](std::size_t i) { return hash_column_of(sealed.layers, i); }),
        column_arities(shape.tree), hash_poseidon_children);
    const auto replica_node = [&](std::size_t i) {
      return encode(sealed.layers.back()[i], sealed.tree_d.leaves()[i]);
    };
    sealed.tree_r = MerkleTree(each_node(shape.nodes(), replica_node), column_arities(shape.tree),
                               hash_poseidon_children);
    sealed.comm_r = hash_poseidon_children(std::array{sealed.tree_c.root(), sealed.tree_r.root()});
    return sealed;
  });
}

Phase1Output commit_phase1(const SealedSector& sealed, const Node& seed) {
  const SealConfig& config = sealed.config;
  const Graph graph(config);
  Phase1Output output;
  for (unsigned k = 0; k < config.partitions(); ++k) {
    const std::vector<std::uint64_t> challenges =
        partition_challenges(config, {sealed.replica_id, sealed.comm_r, seed}, k);
    output.partitions.push_back(
        make_partition_proof(WholeSector(sealed), graph, config.shape.layers, challenges));
  }
  output.comm_r = sealed.comm_r;
  output.comm_d = sealed.tree_d.root();
  output.replica_id = sealed.replica_id;
  output.seed = seed;
  output.ticket = sealed.sector.ticket;
  return output;
}

}  // namespace zkgpu::porep
