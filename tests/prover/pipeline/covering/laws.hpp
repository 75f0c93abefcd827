// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/pipeline/fingerprint.hpp>
#include <zkgpu/prover/prover_impl.hpp>

#include "perf/sanitized.hpp"
#include "prover/pipeline/device_instance.hpp"
#include "small_circuits.hpp"

namespace zkgpu::test {

/// Four proofs of two jobs, each with a witness of its own made by the circuit.
struct FourProofs {
  using Fr = Bls12_381::Fr;
  explicit FourProofs(const ProverInstance& instance) {
    for (std::size_t i = 0; i < 4; ++i) {
      sources.push_back(std::make_unique<CircuitWitness<Fr, RandomCircuit<Fr>>>(instance.circuit));
      requests.push_back({.source = sources.back().get(), .job = i / 2});
    }
    requests[3].priority = pipeline::Priority::high;
    requests[1].deadline = std::chrono::steady_clock::now();
  }
  std::vector<std::unique_ptr<WitnessSource<Fr>>> sources;
  std::vector<ProofRequest<Fr>> requests;
};

inline ProverOptions<Bls12_381> options_of_stream(const ProverInstance& instance) {
  ProverOptions<Bls12_381> made = instance.options();
  made.limits.threads = 2;
  made.limits.device_threads = 2;
  made.limits.proofs_in_flight = 3;
  made.limits.device_workers = 2;
  made.limits.synthesis_workers = 2;
  made.limits.jobs_in_flight = 2;
  made.limits.batch_jobs = 2;
  made.limits.host_bytes = std::size_t{1} << 30;
  return made;
}

/// The bytes of the textbook's proof, memory within the plan, and none left.
template <class Policy, class B>
void check_stream(const B& backend, const ProverInstance& instance) {
  const ProverOptions<Bls12_381> made = options_of_stream(instance);
  Prover<Bls12_381, B, Policy> prover(backend, instance.key, made);
  const FourProofs proofs(instance);
  for (int again = 0; again < 2; ++again) {
    for (const auto& result : prover.prove_each(proofs.requests)) {
      CHECK(result.value() == instance.expected);
    }
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  CHECK(prover.peak_scratch_bytes() <= prover.plan(4).peak_bytes);
}

/// A fault somewhere in a stream of two proofs ends one or both in a typed error, and leaves no
/// byte behind.
template <class Policy>
void check_faults(const ProverInstance& instance, std::size_t faults, unsigned seed) {
  const FakeDevice device;
  {
    Prover<Bls12_381, FakeDevice, Policy> prover(device, instance.key, options_of_stream(instance));
    FourProofs proofs(instance);
    proofs.requests.resize(2);
    device.set_faults({});
    for (const auto& result : prover.prove_each(proofs.requests)) static_cast<void>(result.value());
    const std::uint64_t operations = device.counters().operations;
    REQUIRE(operations > 10);
    std::mt19937 random(seed);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < faults; ++i) {
      FakeFaults planned;
      const std::uint64_t at = random() % operations;
      const FakeEffect effect = random() % 2 == 0 ? FakeEffect::fail_call : FakeEffect::fail_queue;
      INFO("operation " << at << ", effect " << static_cast<int>(effect));
      planned.planned = {{std::nullopt, at, effect}};
      device.set_faults(planned);
      for (const auto& result : prover.prove_each(proofs.requests)) {
        try {
          const Proof<Bls12_381> proof = result.value();
          CHECK(proof == instance.expected);
        } catch (const ResourceExhausted&) {
          ++failed;
        } catch (const DeviceError&) {
          ++failed;
        }
      }
      CHECK(prover.scratch_bytes_in_use() == 0);
    }
    CHECK(failed >= faults / 4);  // calls that only free or wipe may fail unseen
    device.set_faults({});
    for (const auto& result : prover.prove_each(proofs.requests)) {
      CHECK(result.value() == instance.expected);
    }
  }
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().misuses == 0);
}

/// All laws of a policy, on the CPU and on the device that is not there.
template <class Policy>
void check_policy(unsigned seed) {
  static const ProverInstance snarkjs(40);
  static const ProverInstance bellman(33, KeyForm::bellman);
  static const ProverInstance small(7);
  INFO(pipeline::fingerprint<Policy>());
  check_stream<Policy>(Cpu<>{}, seed % 2 == 0 ? snarkjs : bellman);
  const FakeDevice device;
  check_stream<Policy>(device, seed % 2 == 0 ? bellman : snarkjs);
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().misuses == 0);
  check_faults<Policy>(small, sanitized ? 10 : 100, seed);
}

}  // namespace zkgpu::test
