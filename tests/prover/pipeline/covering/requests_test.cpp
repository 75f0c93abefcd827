// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Requests of a call: what sources are asked and told, and what each proof ends with.
#include <catch2/catch.hpp>

#include <mutex>
#include <new>
#include <vector>

#include "laws.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Fr = Bls12_381::Fr;

namespace {

/// Rows walked by the circuit, jobs in turns of age; one proof at a time.
struct walking {
  using ThreadPools = pipeline::inline_pool;
  using LockModel = pipeline::process_lock;
  using Staging = pipeline::staging<pipeline::synthesis::circuit_walk, pipeline::upload::pageable,
                                    pipeline::g2_tail::device, pipeline::sync::eager,
                                    pipeline::key_stream::per_circuit>;
  using Memory = pipeline::memory<pipeline::resident_device, pipeline::allocate_each,
                                  pipeline::free_inline, true>;
  using Flow = pipeline::flow<pipeline::unit::partition, pipeline::order::oldest_first,
                              pipeline::admission::unbounded, pipeline::batching::continuous,
                              pipeline::throttle::none, pipeline::grain::per_gadget>;
};

/// Says that it wrote more rows than there was room for, or finds no memory.
class FaultySource final : public WitnessSource<Fr> {
 public:
  bool lacks_memory = false;
  std::span<const Fr::Integer> make() override { return {}; }
  std::size_t make_with_rows(std::span<Fr> a, std::span<Fr>) override {
    if (lacks_memory) throw std::bad_alloc();
    return a.size() + 1;
  }
};

class Begun final : public pipeline::ProofObserver {
 public:
  void stage_began(std::size_t proof, pipeline::StageId stage) noexcept override {
    if (stage == pipeline::StageId::synthesize) proofs.push_back(proof);
  }
  void stage_ended(const pipeline::StageRecord&) noexcept override {}
  std::vector<std::size_t> proofs;
};

}  // namespace

TEST_CASE("a source that fails or lies ends its own proof in a typed error", "[pipeline][fault]") {
  const ProverInstance instance(20);
  const FakeDevice device;
  for (const bool with_r1cs : {true, false}) {
    ProverOptions<Bls12_381> made = instance.options();
    if (!with_r1cs) made.r1cs = nullptr;
    Prover<Bls12_381, FakeDevice, walking> prover(device, instance.key, made);
    CircuitWitness<Fr, RandomCircuit<Fr>> good(instance.circuit);
    FaultySource lying;
    FaultySource starving;
    starving.lacks_memory = true;
    GivenWitness<Fr> values(instance.witness);  // no circuit to walk through
    RandomCircuit<Fr> larger = instance.circuit;
    larger.constraints = 40;
    CircuitWitness<Fr, RandomCircuit<Fr>> other(larger);
    const std::vector<ProofRequest<Fr>> requests = {{.source = &lying},
                                                    {.source = &good},
                                                    {.source = &starving},
                                                    {.source = &values},
                                                    {.source = &other}};
    const auto results = prover.prove_each(requests);
    CHECK_THROWS_AS(results[0].value(), InvalidArgument);
    CHECK(results[1].value() == instance.expected);
    CHECK_THROWS_AS(results[2].value(), ResourceExhausted);
    CHECK_THROWS_AS(results[3].value(), InvalidArgument);
    CHECK_THROWS_AS(results[4].value(), InvalidArgument);
    CHECK(good.values().empty());  // it was told that the proof has ended
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  Prover<Bls12_381, FakeDevice, walking> prover(device, instance.key, instance.options());
  const std::vector<ProofRequest<Fr>> nobody(1);
  CHECK_THROWS_AS(prover.prove_each(nobody), InvalidArgument);
  CHECK(prover.prove_each({}).empty());
}

TEST_CASE("the oldest job is the one that was asked for first, whatever its number", "[pipeline]") {
  const ProverInstance instance(5);
  const FakeDevice device;
  Prover<Bls12_381, FakeDevice, walking> prover(device, instance.key, instance.options());
  FourProofs proofs(instance);
  const std::size_t jobs[] = {7, 7, 3, 3};
  for (std::size_t i = 0; i < 4; ++i) proofs.requests[i].job = jobs[i];
  proofs.requests[3].priority = pipeline::Priority::normal;
  Begun begun;
  for (const auto& result : prover.prove_each(proofs.requests, {.observer = &begun})) {
    CHECK(result.value() == instance.expected);
  }
  CHECK(begun.proofs == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("a request is cancelled alone", "[pipeline][fault]") {
  const ProverInstance instance(5);
  const FakeDevice device;
  Prover<Bls12_381, FakeDevice, walking> prover(device, instance.key, instance.options());
  FourProofs proofs(instance);
  pipeline::CancellationToken token;
  token.cancel();
  proofs.requests[1].cancel = &token;
  const auto results = prover.prove_each(proofs.requests);
  CHECK_THROWS_AS(results[1].value(), Cancelled);
  CHECK_FALSE(results[1].has_value());
  for (const std::size_t i : {0U, 2U, 3U}) CHECK(results[i].value() == instance.expected);
}
