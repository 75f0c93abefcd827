// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "porep/commands/commands.hpp"
#include "porep/parameters.hpp"
#include "porep/statement.hpp"

namespace zkgpu::cli {

namespace {

using porep::Fr;
using Values = std::vector<Fr::Integer>;

/// One proof a partition, no more and no fewer.
std::vector<Proof<Curve>> load_proofs(Session& session, const std::string& path,
                                      const porep::RegisteredProof& proof) {
  const std::size_t partitions = proof.config().partitions();
  const std::size_t expected = partitions * io::proof_bytes<Curve>;
  io::FileSource<CommandEnv> source(session.env(), path);
  if (source.size() != expected) {
    throw Malformed({path, "proof", std::min<std::uint64_t>(source.size(), expected)},
                    std::to_string(source.size()) + " bytes; " + std::string(proof.name) + " has " +
                        std::to_string(partitions) + " proofs, " + std::to_string(expected) +
                        " bytes");
  }
  return io::parse_proofs<Curve>(io::read_all(source, expected), path);
}

std::vector<Values> inputs_of(const StatementFile& file) {
  std::vector<Values> all;
  for (const auto& inputs : porep::seal_public_inputs(file.proof.config(), file.statement)) {
    Values& values = all.emplace_back();
    for (const Fr& input : inputs) values.push_back(input.to_integer());
  }
  return all;
}

}  // namespace

int porep_verify(Session& session, const PorepVerifyOptions& options) {
  announce(session, options.keys);
  const StatementFile file = load_statement(session, options.statement);
  const porep::CircuitName circuit{porep::CircuitName::Kind::porep, file.proof.sector_name};
  const std::string path =
      parameter_path(session.env(), options.vk, circuit, porep::ParameterFile::vk);
  const LoadedVerifyingKey vk = load_verifying_key(session, path, options.keys);
  std::string whose = "unknown: the file has no beta and delta in G1";
  if (vk.full) {
    whose = tell_provenance(session, path, *vk.full, circuit, options.official);
  } else if (options.official) {
    throw InvalidArgument(path + ": whose key it is can be told of .vk and .params only");
  }
  const porep::SealConfig config = file.proof.config();
  if (vk.key.num_public() != config.shape.public_inputs()) {
    throw InvalidArgument(path + ": a key for " + std::to_string(vk.key.num_public()) +
                          " public values; a partition of " + std::string(config.shape.name) +
                          " has " + std::to_string(config.shape.public_inputs()));
  }
  const std::vector<Proof<Curve>> proofs = load_proofs(session, options.proof, file.proof);
  const std::vector<Values> inputs =
      session.timed("public inputs", [&] { return inputs_of(file); });
  std::vector<std::size_t> invalid;
  session.timed("verify", [&] {
    const PreparedVerifyingKey<Curve> prepared(vk.key);
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      const std::span<const Fr::Integer> values(inputs[i]);
      if (!zkgpu::verify<Curve>(prepared, values, proofs[i])) invalid.push_back(i);
    }
  });
  std::string text = invalid.empty() ? "valid\n" : "invalid\n";
  if (!invalid.empty() && proofs.size() > 1) {
    text = "invalid: partitions";
    for (const std::size_t i : invalid) text += " " + std::to_string(i);
    text += "\n";
  }
  session.finish(text, {{"command", "porep verify"},
                        {"valid", invalid.empty()},
                        {"partitions", proofs.size()},
                        {"invalid_partitions", invalid},
                        {"key", whose}});
  return invalid.empty() ? exit_success : exit_invalid_proof;
}

}  // namespace zkgpu::cli
