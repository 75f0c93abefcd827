// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/prover/porep/vanilla_proof.hpp>

/// C1 outputs with all the right sizes and nothing behind their values, and the three forms of
/// their files, written the slow way: what the readers are held against.
namespace zkgpu::test::c1 {

using namespace porep;

class Maker {
 public:
  enum class Nodes { any, small };  ///< small: of one byte
  explicit Maker(const SectorShape& shape, Nodes nodes = Nodes::any)
      : shape_(shape), nodes_(nodes) {}

  Phase1Output output(unsigned partitions) {
    Phase1Output out;
    out.partitions.resize(partitions);
    for (PartitionProof& partition : out.partitions) {
      for (unsigned i = 0; i < shape_.challenges; ++i) partition.push_back(challenge());
    }
    for (Node* at : {&out.comm_r, &out.comm_d, &out.replica_id}) *at = node();
    out.seed.fill(std::byte{0xff});  // any bytes: these are no node
    out.ticket = node();
    return out;
  }

 private:
  Node node() {
    Node node{};
    node[0] = static_cast<std::byte>(random_());
    if (nodes_ == Nodes::small) return node;
    for (std::byte& byte : node) byte = static_cast<std::byte>(random_());
    trim(node);
    return node;
  }
  std::vector<Node> nodes(std::size_t n) {
    std::vector<Node> all(n);
    for (Node& one : all) one = node();
    return all;
  }
  MerkleProof merkle(unsigned levels, bool tree_d) {
    MerkleProof proof{node(), node(), {}};
    for (unsigned i = 0; i < levels; ++i) {
      const unsigned arity = tree_d ? 2 : shape_.tree.arity(i);
      proof.path.push_back({random_() % arity, nodes(arity - 1)});
    }
    return proof;
  }
  ColumnProof column() {
    return {static_cast<std::uint32_t>(random_() % shape_.nodes()), nodes(shape_.layers),
            merkle(shape_.tree.levels(), false)};
  }
  LabelingProof labeling(unsigned layer) {
    return {nodes(label_parents), layer, random_() % shape_.nodes()};
  }
  ChallengeProof challenge() {
    ChallengeProof proof;
    proof.comm_d = merkle(shape_.log_nodes, true);
    proof.comm_r_last = merkle(shape_.tree.levels(), false);
    proof.c_x = column();
    for (ColumnProof& parent : proof.drg_parents) parent = column();
    for (ColumnProof& parent : proof.exp_parents) parent = column();
    for (unsigned layer = 1; layer <= shape_.layers; ++layer) {
      proof.labeling.push_back(labeling(layer));
    }
    proof.encoding = labeling(shape_.layers);
    return proof;
  }

  SectorShape shape_;
  Nodes nodes_;
  std::mt19937_64 random_{20261130};
};

/// Phase-1 JSON, compact, in the order of serde.
class JsonText {
 public:
  JsonText(const Phase1Output& out, const SectorShape& shape, std::string_view proof)
      : shape_(shape) {
    text = R"({"registered_proof":")" + std::string(proof) + R"(","vanilla_proofs":{"StackedDrg)" +
           std::string(shape.name) + R"(V1":)";
    list(out.partitions, [&](const PartitionProof& partition) {
      list(partition, [&](const ChallengeProof& one) { challenge(one); });
    });
    text += "}";
    field(",\"comm_r\":", out.comm_r);
    field(",\"comm_d\":", out.comm_d);
    field(",\"replica_id\":", out.replica_id);
    field(",\"seed\":", out.seed);
    field(",\"ticket\":", out.ticket);
    text += "}";
  }
  std::string text;

 private:
  template <class Items, class Write>
  void list(const Items& items, const Write& write) {
    text += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) text += ',';
      write(items[i]);
    }
    text += ']';
  }
  void node(const Node& node) {
    list(node, [&](std::byte byte) { text += std::to_string(std::to_integer<int>(byte)); });
  }
  void field(const char* name, const Node& value) {
    text += name;
    node(value);
  }
  void nodes(std::span<const Node> all) {
    list(all, [&](const Node& one) { node(one); });
  }
  void path(std::span<const PathLevel> levels) {
    text += R"({"path":)";
    list(levels, [&](const PathLevel& level) {
      text += R"({"hashes":)";
      nodes(level.siblings);
      text += R"(,"index":)" + std::to_string(level.index) + "}";
    });
    text += "}";
  }
  void merkle(const MerkleProof& proof, bool tree_d) {
    const std::span<const PathLevel> levels(proof.path);
    const TreeShape& tree = shape_.tree;
    text += R"({"data":{)";
    if (tree_d || tree.sub == 0) {
      text += R"("Single":{"root":)";
      node(proof.root);
      field(R"(,"leaf":)", proof.leaf);
      text += R"(,"path":)";
      path(levels);
      text += "}}}";
      return;
    }
    text += tree.top == 0 ? R"("Sub":{"base_proof":)" : R"("Top":{"base_proof":)";
    path(levels.first(tree.base_levels));
    text += R"(,"sub_proof":)";
    path(levels.subspan(tree.base_levels, 1));
    if (tree.top != 0) {
      text += R"(,"top_proof":)";
      path(levels.last(1));
    }
    field(R"(,"root":)", proof.root);
    field(R"(,"leaf":)", proof.leaf);
    text += "}}}";
  }
  void column(const ColumnProof& proof) {
    text += R"({"column":{"index":)" + std::to_string(proof.node) + R"(,"rows":)";
    nodes(proof.labels);
    text += R"(,"_h":null},"inclusion_proof":)";
    merkle(proof.inclusion, false);
    text += "}";
  }
  void labeling(const LabelingProof& proof) {
    text += R"({"parents":)";
    nodes(proof.parents);
    text += R"(,"layer_index":)" + std::to_string(proof.layer) + R"(,"node":)" +
            std::to_string(proof.node) + "}";
  }
  void challenge(const ChallengeProof& one) {
    const auto write_column = [&](const ColumnProof& proof) { column(proof); };
    text += R"({"comm_d_proofs":)";
    merkle(one.comm_d, true);
    text += R"(,"comm_r_last_proof":)";
    merkle(one.comm_r_last, false);
    text += R"(,"replica_column_proofs":{"c_x":)";
    column(one.c_x);
    text += R"(,"drg_parents":)";
    list(one.drg_parents, write_column);
    text += R"(,"exp_parents":)";
    list(one.exp_parents, write_column);
    text += R"(},"labeling_proofs":)";
    list(one.labeling, [&](const LabelingProof& proof) { labeling(proof); });
    text += R"(,"encoding_proof":)";
    labeling(one.encoding);
    text += "}";
  }
  SectorShape shape_;
};

/// Raw bincode; notes where its integers stand.
class BincodeBytes {
 public:
  BincodeBytes(const Phase1Output& out, const SectorShape& shape) : shape_(shape) {
    count(out.partitions.size());
    for (const PartitionProof& partition : out.partitions) {
      count(partition.size());
      for (const ChallengeProof& one : partition) challenge(one);
    }
    for (const Node* at : {&out.comm_r, &out.comm_d, &out.replica_id, &out.seed, &out.ticket}) {
      node(*at);
    }
  }
  std::string text;
  std::vector<std::size_t> counts;    ///< offsets of counts of 64 bits
  std::vector<std::size_t> indices;   ///< of positions in a path, 64 bits
  std::vector<std::size_t> forms;     ///< of the forms of Merkle proofs, 32 bits
  std::vector<std::size_t> nodes_at;  ///< of nodes

 private:
  void integer(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  }
  void count(std::uint64_t value) {
    counts.push_back(text.size());
    integer(value, 8);
  }
  void node(const Node& node) {
    nodes_at.push_back(text.size());
    text.append(reinterpret_cast<const char*>(node.data()), node.size());
  }
  void nodes(std::span<const Node> all) {
    count(all.size());
    for (const Node& one : all) node(one);
  }
  void path(std::span<const PathLevel> levels) {
    count(levels.size());
    for (const PathLevel& level : levels) {
      nodes(level.siblings);
      indices.push_back(text.size());
      integer(level.index, 8);
    }
  }
  void merkle(const MerkleProof& proof, bool tree_d) {
    const std::span<const PathLevel> levels(proof.path);
    const TreeShape& tree = shape_.tree;
    forms.push_back(text.size());
    const bool single = tree_d || tree.sub == 0;
    integer(single ? 0 : tree.top == 0 ? 1 : 2, 4);
    if (!single) {
      path(levels.first(tree.base_levels));
      for (std::size_t i = tree.base_levels; i < levels.size(); ++i) path(levels.subspan(i, 1));
    }
    node(proof.root);
    node(proof.leaf);
    if (single) path(levels);
  }
  void column(const ColumnProof& proof) {
    integer(proof.node, 4);
    nodes(proof.labels);
    merkle(proof.inclusion, false);
  }
  void labeling(const LabelingProof& proof) {
    nodes(proof.parents);
    integer(proof.layer, 4);
    integer(proof.node, 8);
  }
  void challenge(const ChallengeProof& one) {
    merkle(one.comm_d, true);
    merkle(one.comm_r_last, false);
    column(one.c_x);
    count(one.drg_parents.size());
    for (const ColumnProof& parent : one.drg_parents) column(parent);
    count(one.exp_parents.size());
    for (const ColumnProof& parent : one.exp_parents) column(parent);
    count(one.labeling.size());
    for (const LabelingProof& proof : one.labeling) labeling(proof);
    labeling(one.encoding);
  }
  SectorShape shape_;
};

inline std::string base64(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = i + k;
      word = word << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : digits[word >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

inline std::string wrapper(std::string_view json, std::uint64_t sector_bytes,
                           std::uint64_t number = 7) {
  return R"({"SectorNum":)" + std::to_string(number) + R"(,"Phase1Out":")" + base64(json) +
         R"(","SectorSize":)" + std::to_string(sector_bytes) + "}";
}

}  // namespace zkgpu::test::c1
