// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/circuit/gadgets/bits.hpp>
#include <zkgpu/prover/circuit/gadgets/poseidon.hpp>
#include <zkgpu/prover/circuit/gadgets/sha256.hpp>
#include <zkgpu/prover/circuit/number.hpp>

namespace zkgpu::porep {

/// The bits of a number as SHA-256 takes its 32 bytes: 255 variables and a constant zero.
template <ConstraintSystem CS>
std::vector<Boolean> hash_bits(CS& cs, Variable x) {
  return reverse_within_bytes(unpack_all(cs, x));
}

/// SHA-256 of a message, without the two bits that do not fit a field element.
/// @param message  whole bytes, the most significant bit of each first
template <ConstraintSystem CS>
Variable trimmed_sha256(CS& cs, std::vector<Boolean> message) {
  const std::vector<Boolean> bits = reverse_within_bytes(sha256::hash(cs, std::move(message)));
  return pack(cs, std::span<const Boolean>(bits).first(CS::Scalar::bits - 1));
}

/// A node of tree D: SHA-256 of its two children, trimmed.
/// @cost 45379 constraints
struct Sha256Node {
  template <ConstraintSystem CS>
  Variable operator()(CS& cs, std::span<const Variable> children) const {
    std::vector<Boolean> message;
    for (const Variable& child : children) {
      const std::vector<Boolean> bits = hash_bits(cs, child);
      message.insert(message.end(), bits.begin(), bits.end());
    }
    return trimmed_sha256(cs, std::move(message));
  }
};

/// A node of the trees C and R: Poseidon of its 2, 4 or 8 children.
struct PoseidonNode {
  template <ConstraintSystem CS>
  Variable operator()(CS& cs, std::span<const Variable> children) const {
    using F = typename CS::Scalar;
    return poseidon_hash(cs, poseidon<F>(static_cast<unsigned>(children.size())), children);
  }
};

}  // namespace zkgpu::porep
