// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every named policy on the device, and values of the staging that none has: the bytes of the CPU's
// proofs, memory within the plan.
#include <catch2/catch.hpp>

#include <memory>
#include <string_view>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/pipeline/fingerprint.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;

namespace {

using Random = test::RandomCircuit<Fr>;

/// A key with what its proofs are to be.
struct Instance {
  Random circuit;
  R1cs<Fr> r1cs;
  ProvingKey<Bls> key;
  Blinding<Fr> blinding{Fr(123), Fr(456).inverse()};
  Proof<Bls> expected;

  Instance(std::size_t constraints, KeyForm form)
      : circuit{.constraints = constraints, .bits = constraints / 2},
        r1cs(synthesize_r1cs<Fr>(circuit)),
        key(generate_key<Bls>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)), form)),
        expected(with_best_cpu([&]<class Machine>(const Machine& cpu) {
          Prover<Bls, Machine, pipeline::cpu_only> prover(cpu, key, options());
          return prover.prove(circuit);
        })) {}

  [[nodiscard]] ProverOptions<Bls> options() const {
    return {.limits = {}, .r1cs = &r1cs, .entropy = nullptr, .insecure_blinding = &blinding};
  }
};

/// Of a shape that fits; the plan of what is really run is the engine's.
using phase10 =
    pipeline::phase10<pipeline::CircuitShape{
                          .domain_size = 1 << 16, .num_wires = 1 << 16, .field_bytes = 32},
                      std::size_t{1} << 37>;

/// Values of the staging that no named policy has.
struct waiting_once : pipeline::datacenter {
  static constexpr std::string_view name = "waiting_once";
  using Staging = pipeline::staging<pipeline::synthesis::matrix_cpu, pipeline::upload::registered,
                                    pipeline::g2_tail::cpu_detached, pipeline::sync::graph,
                                    pipeline::key_stream::per_circuit>;
};
struct waiting_once_for_all : pipeline::datacenter {
  static constexpr std::string_view name = "waiting_once_for_all";
  using Staging = pipeline::staging<pipeline::synthesis::matrix_device,
                                    pipeline::upload::registered, pipeline::g2_tail::device,
                                    pipeline::sync::graph, pipeline::key_stream::per_circuit>;
};
struct sharing_a_key : pipeline::datacenter {
  static constexpr std::string_view name = "sharing_a_key";
  using Staging = pipeline::staging<pipeline::synthesis::matrix_device,
                                    pipeline::upload::pinned_ring, pipeline::g2_tail::device,
                                    pipeline::sync::eager, pipeline::key_stream::shared_by<4>>;
  using Memory =
      pipeline::memory<pipeline::resident_host, pipeline::cached, pipeline::recycle, true>;
};

}  // namespace

TEMPLATE_TEST_CASE("policies give the CPU's bytes on the device", "[gpu][prover]",
                   pipeline::datacenter, pipeline::desktop16, pipeline::low_memory,
                   pipeline::cpu_only, pipeline::phase0, pipeline::phase1, pipeline::phase2,
                   pipeline::phase3, pipeline::phase4, pipeline::phase5, pipeline::phase6,
                   pipeline::phase7, pipeline::phase8, pipeline::phase9, phase10, pipeline::phase11,
                   pipeline::phase12, waiting_once, waiting_once_for_all, sharing_a_key) {
  static const Instance instances[] = {{1000, KeyForm::bellman}, {40000, KeyForm::snarkjs}};
  INFO(pipeline::fingerprint<TestType>());
  for (const Instance& instance : instances) {
    const Cuda cuda(0);
    ProverOptions<Bls> made = instance.options();
    made.limits = TestType::usual;
    made.limits.threads = 8;
    Prover<Bls, Cuda, TestType> prover(cuda, instance.key, made);
    std::vector<std::unique_ptr<CircuitWitness<Fr, Random>>> sources;
    std::vector<ProofRequest<Fr>> requests;
    for (std::size_t i = 0; i < 6; ++i) {
      sources.push_back(std::make_unique<CircuitWitness<Fr, Random>>(instance.circuit));
      requests.push_back({.source = sources.back().get(), .job = i / 3});
    }
    for (int again = 0; again < 2; ++again) {
      for (const auto& result : prover.prove_each(requests)) {
        CHECK(result.value() == instance.expected);
      }
      CHECK(prover.scratch_bytes_in_use() == 0);
    }
    CHECK(prover.peak_scratch_bytes() <= prover.plan(requests.size()).peak_bytes);
  }
}
