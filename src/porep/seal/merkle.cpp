// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/seal/merkle.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <string>

#include <zkgpu/prover/hash/poseidon.hpp>
#include <zkgpu/prover/porep/hash/digests.hpp>

namespace zkgpu::porep {

Node hash_data_children(std::span<const Node> children) {
  Node node = sha256({std::as_bytes(children)});
  trim(node);
  return node;
}

Node hash_poseidon_children(std::span<const Node> children) {
  std::vector<Fr> preimage(children.size());
  std::ranges::transform(children, preimage.begin(), to_field);
  return to_node(poseidon<Fr>(static_cast<unsigned>(children.size())).hash(preimage));
}

std::vector<unsigned> data_arities(const SectorShape& shape) {
  return std::vector<unsigned>(shape.log_nodes, 2);
}

std::vector<unsigned> column_arities(const TreeShape& tree) {
  std::vector<unsigned> arities(tree.levels());
  for (unsigned level = 0; level < arities.size(); ++level) arities[level] = tree.arity(level);
  return arities;
}

std::uint64_t leaf_number(std::span<const PathLevel> path) noexcept {
  std::uint64_t number = 0, weight = 1;
  for (const PathLevel& level : path) {
    number += weight * level.index;
    weight *= level.siblings.size() + 1;
  }
  return number;
}

Node root_of(const MerkleProof& proof, HashChildren hash) {
  Node node = proof.leaf;
  std::vector<Node> children;
  for (const PathLevel& level : proof.path) {
    children = level.siblings;
    const std::uint64_t place = std::min<std::uint64_t>(level.index, children.size());
    children.insert(children.begin() + static_cast<std::ptrdiff_t>(place), node);
    node = hash(children);
  }
  return node;
}

MerkleTree::MerkleTree(std::vector<Node> leaves, std::vector<unsigned> arities, HashChildren hash)
    : arities_(std::move(arities)) {
  std::size_t expected = 1;
  for (const unsigned arity : arities_) expected *= arity;
  if (leaves.size() != expected) {
    throw InvalidArgument("a tree of " + std::to_string(expected) + " leaves got " +
                          std::to_string(leaves.size()));
  }
  levels_.push_back(std::move(leaves));
  for (const unsigned arity : arities_) {
    const std::span<const Node> below = levels_.back();
    std::vector<Node> level(below.size() / arity);
    tbb::parallel_for(std::size_t{0}, level.size(),
                      [&](std::size_t i) { level[i] = hash(below.subspan(i * arity, arity)); });
    levels_.push_back(std::move(level));
  }
}

MerkleProof MerkleTree::proof(std::uint64_t leaf) const {
  MerkleProof proof{root(), leaves().at(leaf), {}};
  std::uint64_t at = leaf;
  for (std::size_t level = 0; level < arities_.size(); ++level) {
    const std::uint64_t arity = arities_[level], first = at / arity * arity;
    PathLevel& step = proof.path.emplace_back();
    step.index = at % arity;
    for (std::uint64_t i = first; i < first + arity; ++i) {
      if (i != at) step.siblings.push_back(levels_[level][i]);
    }
    at /= arity;
  }
  return proof;
}

SparseMerkleTree::SparseMerkleTree(std::vector<Member> leaves, std::vector<unsigned> arities,
                                   HashChildren hash, const Unknown& unknown)
    : arities_(std::move(arities)) {
  std::vector<Member> known = std::move(leaves);
  for (unsigned level = 0; level < arities_.size(); ++level) {
    const std::uint64_t arity = arities_[level];
    std::vector<Member> members, parents;
    for (std::size_t i = 0; i < known.size();) {
      const std::uint64_t parent = known[i].first / arity;
      parents.push_back({parent, {}});
      for (std::uint64_t child = parent * arity; child < (parent + 1) * arity; ++child) {
        const bool here = i < known.size() && known[i].first == child;
        members.emplace_back(child, here ? known[i++].second : unknown.node(level, child));
      }
    }
    tbb::parallel_for(std::size_t{0}, parents.size(), [&](std::size_t i) {
      std::vector<Node> children(arity);
      for (std::size_t c = 0; c < arity; ++c) children[c] = members[i * arity + c].second;
      parents[i].second = hash(children);
    });
    levels_.push_back(std::move(members));
    known = std::move(parents);
  }
  levels_.push_back(std::move(known));
}

const Node& SparseMerkleTree::at(std::size_t level, std::uint64_t index) const {
  const std::vector<Member>& members = levels_[level];
  const auto found = std::ranges::lower_bound(members, index, {}, &Member::first);
  if (found == members.end() || found->first != index) {
    throw InternalError("a sparse tree was asked for node " + std::to_string(index) + " of level " +
                        std::to_string(level) + ", which no path needs");
  }
  return found->second;
}

MerkleProof SparseMerkleTree::proof(std::uint64_t leaf) const {
  MerkleProof proof{root(), at(0, leaf), {}};
  std::uint64_t index = leaf;
  for (std::size_t level = 0; level < arities_.size(); ++level) {
    const std::uint64_t arity = arities_[level], first = index / arity * arity;
    PathLevel& step = proof.path.emplace_back();
    step.index = index % arity;
    for (std::uint64_t i = first; i < first + arity; ++i) {
      if (i != index) step.siblings.push_back(at(level, i));
    }
    index /= arity;
  }
  return proof;
}

}  // namespace zkgpu::porep
