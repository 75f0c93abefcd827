// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/check.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/partition_witness.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "devices/gpu.hpp"
#include "devices/proving.hpp"
#include "porep/circuit.hpp"
#include "porep/commands/commands.hpp"
#include "porep/parameters.hpp"
#include "porep/seal_kind.hpp"
#include "porep/statement.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

using porep::C1File;
using porep::Fr;

/// The seal that an option or a statement names; the C1 file must not name another.
SealKind named_seal(const C1File& file, const PorepProveOptions& options,
                    const porep::RegisteredProof& named, const std::string& who) {
  if (named.config().shape != file.shape) {
    throw InvalidArgument(options.c1 + ": of a sector of " + std::string(file.shape.name) + ", " +
                          who + " is " + std::string(named.name));
  }
  if (file.proof && file.proof->number != named.number) {
    throw InvalidArgument(options.c1 + ": of type " + std::string(file.proof->name) + ", " + who +
                          " is " + std::string(named.name));
  }
  return kind_of(named);
}

/// What a C1 file is a proof of. Bincode does not say: it is what an option or a statement names,
/// else the usual seal of its size.
SealKind seal_of(const C1File& file, const PorepProveOptions& options,
                 const std::optional<StatementFile>& statement) {
  if (!options.proof.empty()) {
    return named_seal(file, options, porep::registered_proof(options.proof), "--proof");
  }
  if (statement) {
    return named_seal(file, options, statement->proof, "registered_proof of " + options.statement);
  }
  if (file.proof) return kind_of(*file.proof);
  if (file.output.partitions.size() == file.shape.partitions) return usual_seal(file.shape);
  return kind_of(porep::registered_proof(file.shape.name, porep::ApiVersion::v1_2_0,
                                         porep::Challenges::non_interactive));
}

/// The same, with a porep id of its own where an option gives one.
SealKind seal_to_prove(const C1File& file, const PorepProveOptions& options,
                       const std::optional<StatementFile>& statement) {
  const SealKind kind = seal_of(file, options, statement);
  if (options.porep_id.empty()) return kind;
  if (file.proof || statement) {
    throw InvalidArgument("--porep-id is for seals of no network; " +
                          (file.proof ? options.c1 : options.statement) + " names " + kind.name());
  }
  return with_porep_id(kind, parse_node(options.porep_id, "--porep-id"));
}

C1File load_c1(Session& session, const std::string& path) {
  return session.timed("read C1", [&] {
    io::FileSource<CommandEnv> source(session.env(), path);
    return porep::read_c1(source);
  });
}

/// Everything that the circuit and a verifier will want of the output.
/// @throws Malformed naming file, partition, challenge and path
void expect_consistent(Session& session, const PorepProveOptions& options, const C1File& file,
                       const SealKind& seal, bool assumed) {
  try {
    session.timed("check C1", [&] { porep::check(file.output, seal.config); });
  } catch (const Malformed& error) {
    throw Malformed(options.c1 + ": " + error.what() +
                    (assumed ? " (bincode does not name its type: taken for " + seal.name() +
                                   "; --proof names another)"
                             : ""));
  }
}

void expect_all_valid(Session& session, const VerifyingKey<Curve>& key,
                      const std::vector<PublicValues>& inputs,
                      const std::vector<Proof<Curve>>& proofs) {
  session.timed("verify", [&] {
    const PreparedVerifyingKey<Curve> prepared(key);
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      if (zkgpu::verify<Curve>(prepared, std::span<const Fr::Integer>(inputs[i]), proofs[i])) {
        continue;
      }
      throw SelfCheckFailed("partition " + std::to_string(i) +
                            ": the proof does not show the statement of the C1 file");
    }
  });
}

/// The parameters and whose they are, told before the long work.
struct Parameters {
  LoadedProvingKey loaded;
  std::string path, whose;
};

Parameters load_parameters(Session& session, const PorepProveOptions& options,
                           const porep::SectorShape& shape) {
  const porep::CircuitName circuit{porep::CircuitName::Kind::porep, shape.name};
  Parameters parameters;
  parameters.path =
      parameter_path(session.env(), options.params, circuit, porep::ParameterFile::params);
  if (options.official) expect_official_file(session, parameters.path, circuit);
  KeyOptions keys = options.keys;
  if (options.official) keys.key_cache.clear();  // what was digested is what proves
  parameters.loaded = load_proving_key(session, parameters.path, keys);
  const ProvingKey<Curve>& key = parameters.loaded.key;
  if (key.num_public() != shape.public_inputs()) {
    throw InvalidArgument(parameters.path + ": parameters for " + std::to_string(key.num_public()) +
                          " public values; a partition of " + std::string(shape.name) + " has " +
                          std::to_string(shape.public_inputs()));
  }
  parameters.whose = tell_provenance(session, parameters.path, {key.vk, key.beta_g1, key.delta_g1},
                                     circuit, options.official);
  if (!options.vk.empty()) {
    const std::string path =
        parameter_path(session.env(), options.vk, circuit, porep::ParameterFile::vk);
    expect_same_key(path, load_verifying_key(session, path, options.keys).key, parameters.path,
                    key.vk);
  }
  return parameters;
}

std::vector<Proof<Curve>> prove_all(Session& session, const PorepProveOptions& options,
                                    const C1File& file, const Parameters& parameters,
                                    const Blinding<Fr>* blinding) {
  const R1csShape shape =
      session.timed("shape of the circuit", [&] { return porep::circuit_shape(file.shape); });
  const ProvingKey<Curve>& key = parameters.loaded.key;
  const std::size_t auxiliary = shape.num_wires - shape.num_public - 1;
  if (key.num_auxiliary() != auxiliary) {
    throw InvalidArgument(parameters.path + ": parameters for " +
                          std::to_string(key.num_auxiliary()) +
                          " auxiliary values; the circuit of " + std::string(file.shape.name) +
                          " has " + std::to_string(auxiliary));
  }
  const auto make_r1cs = [&] {
    return session.timed("make constraints", [&] {
      return with_typed_memory_errors("constraints", [&] { return porep_r1cs(file.shape); });
    });
  };
  std::vector<std::unique_ptr<WitnessSource<Fr>>> witnesses;
  std::vector<WitnessSource<Fr>*> sources;
  for (std::size_t i = 0; i < file.output.partitions.size(); ++i) {
    witnesses.push_back(porep_witness(file.shape, file.output, i));
    sources.push_back(witnesses.back().get());
  }
  const ProofWork work{key, nullptr, blinding, sources, &shape, make_r1cs};
  return make_proofs(session, options.device, work);
}

}  // namespace

int porep_c2(Session& session, const PorepProveOptions& options) {
  announce(session, options.keys);
  expect_key_cache(session.env(), options.keys);
  const auto blinding = chosen_blinding(session, options.blinding);
  const std::string outputs[] = {options.proof_out};
  std::vector<std::string> inputs{options.c1};
  for (const std::string& more : {options.statement, options.params, options.vk}) {
    if (!more.empty()) inputs.push_back(more);
  }
  expect_outputs(session.env(), outputs, inputs);
  expect_no_key_replaced(session.env(), outputs);
  if (options.device != "cpu" && options.device != "auto") expect_gpu(options.device);
  std::optional<StatementFile> claim;
  if (!options.statement.empty()) claim = load_statement(session, options.statement);
  const C1File file = load_c1(session, options.c1);
  const SealKind seal = seal_to_prove(file, options, claim);
  if (claim) expect_same_seal(*claim, options.statement, file, *seal.proof, options.c1);
  if (seal.config.challenges == porep::Challenges::non_interactive) {
    session.warn(
        "the chain takes non-interactive seals as one aggregate: this makes its partitions");
  }
  expect_consistent(session, options, file, seal, !file.proof && options.proof.empty() && !claim);
  const auto statement = session.timed("public inputs", [&] {
    const porep::Phase1Output& output = file.output;
    return to_public_values(porep::replica_public_inputs(
        seal.config, {output.replica_id, output.comm_d, output.comm_r, output.seed}));
  });
  const Parameters parameters = load_parameters(session, options, file.shape);
  const std::vector<Proof<Curve>> proofs = proving_with(parameters.loaded, [&] {
    auto made = prove_all(session, options, file, parameters, blinding.get());
    expect_all_valid(session, parameters.loaded.key.vk, statement, made);
    return made;
  });
  OutputGroup files(session.env());
  io::ByteSink& sink = files.add(options.proof_out);
  for (const Proof<Curve>& one : proofs) io::write_proof<Curve>(sink, one);
  files.commit();
  const io::KeyReport& report = parameters.loaded.report;
  Json result = {{"command", "porep c2"},   {"proof", options.proof_out},
                 {"type", seal.name()},     {"partitions", proofs.size()},
                 {"key", parameters.whose}, {"key_was_listed", report.was_listed}};
  if (!options.keys.key_cache.empty()) result["key_cache"] = to_string(report.cache);
  session.finish(fmt::format("{}: {}, {} proofs, {}\n", options.proof_out, seal.name(),
                             proofs.size(), parameters.whose),
                 std::move(result));
  return exit_success;
}

}  // namespace zkgpu::cli
