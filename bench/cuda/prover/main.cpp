// SPDX-License-Identifier: Apache-2.0 OR MIT
// gpu-prover-bench OUT.json COMMIT DATE [LOG_CONSTRAINTS...]: whole proofs of the chain on device
// 0, full-size scalars, the key resident. 20 and 22 unless said; from the call to the verified
// proof. With "stream" instead of sizes, streams of 40 proofs by named policies, of 2^22 rows.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "../measure.hpp"
#include "circuits/chain.hpp"
#include "stream.hpp"

namespace zkgpu::bench {
namespace {

using Curve = Bls12_381;
using Fr = Curve::Fr;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}
double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Instance {
  explicit Instance(unsigned log_n)
      : circuit{.steps = (std::size_t{1} << log_n) - 3},  // and a row for 1, y and k
        r1cs(synthesize_r1cs<Fr>(circuit)),
        witness(synthesize_witness<Fr>(circuit)),
        key(generate_key<Curve>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)),
                                KeyForm::snarkjs)) {}
  cli::ChainCircuit<Fr> circuit;
  R1cs<Fr> r1cs;
  Witness<Fr> witness;
  ProvingKey<Curve> key;
};

template <class Policy>
void proof_row(const Cuda& cuda, Report& report, unsigned log_n, const Instance& instance) {
  constexpr int repeats = 21;
  const auto begin = Clock::now();
  Prover<Curve, Cuda, Policy> prover(cuda, instance.key, {.r1cs = &instance.r1cs});
  const double load_ms = milliseconds_since(begin);
  for (int i = 0; i < 2; ++i) static_cast<void>(prover.prove(instance.witness));
  pipeline::Trace trace(repeats * pipeline::stage_count);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = Clock::now();
    static_cast<void>(prover.prove(instance.witness, {.observer = &trace}));
    times.push_back(milliseconds_since(start));
  }
  Row row;
  row.name = "prove/chain/" + std::string(Policy::name) + "/2^" + std::to_string(log_n);
  row.median_ms = median(times);
  row.least_ms = *std::min_element(times.begin(), times.end());
  row.most_ms = *std::max_element(times.begin(), times.end());
  row.repeats = repeats;
  std::vector<std::vector<double>> stages(pipeline::stage_count);
  for (const auto& record : trace.records()) {
    stages[static_cast<std::size_t>(record.stage)].push_back(1e3 * record.seconds());
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    row.counters.emplace_back(std::string(to_string(pipeline::StageId(i))) + "_ms",
                              median(stages[i]));
  }
  row.counters.emplace_back("load_ms", load_ms);
  row.counters.emplace_back("scratch_bytes", double(prover.peak_scratch_bytes()));
  row.counters.emplace_back("device_bytes", double(cuda.arena_use().used_bytes));
  report.add(std::move(row));
}

int run(int argc, char** argv) {
  const Cuda cuda(0);
  Report report;
  std::vector<unsigned> sizes = {20, 22};
  if (argc > 4 && std::string(argv[4]) == "stream") {
    stream_rows(cuda, report, argc > 5 ? static_cast<unsigned>(std::atoi(argv[5])) : 22);
    report.write(argv[1], {{"device", cuda.info().name}, {"commit", argv[2]}, {"date", argv[3]}});
    return 0;
  }
  if (argc > 4) sizes.clear();
  for (int i = 4; i < argc; ++i) {
    const int log_n = std::atoi(argv[i]);
    if (log_n < 4 || log_n > 26)
      throw InvalidArgument("sizes are from 4 to 26, not " + std::string(argv[i]));
    sizes.push_back(static_cast<unsigned>(log_n));
  }
  for (const unsigned log_n : sizes) {
    const auto begin = Clock::now();
    const Instance instance(log_n);
    std::printf("2^%u: circuit, witness and key in %.1f s\n", log_n,
                milliseconds_since(begin) / 1e3);
    proof_row<pipeline::datacenter>(cuda, report, log_n, instance);
    proof_row<pipeline::low_memory>(cuda, report, log_n, instance);
    report.write(argv[1], {{"device", cuda.info().name}, {"commit", argv[2]}, {"date", argv[3]}});
  }
  return 0;
}

}  // namespace
}  // namespace zkgpu::bench

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: gpu-prover-bench OUT.json COMMIT DATE [LOG_CONSTRAINTS...]\n");
    return 2;
  }
  try {
    return zkgpu::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu-prover-bench: %s\n", error.what());
    return 1;
  }
}
