// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/prover/porep/statement/challenges.hpp>
#include <zkgpu/prover/porep/statement/graph.hpp>

/// What a seal claims, and the public inputs that a verifier derives from the claim.
namespace zkgpu::porep {

/// A sector as its provider names it.
struct SectorId {
  Node prover_id{};  ///< see prover_id_of_miner
  std::uint64_t number = 0;
  Node ticket{};  ///< randomness of the chain, from before the sealing
};

/// The claim: this replica of that data belongs to this sector.
struct SealStatement {
  SectorId sector;
  Node comm_d{}, comm_r{};
  Node seed{};  ///< randomness of the chain, from after the sealing
};

/// The miner f0N as a prover id: N in LEB128, then zeros.
[[nodiscard]] Node prover_id_of_miner(std::uint64_t miner) noexcept;

/// The label of a replica: which sector, and which data, sealed how.
[[nodiscard]] Node make_replica_id(const SealConfig& config, const SectorId& sector,
                                   const Node& comm_d);

/// The inputs of one partition, without the constant one: replica id, comm_d, comm_r and for each
/// challenge c the places of 18 nodes: c, its 6 + 8 parents, c three times.
/// @throws Malformed if a commitment is not below the modulus
[[nodiscard]] std::vector<Fr> partition_inputs(const Graph& graph, const Node& replica_id,
                                               const Node& comm_d, const Node& comm_r,
                                               std::span<const std::uint64_t> challenges);

/// The same claim where the replica is known by its id, which its sector is within.
struct ReplicaStatement {
  Node replica_id{}, comm_d{}, comm_r{};
  Node seed{};
};

/// The inputs of every partition of a replica.
/// @throws InvalidArgument as seal_public_inputs; Malformed if the replica id is not below the
///   modulus
[[nodiscard]] std::vector<std::vector<Fr>> replica_public_inputs(const SealConfig& config,
                                                                 const ReplicaStatement& statement);

/// The inputs of every partition, as a verifier makes them from the statement alone.
/// @throws InvalidArgument if comm_d or comm_r is zero or not below the modulus, or if the
///   partitions of the configuration have fewer challenges than it demands
[[nodiscard]] std::vector<std::vector<Fr>> seal_public_inputs(const SealConfig& config,
                                                              const SealStatement& statement);

}  // namespace zkgpu::porep
