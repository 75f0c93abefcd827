// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <vector>

#include <zkgpu/prover/porep/hash/digests.hpp>
#include <zkgpu/prover/porep/statement/registered_proof.hpp>

/// Which nodes a seal must open. Node 0 is never among them.
namespace zkgpu::porep {

/// What challenges are derived from.
struct ChallengeSource {
  Node replica_id{};
  Node comm_r{};  ///< not used by interactive challenges
  Node seed{};    ///< not used by non-interactive challenges
};

/// A digest as a little-endian integer, reduced to 1 … nodes − 1.
/// @param nodes  from 2 to 2^31
[[nodiscard]] std::uint64_t to_challenge(const Node& digest, std::uint64_t nodes) noexcept;

/// The challenges of one partition, in the order in which its circuit has them.
/// @param partition  any: a challenge depends on its place among those of all partitions
[[nodiscard]] std::vector<std::uint64_t> partition_challenges(const SealConfig& config,
                                                              const ChallengeSource& from,
                                                              unsigned partition);

/// The list from which a seed later chooses: a replica and its comm_r decide it, so that a provider
/// can keep the proofs of these nodes and drop the layers.
class SyntheticChallenges {
 public:
  static constexpr std::uint64_t usual_count = std::uint64_t{1} << 18;  ///< or all nodes, if fewer

  /// @param count  length of the list, from 1 to 2^32; 0: the usual
  SyntheticChallenges(std::uint64_t nodes, const Node& replica_id, const Node& comm_r,
                      std::uint64_t count = 0);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// The i-th of the list. @cost one block of ChaCha20
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const;
  /// What a seed chooses, from the first-th choice.
  [[nodiscard]] std::vector<std::uint64_t> chosen(const Node& seed, std::uint64_t first,
                                                  std::size_t how_many) const;

 private:
  std::uint64_t nodes_, count_;
  Node replica_id_, key_;
};

}  // namespace zkgpu::porep
