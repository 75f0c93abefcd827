// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/porep/circuit/hashes.hpp>
#include <zkgpu/prover/porep/sector.hpp>

namespace zkgpu::porep {

/// A label: SHA-256 of replica id, layer, node and 37 labels of parents, trimmed.
///
/// @param replica_id  256 bits as hashed
/// @param layer       from 1, a constant of the circuit
/// @param node        64 bits, least significant first
/// @param parents     256 bits each as hashed; repeated in order until there are 37
/// @cost  522269 constraints if all of these are variable
template <ConstraintSystem CS>
Variable create_label(CS& cs, std::span<const Boolean> replica_id, std::uint32_t layer,
                      std::span<const Boolean> node,
                      std::span<const std::vector<Boolean>> parents) {
  std::vector<Boolean> message(replica_id.begin(), replica_id.end());
  message.reserve(512 + 256 * label_parents);
  for (std::size_t i = 32; i-- > 0;) message.push_back(Boolean::constant(((layer >> i) & 1) != 0));
  message.insert(message.end(), node.rbegin(), node.rend());
  message.resize(512, Boolean::constant(false));
  for (std::size_t i = 0; i < label_parents; ++i) {
    const std::vector<Boolean>& parent = parents[i % parents.size()];
    message.insert(message.end(), parent.begin(), parent.end());
  }
  return trimmed_sha256(cs, std::move(message));
}

}  // namespace zkgpu::porep
