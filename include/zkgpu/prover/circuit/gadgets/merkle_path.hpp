// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/prover/circuit/gadgets/bits.hpp>
#include <zkgpu/prover/circuit/gadgets/insertion.hpp>
#include <zkgpu/prover/circuit/number.hpp>

namespace zkgpu {

/// A path from a leaf to a root: of each level, leaf's first, how many children its nodes have, at
/// which place the path passes, and who else is there. Places and siblings are asked for only where
/// the system has values.
template <class P, class F>
concept MerklePathWitness = requires(const P path, std::size_t level, std::size_t i) {
  { path.levels() } -> std::convertible_to<std::size_t>;
  { path.arity(level) } -> std::convertible_to<std::size_t>;
  { path.index(level) } -> std::convertible_to<std::uint64_t>;
  { path.sibling(level, i) } -> std::same_as<F>;
};

/// States that `leaf` stands in the tree under `root`, at a place which becomes public.
///
/// @param hash  (cs, children) gives the variable of a node
/// @cost  a level: log₂(arity) bits, insertion, hash; two more for place and root
template <ConstraintSystem CS, class Path, class Hash>
requires MerklePathWitness<Path, typename CS::Scalar> &&
    std::invocable<const Hash&, CS&, std::span<const Variable>>
void enforce_inclusion(CS& cs, Variable leaf, const Path& path, Variable root, const Hash& hash) {
  std::vector<Boolean> place;
  Variable node = leaf;
  for (std::size_t level = 0; level < path.levels(); ++level) {
    const std::size_t arity = path.arity(level);
    const std::size_t first = place.size();
    for (int i = 0; i < std::countr_zero(arity); ++i) {
      place.push_back(
          Boolean::is(allocate_bit(cs, [&] { return ((path.index(level) >> i) & 1) != 0; })));
    }
    std::vector<Variable> siblings;
    siblings.reserve(arity - 1);
    for (std::size_t i = 0; i + 1 < arity; ++i) {
      siblings.push_back(cs.allocate([&] { return path.sibling(level, i); }));
    }
    const std::vector<Variable> children =
        insert(cs, node, siblings, std::span<const Boolean>(place).subspan(first));
    node = hash(cs, std::span<const Variable>(children));
  }
  pack_into_public(cs, place);
  enforce_equal(cs, node, root);
}

}  // namespace zkgpu
