// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/circuit/gadgets/merkle_path.hpp>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/gadgets/poseidon.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "prover/circuit/gadgets/golden_r1cs.hpp"

namespace zkgpu {

namespace {

using F = Bls12_381::Fr;

struct NodeHash {
  template <ConstraintSystem CS>
  Variable operator()(CS& cs, std::span<const Variable> children) const {
    return poseidon_hash(cs, poseidon<F>(static_cast<unsigned>(children.size())), children);
  }
};

/// Levels of given arities, siblings made up, places from the digits of `place`.
struct MadeUpPath {
  std::vector<std::size_t> arities;
  std::uint64_t place = 0;

  [[nodiscard]] std::size_t levels() const { return arities.size(); }
  [[nodiscard]] std::size_t arity(std::size_t level) const { return arities[level]; }
  [[nodiscard]] std::uint64_t index(std::size_t level) const {
    std::uint64_t rest = place;
    for (std::size_t i = 0; i < level; ++i) rest /= arities[i];
    return rest % arities[level];
  }
  [[nodiscard]] F sibling(std::size_t level, std::size_t i) const {
    return F(static_cast<int>(100 * level + i + 7)).inverse();
  }
  [[nodiscard]] F root_of(const F& leaf) const {
    F node = leaf;
    for (std::size_t level = 0; level < levels(); ++level) {
      std::vector<F> children;
      for (std::size_t i = 0; i + 1 < arity(level); ++i) children.push_back(sibling(level, i));
      children.insert(children.begin() + static_cast<std::ptrdiff_t>(index(level)), node);
      node = poseidon<F>(static_cast<unsigned>(arity(level))).hash(children);
    }
    return node;
  }
};

struct InclusionCircuit {
  MadeUpPath path;
  F leaf = F(5).inverse();
  F root = F::zero();
  template <ConstraintSystem CS>
  void synthesize(CS& cs) const {
    const Variable leaf_variable = cs.allocate([&] { return leaf; });
    const Variable root_variable = cs.allocate([&] { return root; });
    enforce_inclusion(cs, leaf_variable, path, root_variable, NodeHash());
  }
};

bool is_satisfied(const InclusionCircuit& circuit, std::uint64_t& public_place) {
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> witness = synthesize_witness<F>(circuit);
  REQUIRE(r1cs.num_public == 1);
  public_place = witness.values[1].limb[0];
  return !first_violation<F>(r1cs, std::span<const F::Integer>(witness.values)).has_value();
}

}  // namespace

TEST_CASE("a node goes to its place among its siblings", "[prover][circuit]") {
  for (const std::size_t arity : {2u, 4u, 8u}) {
    for (std::size_t place = 0; place < arity; ++place) {
      WitnessBuilder<F> cs;
      const Variable node = cs.allocate([] { return F(1000); });
      std::vector<Variable> siblings;
      for (std::size_t i = 0; i + 1 < arity; ++i) {
        siblings.push_back(cs.allocate([&] { return F(static_cast<int>(i)); }));
      }
      std::vector<Boolean> index;
      for (std::size_t i = 0; (std::size_t{1} << i) < arity; ++i) {
        index.push_back(Boolean::is(allocate_bit(cs, [&] { return ((place >> i) & 1) != 0; })));
      }
      const std::vector<Variable> children = insert(cs, node, siblings, index);
      REQUIRE(children.size() == arity);
      for (std::size_t i = 0; i < arity; ++i) {
        const auto other = static_cast<int>(i < place ? i : i - 1);
        CHECK(cs.value(children[i]) == (i == place ? F(1000) : F(other)));
      }
    }
  }
}

TEST_CASE("a node without 1, 3 or 7 siblings cannot be inserted", "[prover][circuit]") {
  WitnessBuilder<F> cs;
  const Variable node = cs.allocate([] { return F(1); });
  const std::vector<Variable> siblings(2, node);
  const std::vector<Boolean> index(2, Boolean::constant(false));
  CHECK_THROWS_AS(insert(cs, node, siblings, index), InvalidArgument);
}

TEST_CASE("a path proves its leaf, its place and its root, and no other", "[prover][circuit]") {
  for (const auto& arities :
       {std::vector<std::size_t>{2, 2}, {4}, {8, 8}, {8, 8, 2}, {8, 4, 2}, {8, 2}}) {
    std::size_t leaves = 1;
    for (const std::size_t arity : arities) leaves *= arity;
    for (std::uint64_t place : {std::uint64_t{0}, leaves / 3, leaves - 1}) {
      CAPTURE(place);
      InclusionCircuit circuit{{arities, place}};
      circuit.root = circuit.path.root_of(circuit.leaf);
      std::uint64_t public_place = 0;
      CHECK(is_satisfied(circuit, public_place));
      CHECK(public_place == place);
      circuit.root += F::one();
      CHECK_FALSE(is_satisfied(circuit, public_place));
      circuit.root -= F::one();
      circuit.leaf += F::one();
      CHECK_FALSE(is_satisfied(circuit, public_place));
    }
  }
}

TEST_CASE("inclusion is the reference's, constraint by constraint", "[prover][circuit]") {
  if (!test::shared_present("golden/reference/r1cs")) return;
  struct Row {
    const char* name;
    std::vector<std::size_t> arities;
  };
  for (const Row& row : {Row{"gadget-por-8-0-0", {8, 8}}, Row{"gadget-por-8-8-0", {8, 8, 8}},
                         Row{"gadget-por-8-8-2", {8, 8, 8, 2}}}) {
    test::check_against_reference(row.name, [&](auto& cs) {
      InclusionCircuit{{row.arities, 0}}.synthesize(cs);
    });
  }
}

}  // namespace zkgpu
