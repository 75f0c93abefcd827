// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Groth16 on the device: the bytes of the CPU's proofs for given r and s, and the laws of policies.
#include <catch2/catch.hpp>

#include <random>
#include <span>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using pipeline::StageId;

namespace {

/// All proofs in flight may be on the device at once.
struct unreserved {
  using ThreadPools = pipeline::shared_pool;
  using LockModel = pipeline::no_lock;
  using Staging = pipeline::overlapped;
  using Memory =
      pipeline::memory<pipeline::resident_device, pipeline::cached, pipeline::recycle, true>;
  using Flow = pipeline::plain_flow;
};

template <class Program>
struct Instance {
  Program circuit;
  R1cs<Fr> r1cs;
  Witness<Fr> witness;
  ProvingKey<Bls> key;

  Instance(const Program& circuit_, KeyForm form)
      : circuit(circuit_),
        r1cs(synthesize_r1cs<Fr>(circuit)),
        witness(synthesize_witness<Fr>(circuit)),
        key(generate_key<Bls>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)), form)) {}

  [[nodiscard]] Proof<Bls> prove_on_cpu(const Blinding<Fr>& blinding) const {
    return with_best_cpu([&]<class Machine>(const Machine& cpu) {
      Prover<Bls, Machine, pipeline::cpu_only> prover(
          cpu, key, {.r1cs = &r1cs, .insecure_blinding = &blinding});
      return prover.prove(witness);
    });
  }
};

/// The same numbers each time it is made.
class Repeated final : public EntropySource {
 public:
  void fill(std::span<std::byte> out) override {
    for (std::byte& byte : out) byte = static_cast<std::byte>(random_());
  }

 private:
  std::mt19937_64 random_{7};
};

template <class Policy, class Program>
void check_equal_bytes(const Instance<Program>& instance) {
  const Blinding<Fr> blinding(Fr(123), Fr(456).inverse());
  const Proof<Bls> expected = instance.prove_on_cpu(blinding);
  Prover<Bls, Cuda, Policy> prover(Cuda(0), instance.key,
                                   {.r1cs = &instance.r1cs, .insecure_blinding = &blinding});
  for (int i = 0; i < 2; ++i) {  // the second time with memory that the first one used
    CHECK(prover.prove(instance.witness) == expected);
    CHECK(prover.scratch_bytes_in_use() == 0);
    CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
  }
}

/// Proofs that are hidden by what is drawn, as provers make them.
template <class Policy, class Program>
void check_equal_masked_bytes(const Instance<Program>& instance) {
  Repeated of_cpu;
  Repeated of_device;
  const Proof<Bls> expected = with_best_cpu([&]<class Machine>(const Machine& cpu) {
    Prover<Bls, Machine, pipeline::cpu_only> prover(cpu, instance.key,
                                                    {.r1cs = &instance.r1cs, .entropy = &of_cpu});
    return prover.prove(instance.witness);
  });
  Prover<Bls, Cuda, Policy> prover(Cuda(0), instance.key,
                                   {.r1cs = &instance.r1cs, .entropy = &of_device});
  CHECK(prover.prove(instance.witness) == expected);
  CHECK_FALSE(prover.prove(instance.witness) == expected);  // other numbers by now
  CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
}

}  // namespace

TEMPLATE_TEST_CASE("proofs of the device have the bytes of the CPU's", "[gpu][prover]",
                   pipeline::datacenter, pipeline::low_memory) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    check_equal_bytes<TestType>(Instance(test::XorCircuit<Fr>{true, false}, form));
    check_equal_bytes<TestType>(Instance(test::SquaringsCircuit<Fr>{.squarings = 300}, form));
    for (const std::size_t constraints : {1U, 2U, 30U, 1000U, 4095U, 20000U, 70000U}) {
      INFO(constraints << " constraints");
      const Instance instance(
          test::RandomCircuit<Fr>{.constraints = constraints, .bits = constraints / 3}, form);
      check_equal_bytes<TestType>(instance);
      check_equal_masked_bytes<TestType>(instance);
    }
  }
}

TEST_CASE("random circuits of 2^10 to 2^22 rows have the CPU's bytes on the device",
          "[gpu][prover][sizes]") {
  for (unsigned log_rows = 10; log_rows <= 22; ++log_rows) {
    INFO("2^" << log_rows << " rows");
    const std::size_t constraints = (std::size_t{1} << log_rows) - 2;  // and those of the inputs
    const Instance instance(test::RandomCircuit<Fr>{.constraints = constraints,
                                                    .bits = constraints / 8 * (log_rows % 8)},
                            log_rows % 2 == 0 ? KeyForm::snarkjs : KeyForm::bellman);
    CHECK(instance.key.log_domain == log_rows);
    check_equal_bytes<pipeline::datacenter>(instance);
    check_equal_bytes<pipeline::low_memory>(instance);
  }
}

TEMPLATE_TEST_CASE("several proofs of a call are those of the CPU", "[gpu][prover]",
                   pipeline::datacenter, pipeline::low_memory) {
  const test::RandomCircuit<Fr> circuit{.constraints = 3000, .bits = 1000};
  const Instance instance(circuit, KeyForm::snarkjs);
  const Blinding<Fr> blinding(Fr(5), Fr(6));
  const Proof<Bls> expected = instance.prove_on_cpu(blinding);
  ProverOptions<Bls> made{.r1cs = &instance.r1cs, .insecure_blinding = &blinding};
  made.limits.proofs_in_flight = 3;
  Prover<Bls, Cuda, TestType> prover(Cuda(0), instance.key, made);
  GivenWitness<Fr> given(instance.witness);
  CircuitWitness<Fr, test::RandomCircuit<Fr>> computed(circuit);
  WitnessSource<Fr>* const sources[] = {&given, &given, &computed, &given, &given, &given, &given};
  pipeline::Trace trace(100);
  const auto proofs = prover.prove(sources, {.observer = &trace});
  REQUIRE(proofs.size() == 7);
  for (const auto& proof : proofs) CHECK(proof == expected);
  CHECK(trace.count() == 7 * pipeline::stage_count);
  CHECK(prover.scratch_bytes_in_use() == 0);
  CHECK(prover.peak_scratch_bytes() <= prover.plan(3).peak_bytes);
}

TEMPLATE_TEST_CASE("a bad witness or a cancel ends one proof on the device, and the next is good",
                   "[gpu][prover]", pipeline::datacenter, pipeline::low_memory) {
  const Instance instance(test::RandomCircuit<Fr>{.constraints = 3000, .bits = 1000},
                          KeyForm::snarkjs);
  Prover<Bls, Cuda, TestType> prover(Cuda(0), instance.key, {.r1cs = &instance.r1cs});
  Witness<Fr> wrong = instance.witness;
  wrong.values[1500] = Fr(-2).to_integer();
  CHECK_THROWS_AS(prover.prove(wrong), WitnessUnsatisfied);
  Witness<Fr> unreduced = instance.witness;
  unreduced.values[2000] = Fr::modulus();
  unreduced.values[7] = Fr::modulus();
  CHECK_THROWS_WITH(prover.prove(unreduced),
                    "witness: value 7 is not below the order of the curve");
  unreduced = instance.witness;
  for (auto& limb : unreduced.values.back().limb) limb = ~std::uint64_t{0};
  CHECK_THROWS_AS(prover.prove(unreduced), InvalidArgument);
  Witness<Fr> shorter = instance.witness;
  shorter.values.pop_back();
  CHECK_THROWS_AS(prover.prove(shorter), InvalidArgument);

  struct CancelAt final : pipeline::ProofObserver {
    pipeline::CancellationToken* token = nullptr;
    StageId at = StageId::quotient;
    void stage_began(std::size_t, StageId stage) noexcept override {
      if (stage == at) token->cancel();
    }
    void stage_ended(const pipeline::StageRecord&) noexcept override {}
  };
  for (const StageId stage : {StageId::upload, StageId::evaluate, StageId::msm_b_g2}) {
    pipeline::CancellationToken token;
    CancelAt observer;
    observer.token = &token;
    observer.at = stage;
    CHECK_THROWS_AS(prover.prove(instance.witness, {.cancel = &token, .observer = &observer}),
                    Cancelled);
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  CHECK_NOTHROW(prover.prove(instance.witness));
}

TEST_CASE("a proof that does not fit the device's memory is refused before it starts",
          "[gpu][prover]") {
  const Instance instance(test::RandomCircuit<Fr>{.constraints = 3000, .bits = 1000},
                          KeyForm::snarkjs);
  ProverOptions<Bls> made;
  made.limits.memory_bytes = 100000;
  using Small = Prover<Bls, Cuda, pipeline::low_memory>;
  CHECK_THROWS_AS(Small(Cuda(0), instance.key, made), ResourceExhausted);
  made.limits.memory_bytes = 0;
  made.limits.proofs_in_flight = 100000;
  using Wide = Prover<Bls, Cuda, unreserved>;
  CHECK_THROWS_AS(Wide(Cuda(0), instance.key, made), ResourceExhausted);
  // Who reserves lets as many onto the device as fit, and the others wait.
  using Reserved = Prover<Bls, Cuda, pipeline::datacenter>;
  CHECK(Reserved(Cuda(0), instance.key, made).plan(100000).peak_bytes <= Cuda(0).free_bytes());
  made.limits.proofs_in_flight = 1;
  made.limits.table_bytes = 1;  // the points alone
  const Blinding<Fr> blinding(Fr(1), Fr(2));
  made.insecure_blinding = &blinding;
  Small prover(Cuda(0), instance.key, made);
  CHECK(prover.prove(instance.witness) == instance.prove_on_cpu(blinding));
}

TEST_CASE("a small proof on the device, for the sanitizers", "[gpu][prover][sanitize]") {
  check_equal_bytes<pipeline::low_memory>(
      Instance(test::RandomCircuit<Fr>{.constraints = 200, .bits = 50}, KeyForm::bellman));
}
