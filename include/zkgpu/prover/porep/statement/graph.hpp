// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/prover/porep/hash/digests.hpp>
#include <zkgpu/prover/porep/statement/registered_proof.hpp>

namespace zkgpu::porep {

/// Who the parents of a node are: six earlier nodes of its own layer (a depth-robust graph by
/// bucket sampling) and eight nodes of the layer before (a random permutation by a Feistel
/// network). Both may hold a node more than once.
///
/// @see Alwen, Blocki, Harsha 2017, eprint 2017/443, Algorithm 3 (DRSample)
class Graph {
 public:
  static constexpr std::size_t degree = drg_degree + expander_degree;

  /// @param nodes  a power of two from 2 to 2^31
  /// @throws InvalidArgument for another number of nodes
  Graph(std::uint64_t nodes, const Node& porep_id, ApiVersion api);
  explicit Graph(const SealConfig& config)
      : Graph(config.shape.nodes(), config.porep_id, config.api) {}

  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

  /// @param node  below nodes()
  /// @cost two blocks of ChaCha8
  [[nodiscard]] std::array<std::uint32_t, drg_degree> drg_parents(std::uint32_t node) const;
  /// @param node  below nodes()
  /// @cost 24 BLAKE2b on average where 8·nodes() is a power of four, else 48
  [[nodiscard]] std::array<std::uint32_t, expander_degree> expander_parents(
      std::uint32_t node) const;
  /// DRG parents first.
  [[nodiscard]] std::array<std::uint32_t, degree> parents(std::uint32_t node) const;

 private:
  [[nodiscard]] std::uint64_t permute(std::uint64_t value) const;

  std::uint64_t nodes_;
  ApiVersion api_;
  std::array<std::byte, 28> drg_seed_{};
  std::array<std::array<std::byte, 8>, 3> feistel_keys_{};  // big-endian, as they are hashed
  unsigned half_bits_ = 1;                                  // of a value of the permutation
};

}  // namespace zkgpu::porep
