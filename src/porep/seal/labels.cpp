// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/seal/labels.hpp>

#include <tbb/parallel_for.h>

#include <zkgpu/prover/porep/seal/merkle.hpp>

namespace zkgpu::porep {

std::vector<Node> repeated_parents(std::span<const Node> parents) {
  std::vector<Node> all(label_parents);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = parents[i % parents.size()];
  return all;
}

Node make_label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
                std::span<const Node> parents) {
  static constexpr std::array<std::byte, 20> padding{};
  Node label = sha256(
      {replica_id, big_endian<4>(layer), big_endian<8>(node), padding, std::as_bytes(parents)});
  trim(label);
  return label;
}

std::vector<std::vector<Node>> make_layers(const Graph& graph, const Node& replica_id,
                                           unsigned layers) {
  using Parents = std::array<std::uint32_t, Graph::degree>;
  std::vector<Parents> parents(graph.nodes());
  tbb::parallel_for(std::size_t{0}, parents.size(), [&](std::size_t node) {
    parents[node] = graph.parents(static_cast<std::uint32_t>(node));
  });
  std::vector<std::vector<Node>> all;
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    std::vector<Node> labels(graph.nodes());
    labels[0] = make_label(replica_id, layer, 0, {});
    for (std::size_t node = 1; node < labels.size(); ++node) {
      std::array<Node, Graph::degree> found;
      const std::size_t degree = layer == 1 ? drg_degree : Graph::degree;
      for (std::size_t i = 0; i < degree; ++i) {
        found[i] = i < drg_degree ? labels[parents[node][i]] : all.back()[parents[node][i]];
      }
      labels[node] = make_label(replica_id, layer, node,
                                repeated_parents(std::span<const Node>(found).first(degree)));
    }
    all.push_back(std::move(labels));
  }
  return all;
}

Node column_hash(std::span<const Node> labels) { return hash_poseidon_children(labels); }

Node encode(const Node& last_label, const Node& data) {
  return to_node(to_field(last_label) + to_field(data));
}

}  // namespace zkgpu::porep
