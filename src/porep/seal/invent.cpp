// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/seal/invent.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <string>

#include <zkgpu/prover/porep/seal/merkle.hpp>

#include "challenge_proof.hpp"

namespace zkgpu::porep {

namespace {

using Member = SparseMerkleTree::Member;

/// An invented node: a hash of what it is for and where, "(1, 2)" or "(1,)".
Node free_node(std::initializer_list<Bytes> tag, std::initializer_list<std::uint64_t> place) {
  std::string text = "(";
  for (const std::uint64_t n : place) {
    if (text.size() > 1) text += ' ';
    text += std::to_string(n) + ',';
  }
  if (place.size() > 1) text.pop_back();
  text += ')';
  std::vector<std::byte> joined;
  for (const Bytes part : tag) joined.insert(joined.end(), part.begin(), part.end());
  Node node = sha256({joined, text_bytes(text)});
  trim(node);
  return node;
}

/// Data of eight leaves, repeated: a level of its tree has at most eight different nodes.
class PeriodicData {
 public:
  explicit PeriodicData(unsigned levels) {
    std::vector<Node> level;
    for (std::uint64_t i = 0; i < 8; ++i) level.push_back(free_node({text_bytes("data")}, {i}));
    for (unsigned i = 0; i < levels; ++i) {
      levels_.push_back(level);
      std::vector<Node> above(std::max<std::size_t>(1, level.size() / 2));
      for (std::size_t n = 0; n < above.size(); ++n) {
        const std::size_t right = (2 * n + 1) % level.size();
        above[n] = hash_data_children(std::array{level[2 * n], level[right]});
      }
      level = std::move(above);
    }
    root_ = level.front();
  }

  [[nodiscard]] const Node& root() const noexcept { return root_; }
  [[nodiscard]] const Node& leaf(std::uint64_t i) const { return at(0, i); }
  [[nodiscard]] MerkleProof proof(std::uint64_t leaf_number) const {
    MerkleProof proof{root_, leaf(leaf_number), {}};
    std::uint64_t index = leaf_number;
    for (std::size_t level = 0; level < levels_.size(); ++level, index /= 2) {
      proof.path.push_back({index % 2, {at(level, index ^ 1)}});
    }
    return proof;
  }

 private:
  [[nodiscard]] const Node& at(std::size_t level, std::uint64_t index) const {
    return levels_[level][index % levels_[level].size()];
  }
  std::vector<std::vector<Node>> levels_;  // without the root
  Node root_{};
};

/// Siblings that no known node explains.
class FreeSiblings final : public SparseMerkleTree::Unknown {
 public:
  FreeSiblings(std::string_view tree, const Node& replica_id)
      : tree_(tree), replica_id_(replica_id) {}
  Node node(unsigned level, std::uint64_t index) const override {
    return free_node({text_bytes(tree_), replica_id_}, {level, index});
  }

 private:
  std::string_view tree_;
  Node replica_id_;
};

/// The nodes that proofs of some challenges speak of, and their labels.
class InventedSector final : public SectorView {
 public:
  InventedSector(const SealConfig& config, const PeriodicData& data, const Node& replica_id,
                 std::vector<std::uint64_t> challenges)
      : shape_(config.shape), data_(data), graph_(config), challenges_(std::move(challenges)) {
    sort_once(challenges_);
    parents_.resize(challenges_.size());
    tbb::parallel_for(std::size_t{0}, parents_.size(), [&](std::size_t i) {
      parents_[i] = graph_.parents(static_cast<std::uint32_t>(challenges_[i]));
    });
    touched_ = challenges_;
    for (const auto& of_one : parents_) {
      touched_.insert(touched_.end(), of_one.begin(), of_one.end());
    }
    sort_once(touched_);
    make_labels(replica_id);
    columns_.emplace(columns(), column_arities(shape_.tree), hash_poseidon_children,
                     FreeSiblings("c", replica_id));
    replica_.emplace(replica(), column_arities(shape_.tree), hash_poseidon_children,
                     FreeSiblings("r", replica_id));
  }

  [[nodiscard]] const Graph& graph() const noexcept { return graph_; }
  [[nodiscard]] const Node& comm_c() const noexcept { return columns_->root(); }
  [[nodiscard]] const Node& comm_r_last() const noexcept { return replica_->root(); }

  const Node& label(std::uint32_t layer, std::uint32_t node) const override {
    return labels_[layer - 1][place_of(touched_, node)];
  }
  MerkleProof data_proof(std::uint32_t node) const override { return data_.proof(node); }
  MerkleProof column_proof(std::uint32_t node) const override { return columns_->proof(node); }
  MerkleProof replica_proof(std::uint32_t node) const override { return replica_->proof(node); }

 private:
  static void sort_once(std::vector<std::uint64_t>& nodes) {
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  static std::size_t place_of(const std::vector<std::uint64_t>& nodes, std::uint64_t node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
  }

  /// Layer by layer, nodes ascending: what a challenged node's label hashes is there before it.
  void make_labels(const Node& replica_id) {
    for (std::uint32_t layer = 1; layer <= shape_.layers; ++layer) {
      std::vector<Node>& labels = labels_.emplace_back(touched_.size());
      std::size_t next_challenge = 0;
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (next_challenge == challenges_.size() || challenges_[next_challenge] != touched_[i]) {
          labels[i] = free_node({text_bytes("label"), replica_id}, {layer, touched_[i]});
          continue;
        }
        const std::vector<Node> parents = parent_labels(*this, parents_[next_challenge++], layer);
        labels[i] = make_label(replica_id, layer, touched_[i], repeated_parents(parents));
      }
    }
  }
  [[nodiscard]] std::vector<Member> columns() const {
    std::vector<Member> leaves(touched_.size());
    tbb::parallel_for(std::size_t{0}, leaves.size(), [&](std::size_t i) {
      std::vector<Node> labels;
      for (const std::vector<Node>& layer : labels_) labels.push_back(layer[i]);
      leaves[i] = {touched_[i], column_hash(labels)};
    });
    return leaves;
  }
  [[nodiscard]] std::vector<Member> replica() const {
    std::vector<Member> leaves;
    for (const std::uint64_t node : challenges_) {
      const Node& last = label(shape_.layers, static_cast<std::uint32_t>(node));
      leaves.emplace_back(node, encode(last, data_.leaf(node)));
    }
    return leaves;
  }

  const SectorShape& shape_;
  const PeriodicData& data_;
  Graph graph_;
  std::vector<std::uint64_t> challenges_, touched_;                // ascending, each once
  std::vector<std::array<std::uint32_t, Graph::degree>> parents_;  // of challenges_
  std::vector<std::vector<Node>> labels_;                          // a layer: of touched_
  std::optional<SparseMerkleTree> columns_, replica_;
};

}  // namespace

Phase1Output invent_phase1(const SealConfig& config, const SectorId& sector, const Node& seed,
                           unsigned partitions) {
  if (config.challenges != Challenges::interactive) {
    throw InvalidArgument(
        "a sector without data can be invented for interactive challenges only: others depend on "
        "comm_r, which depends on the nodes that are challenged; seal a small sector instead");
  }
  const PeriodicData data(config.shape.log_nodes);
  Phase1Output output;
  output.comm_d = data.root();
  output.replica_id = make_replica_id(config, sector, output.comm_d);
  output.seed = seed;
  output.ticket = sector.ticket;

  std::vector<std::vector<std::uint64_t>> challenges;
  std::vector<std::uint64_t> all;
  for (unsigned k = 0; k < (partitions != 0 ? partitions : config.partitions()); ++k) {
    challenges.push_back(partition_challenges(config, {output.replica_id, {}, seed}, k));
    all.insert(all.end(), challenges.back().begin(), challenges.back().end());
  }
  const InventedSector invented(config, data, output.replica_id, std::move(all));
  output.comm_r = hash_poseidon_children(std::array{invented.comm_c(), invented.comm_r_last()});
  for (const std::vector<std::uint64_t>& of_one : challenges) {
    output.partitions.push_back(
        make_partition_proof(invented, invented.graph(), config.shape.layers, of_one));
  }
  return output;
}

}  // namespace zkgpu::porep
