// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include <string>

namespace zkgpu::porep {

namespace {

void require_commitment(const Node& node, const char* name) {
  const std::string what = std::string("seal statement: ") + name;
  if (node == Node{}) throw InvalidArgument(what + " is zero");
  if (!is_canonical(node)) throw InvalidArgument(what + " is not below the modulus of Fr");
}

Fr of_integer(std::uint64_t value) noexcept {
  return Fr::from_integer(Fr::Integer::from_uint64(value));
}

}  // namespace

Node prover_id_of_miner(std::uint64_t miner) noexcept {
  Node id{};
  for (std::size_t i = 0; miner != 0; ++i, miner >>= 7) {
    id[i] = static_cast<std::byte>((miner & 0x7f) | (miner > 0x7f ? 0x80 : 0));
  }
  return id;
}

Node make_replica_id(const SealConfig& config, const SectorId& sector, const Node& comm_d) {
  Node id = sha256(
      {sector.prover_id, big_endian<8>(sector.number), sector.ticket, comm_d, config.porep_id});
  trim(id);
  return id;
}

std::vector<Fr> partition_inputs(const Graph& graph, const Node& replica_id, const Node& comm_d,
                                 const Node& comm_r, std::span<const std::uint64_t> challenges) {
  std::vector<Fr> inputs{to_field(replica_id), to_field(comm_d), to_field(comm_r)};
  inputs.reserve(inputs.size() + (Graph::degree + 4) * challenges.size());
  for (const std::uint64_t challenge : challenges) {
    const Fr own = of_integer(challenge);
    inputs.push_back(own);  // path of tree D
    for (const std::uint32_t parent : graph.parents(static_cast<std::uint32_t>(challenge))) {
      inputs.push_back(of_integer(parent));
    }
    inputs.insert(inputs.end(), 3, own);  // the challenge itself, paths of trees R and C
  }
  return inputs;
}

std::vector<std::vector<Fr>> replica_public_inputs(const SealConfig& config,
                                                   const ReplicaStatement& statement) {
  require_commitment(statement.comm_d, "comm_d");
  require_commitment(statement.comm_r, "comm_r");
  const unsigned challenges = config.partitions() * config.shape.challenges;
  if (challenges < config.least_challenges()) {
    throw InvalidArgument("seal statement: " + std::to_string(challenges) +
                          " challenges in all partitions, at least " +
                          std::to_string(config.least_challenges()) + " are demanded");
  }
  const Graph graph(config);
  std::vector<std::vector<Fr>> inputs;
  for (unsigned k = 0; k < config.partitions(); ++k) {
    const std::vector<std::uint64_t> nodes =
        partition_challenges(config, {statement.replica_id, statement.comm_r, statement.seed}, k);
    inputs.push_back(
        partition_inputs(graph, statement.replica_id, statement.comm_d, statement.comm_r, nodes));
  }
  return inputs;
}

std::vector<std::vector<Fr>> seal_public_inputs(const SealConfig& config,
                                                const SealStatement& statement) {
  return replica_public_inputs(config, {make_replica_id(config, statement.sector, statement.comm_d),
                                        statement.comm_d, statement.comm_r, statement.seed});
}

}  // namespace zkgpu::porep
