// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <tbb/parallel_for.h>

#include <exception>
#include <string>

#include <zkgpu/prover/porep/c1/check.hpp>
#include <zkgpu/prover/porep/seal/labels.hpp>
#include <zkgpu/prover/porep/seal/merkle.hpp>

namespace zkgpu::porep {

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw Malformed("C1 output, " + where + ": " + what);
}

std::string challenge_name(std::size_t partition, std::size_t challenge) {
  return "partition " + std::to_string(partition) + ", challenge " + std::to_string(challenge);
}

/// A number that should be another.
std::string expected(std::uint64_t found, std::uint64_t wanted) {
  return std::to_string(found) + ", expected " + std::to_string(wanted);
}

/// "comm_c" and "tree C": the names of a tree's root and of the tree.
struct Tree {
  const char *name, *root_name;
  std::vector<unsigned> arities;
  HashChildren hash;
  Node root;
};

/// One tree path.
void check_path(const std::string& where, const MerkleProof& proof, const Tree& tree,
                std::uint64_t node) {
  const std::string at = where + ", path in " + tree.name;
  if (proof.path.size() != tree.arities.size()) {
    fail(at, "its levels are " + expected(proof.path.size(), tree.arities.size()));
  }
  for (std::size_t i = 0; i < proof.path.size(); ++i) {
    const PathLevel& level = proof.path[i];
    const std::string at_level = at + ", level " + std::to_string(i);
    if (level.siblings.size() + 1 != tree.arities[i]) {
      fail(at_level, "its siblings are " + expected(level.siblings.size(), tree.arities[i] - 1));
    }
    if (level.index >= tree.arities[i]) {
      fail(at_level, "its index is " + std::to_string(level.index) + " of " +
                         std::to_string(tree.arities[i]));
    }
    for (std::size_t s = 0; s < level.siblings.size(); ++s) {
      if (is_canonical(level.siblings[s])) continue;
      fail(at_level, "sibling " + std::to_string(s) + " is not below the modulus of Fr");
    }
  }
  if (!is_canonical(proof.leaf)) fail(at, "its leaf is not below the modulus of Fr");
  if (const std::uint64_t number = leaf_number(proof.path); number != node) {
    fail(at, "it starts at leaf " + expected(number, node));
  }
  if (proof.root != tree.root) fail(at, std::string("its root is not ") + tree.root_name);
  if (root_of(proof, tree.hash) != proof.root) {
    fail(at, "leaf and siblings lead to another root");
  }
}

/// All that is said of one challenged node.
class ChallengeCheck {
 public:
  ChallengeCheck(const Phase1Output& output, const SectorShape& shape)
      : shape_(shape),
        replica_id_(output.replica_id),
        data_{"tree D", "comm_d", data_arities(shape), hash_data_children, output.comm_d},
        columns_{"tree C", "comm_c, which the first challenge names", column_arities(shape.tree),
                 hash_poseidon_children, output.partitions[0][0].c_x.inclusion.root},
        replica_{"tree R", "comm_r_last, which the first challenge names",
                 column_arities(shape.tree), hash_poseidon_children,
                 output.partitions[0][0].comm_r_last.root} {}

  void operator()(const std::string& where, const ChallengeProof& proof) const {
    const std::uint64_t node = proof.c_x.node;
    if (node == 0) fail(where, "node 0 is never challenged");
    check_path(where, proof.comm_d, data_, node);
    check_column(where + ", own column", proof.c_x);
    for (std::size_t i = 0; i < drg_degree; ++i) {
      check_column(where + ", DRG parent " + std::to_string(i), proof.drg_parents[i]);
    }
    for (std::size_t i = 0; i < expander_degree; ++i) {
      check_column(where + ", expander parent " + std::to_string(i), proof.exp_parents[i]);
    }
    check_labels(where, proof);
    check_path(where, proof.comm_r_last, replica_, node);
    if (proof.comm_r_last.leaf != encode(proof.c_x.labels.back(), proof.comm_d.leaf)) {
      fail(where, "the leaf of tree R is not the last label plus the leaf of tree D");
    }
  }

 private:
  void check_column(const std::string& where, const ColumnProof& column) const {
    if (column.labels.size() != shape_.layers) {
      fail(where, "its labels are " + expected(column.labels.size(), shape_.layers));
    }
    for (std::size_t i = 0; i < column.labels.size(); ++i) {
      if (is_canonical(column.labels[i])) continue;
      fail(where, "the label of layer " + std::to_string(i + 1) + " is not below the modulus");
    }
    check_path(where, column.inclusion, columns_, column.node);
    if (column.inclusion.leaf != column_hash(column.labels)) {
      fail(where, "the leaf of tree C is not the hash of its labels");
    }
  }

  void check_labels(const std::string& where, const ChallengeProof& proof) const {
    if (proof.labeling.size() != shape_.layers) {
      fail(where, "labeling proofs are " + expected(proof.labeling.size(), shape_.layers));
    }
    for (std::uint32_t layer = 1; layer <= shape_.layers; ++layer) {
      const std::string at = where + ", labeling proof of layer " + std::to_string(layer);
      const LabelingProof& labeling = proof.labeling[layer - 1];
      if (labeling.layer != layer) fail(at, "it names layer " + expected(labeling.layer, layer));
      if (labeling.node != proof.c_x.node) {
        fail(at, "it names node " + expected(labeling.node, proof.c_x.node));
      }
      check_parents(at, labeling, proof);
      if (proof.c_x.labels[layer - 1] !=
          make_label(replica_id_, layer, labeling.node, labeling.parents)) {
        fail(at, "replica id and parents do not hash to the label in the own column");
      }
    }
    if (proof.encoding != proof.labeling.back()) {
      fail(where, "the encoding proof is not the last labeling proof");
    }
  }

  /// Six labels of the same layer, and eight of the layer before, over and over.
  static void check_parents(const std::string& at, const LabelingProof& labeling,
                            const ChallengeProof& proof) {
    std::vector<Node> parents;
    for (const ColumnProof& column : proof.drg_parents) {
      parents.push_back(column.labels[labeling.layer - 1]);
    }
    if (labeling.layer > 1) {
      for (const ColumnProof& column : proof.exp_parents) {
        parents.push_back(column.labels[labeling.layer - 2]);
      }
    }
    if (labeling.parents.size() != label_parents) {
      fail(at, "its parents are " + expected(labeling.parents.size(), label_parents));
    }
    for (std::size_t i = 0; i < label_parents; ++i) {
      if (labeling.parents[i] == parents[i % parents.size()]) continue;
      fail(at, "parent " + std::to_string(i) + " is not the label in that parent's column");
    }
  }

  const SectorShape& shape_;
  const Node& replica_id_;
  Tree data_, columns_, replica_;
};

/// Counts and commitments, so that every challenge is there and may be asked.
void check_frame(const Phase1Output& output, const SectorShape& shape) {
  if (output.partitions.empty()) fail("partitions", "there are none");
  for (std::size_t k = 0; k < output.partitions.size(); ++k) {
    const std::size_t challenges = output.partitions[k].size();
    if (challenges == shape.challenges) continue;
    fail("partition " + std::to_string(k),
         "its challenges are " + expected(challenges, shape.challenges));
  }
  const std::pair<const char*, const Node&> commitments[] = {{"comm_d", output.comm_d},
                                                             {"comm_r", output.comm_r}};
  for (const auto& [name, node] : commitments) {
    if (node == Node{}) fail(name, "it is zero");
    if (!is_canonical(node)) fail(name, "it is not below the modulus of Fr");
  }
  if (!is_canonical(output.replica_id)) fail("replica_id", "it is not below the modulus of Fr");
  if (output.seed == Node{}) fail("seed", "it is zero");
}

/// All challenges on all cores; of several that fail the first is named.
void check_challenges(const Phase1Output& output, const SectorShape& shape) {
  const ChallengeCheck check_one(output, shape);
  const std::size_t n = shape.challenges;
  std::vector<std::exception_ptr> failures(n * output.partitions.size());
  tbb::parallel_for(std::size_t{0}, failures.size(), [&](std::size_t i) {
    try {
      check_one(challenge_name(i / n, i % n), output.partitions[i / n][i % n]);
    } catch (const Malformed&) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void check_graph(const std::string& where, const ChallengeProof& proof, const Graph& graph) {
  const auto parents = graph.parents(proof.c_x.node);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const bool drg = i < drg_degree;
    const std::size_t place = drg ? i : i - drg_degree;
    const std::uint32_t found = drg ? proof.drg_parents[place].node : proof.exp_parents[place].node;
    if (found == parents[i]) continue;
    fail(where + (drg ? ", DRG parent " : ", expander parent ") + std::to_string(place),
         "it is node " + expected(found, parents[i]) + " by the graph");
  }
}

}  // namespace

void check(const Phase1Output& output, const SectorShape& shape) {
  check_frame(output, shape);
  check_challenges(output, shape);
  const ChallengeProof& first = output.partitions[0][0];
  const Node comm_r =
      hash_poseidon_children(std::array{first.c_x.inclusion.root, first.comm_r_last.root});
  if (output.comm_r != comm_r) {
    fail("comm_r", "it is not the hash of the roots of trees C and R");
  }
}

void check(const Phase1Output& output, const SealConfig& config) {
  if (output.partitions.size() != config.partitions()) {
    fail("partitions", "there are " + expected(output.partitions.size(), config.partitions()));
  }
  check(output, config.shape);
  const Graph graph(config);
  for (std::size_t k = 0; k < output.partitions.size(); ++k) {
    const std::vector<std::uint64_t> challenges = partition_challenges(
        config, {output.replica_id, output.comm_r, output.seed}, static_cast<unsigned>(k));
    for (std::size_t i = 0; i < challenges.size(); ++i) {
      const std::string where = challenge_name(k, i);
      const ChallengeProof& proof = output.partitions[k][i];
      if (proof.c_x.node != challenges[i]) {
        fail(where, "the challenged node is " + expected(proof.c_x.node, challenges[i]));
      }
      check_graph(where, proof, graph);
    }
  }
}

void check_sector(const Phase1Output& output, const SealConfig& config, const SectorId& sector) {
  if (output.ticket != sector.ticket) fail("ticket", "it is not that of the sector");
  if (output.replica_id != make_replica_id(config, sector, output.comm_d)) {
    fail("replica_id",
         "it is not that of this prover, sector number, ticket and proof type with this data");
  }
}

}  // namespace zkgpu::porep
