// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/prover/io/json/decimal.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>

#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "devices/gpu.hpp"
#include "files/circuits.hpp"
#include "files/proofs.hpp"
#include "session/outputs.hpp"
#include "session/proof_progress.hpp"

namespace zkgpu::cli {

namespace {

using Fr = Curve::Fr;

Fr parse_scalar(const std::string& text, const char* option) {
  Fr::Integer value;
  if (!io::parse_decimal(text, value) || !Fr::is_canonical(value)) {
    throw InvalidArgument(std::string(option) +
                          ": not a decimal number from 0 to the order of the group less one");
  }
  return Fr::from_integer(value);
}

/// The test hook. On the heap: a Blinding is not copied and not moved.
std::unique_ptr<const Blinding<Fr>> chosen_blinding(Session& session, const ProveOptions& options) {
  if (!options.blinding) return nullptr;
  auto blinding =
      std::make_unique<const Blinding<Fr>>(parse_scalar(options.blinding->r, "--insecure-r"),
                                           parse_scalar(options.blinding->s, "--insecure-s"));
  session.warn_loudly("r and s are given: this proof does not hide its witness");
  return blinding;
}

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

/// The costs of a proof's stages, for the progress bar.
pipeline::ProofGraph graph_of(const ProvingKey<Curve>& key, bool given_blinding) {
  return pipeline::make_groth16_graph({.domain_size = key.domain_size(),
                                       .entries = key.a_matrix.entries() + key.b_matrix.entries(),
                                       .num_wires = key.num_wires,
                                       .num_auxiliary = key.num_auxiliary(),
                                       .a_points = key.a.size(),
                                       .b_g1_points = given_blinding ? key.b_g1.size() : 0,
                                       .b_g2_points = key.b_g2.size(),
                                       .h_points = key.h.size()});
}

Proof<Curve> prove_on_cpu(Session& session, const ProofRequest& request) {
  return with_best_cpu([&](auto cpu) {
    Prover<Curve, decltype(cpu), pipeline::cpu_only> prover(cpu, request.key, request.options);
    return session.timed("prove", [&] {
      request.begin();
      return prover.prove(request.witness, request.call);
    });
  });
}

/// On the CPU where "auto" finds a GPU that then cannot do it.
Proof<Curve> make_proof_on(Session& session, const std::string& device,
                           const ProofRequest& request) {
  if (device == "cpu") return prove_on_cpu(session, request);
  if (device != "auto") return prove_on_gpu(session, device, request);
  if (!gpu_is_worthwhile(request.key.domain_size())) return prove_on_cpu(session, request);
  try {
    return prove_on_gpu(session, device, request);
  } catch (const DeviceError& error) {
    session.warn(std::string("proving on the CPU: ") + error.what());
  } catch (const ResourceExhausted& error) {
    session.warn(std::string("proving on the CPU: ") + error.what());
  } catch (const SelfCheckFailed& error) {  // the GPU may have made a mistake
    session.warn(std::string("proving on the CPU: ") + error.what());
  }
  return prove_on_cpu(session, request);
}

Proof<Curve> make_proof(Session& session, const std::string& device, const ProvingKey<Curve>& key,
                        const R1cs<Fr>* r1cs, const Witness<Fr>& witness,
                        const Blinding<Fr>* blinding) {
  EnvEntropy<CommandEnv> entropy(session.env());
  ProverOptions<Curve> options;
  options.r1cs = r1cs;
  options.entropy = &entropy;
  options.insecure_blinding = blinding;
  ProofProgress progress(session, graph_of(key, blinding != nullptr));
  zkgpu::ProveOptions<Curve> call;
  call.observer = &progress;
  const ProofRequest request{key, witness, options, call, [&] { progress.begin(); }};
  const Proof<Curve> proof = make_proof_on(session, device, request);
  progress.report_times();
  return proof;
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
  const auto blinding = chosen_blinding(session, options);
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
  const Proof<Curve> proof =
      make_proof(session, options.device, loaded.key, circuit ? &circuit->system : nullptr, witness,
                 blinding.get());

  const std::size_t num_public = loaded.key.num_public();
  const std::string proof_text = format_proof(proof, proof_form_of(options.proof));
  const std::string public_text = io::public_json<Curve>(witness.public_values(num_public));
  OutputGroup files(session.env());
  files.add(options.proof).write(io::bytes_of(proof_text));
  files.add(options.public_values).write(io::bytes_of(public_text));
  files.commit();
  session.finish("", {{"command", "prove"},
                      {"proof", options.proof},
                      {"public", options.public_values},
                      {"public_values", num_public},
                      {"domain", loaded.key.domain_size()},
                      {"key_was_listed", loaded.report.was_listed}});
  return exit_success;
}

}  // namespace zkgpu::cli
