// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "devices/proving.hpp"

#include <cstddef>
#include <exception>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/prover/io/json/decimal.hpp>

#include "devices/gpu.hpp"
#include "session/proof_progress.hpp"

namespace zkgpu::cli {

namespace {

using Fr = Curve::Fr;
using Results = std::vector<ProofResult<Curve>>;

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

/// All proofs, or what the first that failed failed with.
std::vector<Proof<Curve>> values_of(const Results& results) {
  std::vector<Proof<Curve>> proofs;
  for (const ProofResult<Curve>& result : results) {
    try {
      proofs.push_back(result.value());
    } catch (const Error& error) {
      if (results.size() == 1) throw;
      throw Error(error.kind(), "proof " + std::to_string(proofs.size()) + " of 0 to " +
                                    std::to_string(results.size() - 1) + ": " + error.what());
    }
  }
  return proofs;
}

template <class Policy>
std::vector<Proof<Curve>> prove_on_cpu_as(Session& session, const ProofJob& job) {
  return with_best_cpu([&](auto cpu) {
    Prover<Curve, decltype(cpu), Policy> prover(cpu, job.key, job.options);
    return values_of(session.timed("prove", [&] {
      job.begin();
      return prover.prove_each(job.requests, job.call);
    }));
  });
}

/// Stages side by side; of large circuits one after another, since each fills all threads and all
/// of their memory at once would be half as large as the key.
std::vector<Proof<Curve>> prove_on_cpu(Session& session, const ProofJob& job) {
  constexpr std::size_t large = std::size_t{1} << 20;
  if (job.key.domain_size() < large) {
    return prove_on_cpu_as<pipeline::cpu_only>(session, job);
  }
  return prove_on_cpu_as<pipeline::low_memory>(session, job);
}

/// The failures of a GPU after which the CPU may do better.
bool is_of_the_device(ErrorKind kind) {
  return kind == ErrorKind::device_error || kind == ErrorKind::resource_exhausted ||
         kind == ErrorKind::self_check_failed;
}

std::vector<Proof<Curve>> prove_on_device(Session& session, const std::string& device,
                                          const ProofJob& job, const ProofWork& work) {
  if (!work.make_r1cs) return values_of(prove_on_gpu(session, device, job));
  ProverOptions<Curve> options = job.options;
  const R1cs<Fr> r1cs = work.make_r1cs();  // gone when the CPU takes over
  options.shape = nullptr;
  options.r1cs = &r1cs;
  return values_of(
      prove_on_gpu(session, device, {job.key, job.requests, options, job.call, job.begin}));
}

std::vector<Proof<Curve>> prove_on(Session& session, const std::string& device, const ProofJob& job,
                                   const ProofWork& work) {
  if (device == "cpu") return prove_on_cpu(session, job);
  if (device != "auto") return prove_on_device(session, device, job, work);
  if (!gpu_is_worthwhile(job.key.domain_size())) return prove_on_cpu(session, job);
  try {
    return prove_on_device(session, device, job, work);
  } catch (const Error& error) {
    if (!is_of_the_device(error.kind())) throw;
    session.warn(std::string("proving on the CPU: ") + error.what());
  }
  return prove_on_cpu(session, job);
}

}  // namespace

std::vector<Proof<Curve>> make_proofs(Session& session, const std::string& device,
                                      const ProofWork& work) {
  EnvEntropy<CommandEnv> entropy(session.env());
  ProverOptions<Curve> options;
  options.r1cs = work.r1cs;
  options.shape = work.shape;
  options.entropy = &entropy;
  options.insecure_blinding = work.blinding;
  ProofProgress progress(session, graph_of(work.key, work.blinding != nullptr),
                         work.sources.size());
  zkgpu::ProveOptions<Curve> call;
  call.observer = &progress;
  std::vector<ProofRequest<Fr>> requests(work.sources.size());
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i].source = work.sources[i];
  const ProofJob job{work.key, requests, options, call, [&] { progress.begin(); }};
  auto proofs = prove_on(session, device, job, work);
  progress.report_times();
  return proofs;
}

Fr parse_scalar(const std::string& text, const char* option) {
  Fr::Integer value;
  if (!io::parse_decimal(text, value) || !Fr::is_canonical(value)) {
    throw InvalidArgument(std::string(option) +
                          ": not a decimal number from 0 to the order of the group less one");
  }
  return Fr::from_integer(value);
}

std::unique_ptr<const Blinding<Fr>> chosen_blinding(Session& session,
                                                    const std::optional<ChosenBlinding>& chosen) {
  if (!chosen) return nullptr;
  auto blinding = std::make_unique<const Blinding<Fr>>(parse_scalar(chosen->r, "--insecure-r"),
                                                       parse_scalar(chosen->s, "--insecure-s"));
  session.warn_loudly("r and s are given: a proof with them does not hide its witness");
  return blinding;
}

}  // namespace zkgpu::cli
