// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "stream.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/pipeline/fingerprint.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "circuits/bits.hpp"

namespace zkgpu::bench {
namespace {

using Curve = Bls12_381;
using Fr = Curve::Fr;
using Bits = cli::BitsCircuit<Fr>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t proofs_of_stream = 40;
constexpr std::size_t partitions_of_job = 10;  // as a sector of 32 GiB has

struct Instance {
  explicit Instance(unsigned log_n)
      : circuit{.numbers = ((std::size_t{1} << log_n) - 4) / Bits::constraints_a_number},
        r1cs(synthesize_r1cs<Fr>(circuit)),
        key(generate_key<Curve>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)),
                                KeyForm::bellman)) {}
  Bits circuit;
  R1cs<Fr> r1cs;
  ProvingKey<Curve> key;
};

template <class Policy>
void stream_row(const Cuda& cuda, Report& report, unsigned log_n, const Instance& instance) {
  ProverOptions<Curve> made{.limits = Policy::usual, .r1cs = &instance.r1cs};
  Prover<Curve, Cuda, Policy> prover(cuda, instance.key, made);
  std::vector<std::unique_ptr<CircuitWitness<Fr, Bits>>> sources;
  std::vector<ProofRequest<Fr>> requests;
  for (std::size_t i = 0; i < proofs_of_stream; ++i) {
    sources.push_back(std::make_unique<CircuitWitness<Fr, Bits>>(instance.circuit));
    requests.push_back({.source = sources.back().get(), .job = i / partitions_of_job});
  }
  const auto made_all = [](const auto& results) {
    for (const auto& result : results) static_cast<void>(result.value());
  };
  made_all(prover.prove_each(std::span(requests).first(2)));  // buffers, first touches
  pipeline::Trace trace(proofs_of_stream * pipeline::stage_count);
  const auto begin = Clock::now();
  made_all(prover.prove_each(requests, {.observer = &trace}));
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();

  Row row;
  row.name = "stream/bits/" + std::string(Policy::name) + "/2^" + std::to_string(log_n);
  row.median_ms = row.least_ms = row.most_ms = ms / double(proofs_of_stream);
  row.repeats = 1;
  std::vector<std::vector<double>> stages(pipeline::stage_count);
  for (const auto& record : trace.records()) {
    stages[static_cast<std::size_t>(record.stage)].push_back(1e3 * record.seconds());
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::sort(stages[i].begin(), stages[i].end());
    row.counters.emplace_back(std::string(to_string(pipeline::StageId(i))) + "_ms",
                              stages[i].empty() ? 0 : stages[i][stages[i].size() / 2]);
  }
  row.counters.emplace_back("proofs", double(proofs_of_stream));
  row.counters.emplace_back("proofs_in_flight", double(Policy::usual.proofs_in_flight));
  row.counters.emplace_back("scratch_bytes", double(prover.peak_scratch_bytes()));
  std::printf("%s\n", pipeline::fingerprint<Policy>().c_str());
  report.add(std::move(row));
}

}  // namespace

void stream_rows(const Cuda& cuda, Report& report, unsigned log_n) {
  const auto begin = Clock::now();
  const Instance instance(log_n);
  std::printf("2^%u: circuit and key in %.1f s\n", log_n,
              std::chrono::duration<double>(Clock::now() - begin).count());
  stream_row<pipeline::datacenter>(cuda, report, log_n, instance);
  stream_row<pipeline::phase12>(cuda, report, log_n, instance);
  stream_row<pipeline::phase11>(cuda, report, log_n, instance);
  stream_row<pipeline::phase9>(cuda, report, log_n, instance);
  stream_row<pipeline::phase8>(cuda, report, log_n, instance);
}

}  // namespace zkgpu::bench
