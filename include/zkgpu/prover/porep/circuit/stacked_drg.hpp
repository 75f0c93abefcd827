// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/circuit/gadgets/merkle_path.hpp>
#include <zkgpu/prover/circuit/parts.hpp>
#include <zkgpu/prover/porep/circuit/hashes.hpp>
#include <zkgpu/prover/porep/circuit/label.hpp>
#include <zkgpu/prover/porep/sector.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

namespace zkgpu::porep {

/// A path of a vanilla proof, as gadgets ask for it; of a circuit without values only its shape.
class PathWitness {
 public:
  static PathWitness binary(unsigned levels, const MerkleProof* proof) noexcept {
    return {TreeShape{0, 0, 0}, levels, proof};
  }
  static PathWitness of_tree(const TreeShape& shape, const MerkleProof* proof) noexcept {
    return {shape, 0, proof};
  }
  [[nodiscard]] std::size_t levels() const noexcept { return binary_levels_ + shape_.levels(); }
  [[nodiscard]] std::size_t arity(std::size_t level) const noexcept {
    return binary_levels_ != 0 ? 2 : shape_.arity(static_cast<unsigned>(level));
  }
  [[nodiscard]] std::uint64_t index(std::size_t level) const { return proof_->path[level].index; }
  [[nodiscard]] Fr sibling(std::size_t level, std::size_t i) const {
    return to_field(proof_->path[level].siblings[i]);
  }

 private:
  PathWitness(const TreeShape& shape, unsigned binary_levels, const MerkleProof* proof) noexcept
      : shape_(shape), binary_levels_(binary_levels), proof_(proof) {}

  TreeShape shape_;
  unsigned binary_levels_;
  const MerkleProof* proof_;
};

/// One partition of a proof of replication: the labels of the challenged nodes follow from those of
/// their parents, and all of them stand in the trees under the public commitments.
///
/// Public: replica id, comm_d, comm_r; of each challenge the places of the node in tree D, of its
/// 14 parents in tree C, of the challenge, of the node in tree R and in tree C. Not stated here:
/// that those places are the challenge's and its parents', which the verifier computes itself.
///
/// The circuit depends on layers, trees and the number of challenges, and on nothing else.
struct StackedDrgCircuit {
  SectorShape shape;
  /// What is known; null to write rows only.
  const Phase1Output* sector = nullptr;
  const PartitionProof* partition = nullptr;

  /// What all challenges use: variables that are allocated before the first of them.
  struct Head {
    std::vector<Boolean> replica_id;  ///< as hashed
    Variable comm_d, comm_r_last, comm_c;
  };

  /// @throws Malformed where a node is not below the modulus. The proofs must have the form that
  ///         `shape` says.
  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const Head head = synthesize_head(cs);
    for (std::size_t i = 0; i < shape.challenges; ++i) synthesize_challenge(cs, head, i);
  }

  /// Commitments: first of all.
  template <ConstraintSystem CS>
  Head synthesize_head(CS& cs) const {
    const Variable replica_id = cs.allocate([&] { return to_field(sector->replica_id); });
    make_public(cs, replica_id);
    std::vector<Boolean> replica_id_bits = hash_bits(cs, replica_id);
    const Variable comm_d = cs.allocate([&] { return to_field(sector->comm_d); });
    make_public(cs, comm_d);
    const Variable comm_r = cs.allocate([&] { return to_field(sector->comm_r); });
    make_public(cs, comm_r);
    const Variable comm_r_last =
        cs.allocate([&] { return to_field(partition->front().comm_r_last.root); });
    const Variable comm_c =
        cs.allocate([&] { return to_field(partition->front().c_x.inclusion.root); });
    const Variable both = PoseidonNode()(cs, std::array{comm_c, comm_r_last});
    enforce_equal(cs, comm_r, both);
    return {std::move(replica_id_bits), comm_d, comm_r_last, comm_c};
  }

  /// Challenge number i. Challenges know nothing of each other, and each has as many variables and
  /// constraints as any other: systems that write to places may do them in any order.
  template <ConstraintSystem CS>
  void synthesize_challenge(CS& cs, const Head& head, std::size_t i) const {
    open_challenge(cs, head, partition == nullptr ? nullptr : &(*partition)[i]);
  }

 private:
  using Labels = std::vector<Variable>;  ///< of one node, a layer each

  template <ConstraintSystem CS>
  void open_challenge(CS& cs, const Head& head, const ChallengeProof* proof) const {
    std::array<Labels, drg_degree> drg;
    std::array<Labels, expander_degree> expander;
    std::vector<Boolean> node;
    Labels labels;
    Parts parts(cs);
    const Variable data = cs.allocate([&] { return to_field(proof->comm_d.leaf); });
    parts.add([&, data](auto& part) {
      const MerkleProof* path = proof == nullptr ? nullptr : &proof->comm_d;
      enforce_inclusion(part, data, PathWitness::binary(shape.log_nodes, path), head.comm_d,
                        Sha256Node());
    });
    const auto open = [&](const ColumnProof* parent) {
      return parts.add(
          [this, &head, parent](auto& part) { return this->open_parent(part, head, parent); });
    };
    for (std::size_t i = 0; i < drg.size(); ++i) {
      drg[i] = open(proof == nullptr ? nullptr : &proof->drg_parents[i]);
    }
    for (std::size_t i = 0; i < expander.size(); ++i) {
      expander[i] = open(proof == nullptr ? nullptr : &proof->exp_parents[i]);
    }
    for (std::size_t i = 0; i < 64; ++i) {
      node.push_back(Boolean::is(
          allocate_bit(cs, [&] { return ((proof->labeling.front().node >> i) & 1) != 0; })));
    }
    pack_into_public(cs, node);
    parts.join();  // a label is of its parents' labels
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      labels.push_back(parts.add([&, layer](auto& part) {
        return this->label_in_layer(part, head, node, layer, drg, expander);
      }));
    }
    parts.join();
    const Variable encoded = cs.allocate([&] { return cs.value(labels.back()) + cs.value(data); });
    cs.enforce(LinearCombination<Fr>(labels.back()).add(Fr::one(), data), Variable::one(), encoded);
    parts.add([&, encoded](auto& part) {
      const MerkleProof* path = proof == nullptr ? nullptr : &proof->comm_r_last;
      enforce_inclusion(part, encoded, PathWitness::of_tree(shape.tree, path), head.comm_r_last,
                        PoseidonNode());
    });
    parts.add([&](auto& part) {
      const MerkleProof* path = proof == nullptr ? nullptr : &proof->c_x.inclusion;
      const Variable column = PoseidonNode()(part, labels);
      enforce_inclusion(part, column, PathWitness::of_tree(shape.tree, path), head.comm_c,
                        PoseidonNode());
    });
    parts.join();
  }

  /// New variables for the labels of a parent, whose column stands in tree C.
  template <ConstraintSystem CS>
  Labels open_parent(CS& cs, const Head& head, const ColumnProof* proof) const {
    Labels labels;
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      labels.push_back(cs.allocate([&] { return to_field(proof->labels[layer]); }));
    }
    const Variable column = PoseidonNode()(cs, labels);
    enforce_inclusion(
        cs, column,
        PathWitness::of_tree(shape.tree, proof == nullptr ? nullptr : &proof->inclusion),
        head.comm_c, PoseidonNode());
    return labels;
  }

  /// The label of the challenged node: in layer 1 (here 0) of its DRG parents there; from layer 2
  /// of those, and of its expander parents in the layer before.
  template <ConstraintSystem CS>
  Variable label_in_layer(CS& cs, const Head& head, std::span<const Boolean> node,
                          std::size_t layer, std::span<const Labels> drg,
                          std::span<const Labels> expander) const {
    std::vector<std::vector<Boolean>> parents;
    for (const Labels& parent : drg) parents.push_back(hash_bits(cs, parent[layer]));
    for (std::size_t i = 0; layer > 0 && i < expander.size(); ++i) {
      parents.push_back(hash_bits(cs, expander[i][layer - 1]));
    }
    return create_label(cs, head.replica_id, static_cast<std::uint32_t>(layer + 1), node, parents);
  }
};

}  // namespace zkgpu::porep
