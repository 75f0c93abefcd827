// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>

#include <zkgpu/prover/porep/seal/merkle.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::hex;

namespace {

Node of_field(std::uint64_t value) {
  return to_node(Fr::from_integer(Fr::Integer::from_uint64(value)));
}

std::vector<Node> leaves_of(const TreeShape& tree) {
  std::size_t count = 1;
  for (const unsigned arity : column_arities(tree)) count *= arity;
  std::vector<Node> leaves;
  for (std::size_t i = 0; i < count; ++i) leaves.push_back(of_field(1000 + i));
  return leaves;
}

/// Answers with the nodes of a whole tree, and counts how often it is asked.
class FromWhole final : public SparseMerkleTree::Unknown {
 public:
  FromWhole(std::vector<Node> leaves, std::vector<unsigned> arities) {
    levels_.push_back(std::move(leaves));
    for (const unsigned arity : arities) {
      const std::vector<Node>& below = levels_.back();
      std::vector<Node> level;
      for (std::size_t i = 0; i < below.size(); i += arity) {
        level.push_back(hash_poseidon_children(std::span(below).subspan(i, arity)));
      }
      levels_.push_back(std::move(level));
    }
  }
  Node node(unsigned level, std::uint64_t index) const override {
    ++asked;
    return levels_[level][index];
  }
  mutable int asked = 0;

 private:
  std::vector<std::vector<Node>> levels_;
};

}  // namespace

// Roots of rust-fil-proofs 19.1: commitments of sectors of zeros.
TEST_CASE("tree D of zeros has the roots of the network", "[porep][merkle]") {
  const MerkleTree tree(std::vector<Node>(64), data_arities(shape_of_name("2KiB")),
                        hash_data_children);
  CHECK(hex(tree.root()) == "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");

  Node zeros{};  // a tree of equal leaves has one node a level
  std::vector<std::string> roots;
  for (unsigned level = 1; level <= 31; ++level) {
    zeros = hash_data_children(std::array{zeros, zeros});
    for (const unsigned wanted : {18U, 24U, 30U, 31U}) {
      if (level == wanted) roots.push_back(hex(zeros));
    }
  }
  CHECK(roots == std::vector<std::string>{
                     "65f29e5d98d246c38b388cfc06db1f6b021303c5a289000bdce832a9c3ec421c",
                     "39560e7b13a93b07a243fd2720ffa7cb3e1d2e505ab3629e79f46313512cda06",
                     "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e",
                     "e64005a6bfe3777953b8ad6ef93f0fca1049b2041654f2a411f7702799cece02"});
}

// neptune and rust-fil-proofs, tests of hash2
TEST_CASE("Poseidon trees hash their children with the tag of a tree", "[porep][merkle]") {
  Node root = MerkleTree({of_field(1), of_field(0), of_field(0), of_field(1)}, {2, 2},
                         hash_poseidon_children)
                  .root();
  std::ranges::reverse(root);
  CHECK(hex(root) == "1effebb7b26ad9eb30eb6385ae6b74ae77cc72b8cb2b5ad2efbb8be3e291e671");
  Node large;
  large.fill(std::byte{0xff});
  CHECK_THROWS_AS(hash_poseidon_children(std::array{large, large}), zkgpu::Malformed);
}

TEST_CASE("every leaf's path leads to the root, and its index is the leaf's number",
          "[porep][merkle]") {
  for (const char* size : {"2KiB", "4KiB", "16KiB", "32KiB"}) {
    const TreeShape shape = shape_of_name(size).tree;
    const std::vector<Node> leaves = leaves_of(shape);
    CHECK(leaves.size() == shape_of_name(size).nodes());
    const MerkleTree tree(leaves, column_arities(shape), hash_poseidon_children);
    for (std::uint64_t i = 0; i < leaves.size(); i += 1 + leaves.size() / 9) {
      const MerkleProof proof = tree.proof(i);
      CHECK(proof.leaf == leaves[i]);
      CHECK(leaf_number(proof.path) == i);
      CHECK(root_of(proof, hash_poseidon_children) == tree.root());
      MerkleProof wrong = proof;
      wrong.path.back().siblings.front() = of_field(5);
      CHECK(root_of(wrong, hash_poseidon_children) != tree.root());
    }
  }
}

TEST_CASE("a tree of base trees, sub and top tree hashes consecutive leaves first",
          "[porep][merkle]") {
  const TreeShape shape = shape_of_name("32KiB").tree;  // 8-8-2 over 1024 leaves
  const std::vector<Node> leaves = leaves_of(shape);
  std::vector<Node> base_roots, sub_roots;
  for (std::size_t t = 0; t < 16; ++t) {
    const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(64 * t);
    base_roots.push_back(MerkleTree({first, first + 64}, {8, 8}, hash_poseidon_children).root());
  }
  for (std::size_t s = 0; s < 2; ++s) {
    sub_roots.push_back(hash_poseidon_children(std::span(base_roots).subspan(8 * s, 8)));
  }
  CHECK(MerkleTree(leaves, column_arities(shape), hash_poseidon_children).root() ==
        hash_poseidon_children(sub_roots));
}

TEST_CASE("a sparse tree with true siblings is the whole tree", "[porep][merkle]") {
  const TreeShape shape = shape_of_name("16KiB").tree;
  const std::vector<unsigned> arities = column_arities(shape);
  const std::vector<Node> leaves = leaves_of(shape);
  const MerkleTree whole(leaves, arities, hash_poseidon_children);
  const FromWhole unknown(leaves, arities);
  const std::vector<std::uint64_t> known{0, 1, 7, 8, 200, 511};
  std::vector<SparseMerkleTree::Member> members;
  for (const std::uint64_t i : known) members.emplace_back(i, leaves[i]);
  const SparseMerkleTree sparse(members, arities, hash_poseidon_children, unknown);
  CHECK(sparse.root() == whole.root());
  for (const std::uint64_t i : known) CHECK(sparse.proof(i) == whole.proof(i));
  // Leaves 5 + 7 + 7 + 7; base levels: groups {0,1}, {25}, {63} 6 + 7 + 7; roots {0}, {3}, {7}.
  CHECK(unknown.asked == 26 + 20 + 5);
  CHECK_THROWS_AS(sparse.proof(100), zkgpu::InternalError);
}

TEST_CASE("a tree of another number of leaves is refused", "[porep][merkle]") {
  CHECK_THROWS_WITH(MerkleTree(std::vector<Node>(63), {8, 8}, hash_poseidon_children),
                    "a tree of 64 leaves got 63");
}
