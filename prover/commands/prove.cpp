// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>

#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "devices/gpu.hpp"
#include "devices/proving.hpp"
#include "files/circuits.hpp"
#include "files/proofs.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

using Fr = Curve::Fr;

/// Names the constraint, and no value: a witness is nobody else's business.
void expect_satisfied(Session& session, const R1cs<Fr>& r1cs, const Witness<Fr>& witness) {
  const auto violation = session.timed("check constraints", [&] {
    return first_violation<Fr>(r1cs, std::span<const Fr::Integer>(witness.values));
  });
  if (!violation) return;
  throw WitnessUnsatisfied("constraint " + std::to_string(violation->constraint) +
                           " (counted from 0, of " + std::to_string(r1cs.num_constraints()) +
                           ") does not hold; 'zkgpu check' shows its values");
}

/// @throws InvalidArgument naming the files whose counts differ
void expect_fitting_key(const ProveOptions& options, const ProvingKey<Curve>& key,
                        const Witness<Fr>& witness, const R1cs<Fr>* r1cs) {
  expect_same_count({options.witness, witness.size(), "values"},
                    {options.key, key.num_wires, "wires"});
  if (r1cs == nullptr) return;
  expect_same_count({options.r1cs, r1cs->num_public, "public values"},
                    {options.key, key.num_public(), "public values"});
}

Proof<Curve> make_proof(Session& session, const std::string& device, const ProvingKey<Curve>& key,
                        const R1cs<Fr>* r1cs, const Witness<Fr>& witness,
                        const Blinding<Fr>* blinding) {
  GivenWitness<Fr> source(witness);
  WitnessSource<Fr>* const sources[] = {&source};
  return make_proofs(session, device, {key, r1cs, blinding, sources, nullptr, {}}).front();
}

/// The kinds of the inputs, before any work. A key of bellman's says nothing about its circuit.
void expect_inputs(Session& session, const ProveOptions& options) {
  std::vector<InputArgument> inputs{{"KEY", options.key, Content::proving_key},
                                    {"WITNESS", options.witness, Content::witness}};
  if (!options.r1cs.empty()) inputs.push_back({"--r1cs", options.r1cs, Content::constraints});
  expect_kinds(session.env(), inputs, "zkgpu prove KEY WITNESS PROOF PUBLIC [--r1cs FILE]");
  io::FileSource<CommandEnv> source(session.env(), options.key);
  if (kind_of(source) == FileKind::bellman_params && options.r1cs.empty()) {
    throw InvalidArgument(options.key + ": a key of bellman's form needs its circuit: --r1cs FILE");
  }
}

}  // namespace

int prove(Session& session, const ProveOptions& options) {
  announce(session, options.keys);
  expect_key_cache(session.env(), options.keys);
  const auto blinding = chosen_blinding(session, options.blinding);
  const std::string outputs[] = {options.proof, options.public_values};
  std::vector<std::string> inputs = {options.key, options.witness};
  if (!options.r1cs.empty()) inputs.push_back(options.r1cs);
  expect_outputs(session.env(), outputs, inputs);
  expect_no_key_replaced(session.env(), outputs);
  if (options.device != "cpu" && options.device != "auto") expect_gpu(options.device);
  expect_inputs(session, options);

  const Witness<Fr> witness = load_witness(session, options.witness);
  std::optional<io::R1csFile<Fr>> circuit;
  if (!options.r1cs.empty()) {
    circuit = load_r1cs(session, options.r1cs);
    expect_same_count({options.witness, witness.size(), "values"},
                      {options.r1cs, circuit->system.num_wires, "wires"});
    expect_satisfied(session, circuit->system, witness);
  }
  const LoadedProvingKey loaded = load_proving_key(session, options.key, options.keys);
  expect_fitting_key(options, loaded.key, witness, circuit ? &circuit->system : nullptr);
  const Proof<Curve> proof = proving_with(loaded, [&] {
    return make_proof(session, options.device, loaded.key, circuit ? &circuit->system : nullptr,
                      witness, blinding.get());
  });

  const std::size_t num_public = loaded.key.num_public();
  const std::string proof_text = format_proof(proof, proof_form_of(options.proof));
  const std::string public_text = io::public_json<Curve>(witness.public_values(num_public));
  OutputGroup files(session.env());
  files.add(options.proof).write(io::bytes_of(proof_text));
  files.add(options.public_values).write(io::bytes_of(public_text));
  files.commit();
  Json result = {{"command", "prove"},
                 {"proof", options.proof},
                 {"public", options.public_values},
                 {"public_values", num_public},
                 {"domain", loaded.key.domain_size()},
                 {"key_was_listed", loaded.report.was_listed}};
  if (!options.keys.key_cache.empty()) result["key_cache"] = to_string(loaded.report.cache);
  session.finish("", std::move(result));
  return exit_success;
}

}  // namespace zkgpu::cli
