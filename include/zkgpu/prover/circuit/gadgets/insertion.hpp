// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/number.hpp>

namespace zkgpu {

namespace detail {

/// Selections for eight places: those of the four lower and the four upper ones differ in the
/// sibling that b2 brings, and share what b0 and b1 say.
template <ConstraintSystem CS>
std::vector<Variable> insert_among_seven(CS& cs, Variable node, std::span<const Variable> siblings,
                                         std::span<const Boolean> index) {
  const auto pick = [&](const Boolean& bit, Variable yes, Variable no) {
    return select(cs, bit, yes, no);
  };
  const Boolean &b0 = index[0], &b1 = index[1], &b2 = index[2];
  const Boolean neither = logical_and(cs, !b0, !b1);
  const Boolean both = logical_and(cs, b0, b1);
  const Variable a = node, b = siblings[0], c = siblings[1], d = siblings[2], e = siblings[3],
                 f = siblings[4], g = siblings[5], h = siblings[6];
  std::vector<Variable> placed;
  placed.reserve(8);
  Variable t = pick(neither, a, b);
  placed.push_back(pick(b2, b, t));
  t = pick(b0, a, b);
  t = pick(b1, c, t);
  placed.push_back(pick(b2, c, t));
  t = pick(b0, d, a);
  t = pick(b1, t, c);
  placed.push_back(pick(b2, d, t));
  t = pick(both, a, d);
  placed.push_back(pick(b2, e, t));
  t = pick(neither, a, f);
  placed.push_back(pick(b2, t, e));
  t = pick(b0, a, f);
  t = pick(b1, g, t);
  placed.push_back(pick(b2, t, f));
  t = pick(b0, h, a);
  t = pick(b1, t, g);
  placed.push_back(pick(b2, t, g));
  t = pick(both, a, h);
  placed.push_back(pick(b2, t, h));
  return placed;
}

template <ConstraintSystem CS>
std::vector<Variable> insert_among_three(CS& cs, Variable node, std::span<const Variable> siblings,
                                         std::span<const Boolean> index) {
  const auto pick = [&](const Boolean& bit, Variable yes, Variable no) {
    return select(cs, bit, yes, no);
  };
  const Boolean &b0 = index[0], &b1 = index[1];
  const Variable a = node, b = siblings[0], c = siblings[1], d = siblings[2];
  std::vector<Variable> placed;
  placed.reserve(4);
  Variable t = pick(b0, b, a);
  placed.push_back(pick(b1, b, t));
  t = pick(b0, a, b);
  placed.push_back(pick(b1, c, t));
  t = pick(b0, d, a);
  placed.push_back(pick(b1, t, c));
  t = pick(b0, a, d);
  placed.push_back(pick(b1, t, d));
  return placed;
}

}  // namespace detail

/// `node` put at the place that `index` says (lowest bit first) among its siblings, who keep their
/// order: all children of a tree node, in order.
///
/// @param siblings  1, 3 or 7
/// @param index     1, 2 or 3 bits
/// @throws InvalidArgument for another number of siblings
/// @cost  2, 8 or 22 constraints
template <ConstraintSystem CS>
std::vector<Variable> insert(CS& cs, Variable node, std::span<const Variable> siblings,
                             std::span<const Boolean> index) {
  switch (siblings.size()) {
    case 1: {
      const Variable left = select(cs, index[0], siblings[0], node);
      return {left, select(cs, index[0], node, siblings[0])};
    }
    case 3: return detail::insert_among_three(cs, node, siblings, index);
    case 7: return detail::insert_among_seven(cs, node, siblings, index);
    default: throw InvalidArgument("insertion: a node has 1, 3 or 7 siblings");
  }
}

}  // namespace zkgpu
