// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The laws of every policy as a whole: the same proof bytes, each stage once, memory within the
// plan and given back, also after a failure or a cancellation.
#include <catch2/catch.hpp>

#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;
using pipeline::StageId;

namespace {

/// A policy of a third party: parts of ours and one of its own, which no stage knows of.
struct counting_lock final : pipeline::LeaseOwner {
  static constexpr bool until_assembled = true;
  static std::size_t places(const pipeline::PipelineLimits&, std::size_t) noexcept { return 8; }
  static inline std::atomic<int> held{0};
  static inline std::atomic<int> taken{0};

  explicit counting_lock(const pipeline::PipelineLimits&) {}
  void request(const pipeline::LeaseRequest& wanted, pipeline::Grant grant) {
    ++held;
    taken += wanted.scope == pipeline::LeaseRequest::Scope::step ? 1 : 0;
    grant(pipeline::Lease(*this, 1, wanted.rank));
  }
  void give_back(std::size_t) noexcept override { --held; }
  [[nodiscard]] bool is_wanted_above(const pipeline::Rank&) const noexcept override {
    return false;
  }
};
struct sequential_recycling {
  using ThreadPools = pipeline::inline_pool;
  using LockModel = pipeline::no_lock;
  using Staging = pipeline::overlapped;
  using Memory =
      pipeline::memory<pipeline::resident_host, pipeline::cached, pipeline::recycle, true>;
  using Flow = pipeline::plain_flow;
};
struct locked_textbook {
  using ThreadPools = pipeline::shared_pool;
  using LockModel = counting_lock;
  using Staging = pipeline::textbook;
  using Memory = pipeline::simple_memory;
  using Flow = pipeline::plain_flow;
};

struct Instance {
  test::SquaringsCircuit<Fr> circuit{.squarings = 300};
  R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  Witness<Fr> witness = synthesize_witness<Fr>(circuit);
  ProvingKey<Bls> key;

  explicit Instance(KeyForm form = KeyForm::snarkjs)
      : key(generate_key<Bls>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)), form)) {}
};

}  // namespace

TEMPLATE_TEST_CASE("proof bytes are equal for every policy and number of threads",
                   "[pipeline][agreement]", pipeline::reference, pipeline::cpu_only,
                   sequential_recycling, locked_textbook) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const Instance instance(form);
    const Blinding<Fr> blinding(Fr(123), Fr(456));
    ProverOptions<Bls> made{.r1cs = &instance.r1cs, .insecure_blinding = &blinding};
    Prover<Bls, Host, pipeline::reference> oracle(Host{}, instance.key, made);
    const Proof<Bls> expected = oracle.prove(instance.witness);
    for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
      made.limits.threads = threads;
      Prover<Bls, Host, TestType> prover(Host{}, instance.key, made);
      CHECK(prover.prove(instance.witness) == expected);
      CHECK(prover.prove(instance.circuit) == expected);  // the witness made on the way
      CHECK(prover.scratch_bytes_in_use() == 0);
      CHECK(prover.peak_scratch_bytes() > 0);
      CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
    }
  }
}

TEST_CASE("proof bytes are equal on the best architecture of this machine",
          "[pipeline][agreement]") {
  const Blinding<Fr> blinding(Fr(123), Fr(456));
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const Instance instance(form);
    const ProverOptions<Bls> made{.r1cs = &instance.r1cs, .insecure_blinding = &blinding};
    Prover<Bls, Host, pipeline::reference> oracle(Host{}, instance.key, made);
    const Proof<Bls> best = with_best_cpu([&]<class Machine>(const Machine& cpu) {
      Prover<Bls, Machine, pipeline::cpu_only> prover(cpu, instance.key, made);
      const Proof<Bls> proof = prover.prove(instance.witness);
      CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
      return proof;
    });
    CHECK(best == oracle.prove(instance.witness));
  }
}

TEMPLATE_TEST_CASE("each stage runs exactly once, and its records fit the graph", "[pipeline][law]",
                   pipeline::reference, pipeline::cpu_only, sequential_recycling, locked_textbook) {
  const Instance instance;
  ProverOptions<Bls> made;
  made.limits.proofs_in_flight = 2;
  Prover<Bls, Host, TestType> prover(Host{}, instance.key, made);
  GivenWitness<Fr> source(instance.witness);
  WitnessSource<Fr>* const sources[] = {&source, &source, &source};
  pipeline::Trace trace(100);
  const auto proofs = prover.prove(sources, {.observer = &trace});
  CHECK(proofs.size() == 3);
  CHECK_FALSE(proofs[0] == proofs[1]);  // fresh r and s for each
  CHECK_FALSE(proofs[1] == proofs[2]);
  std::map<StageId, int> times;
  for (const auto& record : trace.records()) {
    ++times[record.stage];
    CHECK(record.begin <= record.end);
  }
  CHECK(times.size() == pipeline::stage_count);
  for (const auto& [stage, count] : times) {
    INFO(to_string(stage));
    CHECK(count == 3);
  }
}

TEST_CASE("a lease is held for device stages and given back", "[pipeline][law]") {
  const Instance instance;
  counting_lock::taken = 0;
  Prover<Bls, Host, locked_textbook> prover(Host{}, instance.key);
  CHECK_NOTHROW(prover.prove(instance.witness));
  CHECK(counting_lock::taken == 7);  // all but synthesize, assemble, self_check
  CHECK(counting_lock::held == 0);
}

TEMPLATE_TEST_CASE("after a bad witness everything is given back and the next proof is good",
                   "[pipeline][fault]", pipeline::reference, pipeline::cpu_only,
                   sequential_recycling, locked_textbook) {
  const Instance instance;
  Prover<Bls, Host, TestType> prover(Host{}, instance.key, {.r1cs = &instance.r1cs});
  Witness<Fr> wrong = instance.witness;
  wrong.values[5] = Fr(-2).to_integer();
  CHECK_THROWS_AS(prover.prove(wrong), WitnessUnsatisfied);
  CHECK(prover.scratch_bytes_in_use() == 0);

  Witness<Fr> shorter = instance.witness;
  shorter.values.pop_back();
  CHECK_THROWS_AS(prover.prove(shorter), InvalidArgument);
  Witness<Fr> unreduced = instance.witness;
  unreduced.values[7] = Fr::modulus();
  unreduced.values[9] = Fr::modulus();
  CHECK_THROWS_WITH(prover.prove(unreduced),
                    "witness: value 7 is not below the order of the curve");
  Witness<Fr> without_one = instance.witness;
  without_one.values[0] = Fr(2).to_integer();
  CHECK_THROWS_AS(prover.prove(without_one), InvalidArgument);
  CHECK(prover.scratch_bytes_in_use() == 0);
  CHECK_NOTHROW(prover.prove(instance.witness));
}

TEMPLATE_TEST_CASE("a cancelled proof ends between stages and gives everything back",
                   "[pipeline][fault]", pipeline::reference, pipeline::cpu_only,
                   sequential_recycling, locked_textbook) {
  struct CancelAt final : pipeline::ProofObserver {
    pipeline::CancellationToken* token = nullptr;
    StageId at = StageId::quotient;
    std::atomic<bool> assembled = false;
    void stage_began(std::size_t, StageId stage) noexcept override {
      if (stage == at) token->cancel();
      if (stage == StageId::assemble) assembled = true;
    }
    void stage_ended(const pipeline::StageRecord&) noexcept override {}
  };
  const Instance instance;
  Prover<Bls, Host, TestType> prover(Host{}, instance.key);
  for (const StageId stage : {StageId::synthesize, StageId::quotient, StageId::msm_h}) {
    pipeline::CancellationToken token;
    CancelAt observer;
    observer.token = &token;
    observer.at = stage;
    CHECK_THROWS_AS(prover.prove(instance.witness, {.cancel = &token, .observer = &observer}),
                    Cancelled);
    CHECK_FALSE(observer.assembled);
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  const pipeline::CancellationToken past(std::chrono::steady_clock::now());
  CHECK_THROWS_AS(prover.prove(instance.witness, {.cancel = &past}), Cancelled);
  const pipeline::CancellationToken future(std::chrono::steady_clock::now() +
                                           std::chrono::hours(1));
  CHECK_NOTHROW(prover.prove(instance.witness, {.cancel = &future}));
}

TEST_CASE("a proof that cannot fit the memory limit is refused before it starts",
          "[pipeline][edge]") {
  const Instance instance;
  ProverOptions<Bls> options;
  options.limits.memory_bytes = 1000;
  using Prover = zkgpu::Prover<Bls, Host, pipeline::cpu_only>;
  CHECK_THROWS_AS(Prover(Host{}, instance.key, options), ResourceExhausted);
  options.limits.memory_bytes = std::size_t{1} << 30;
  CHECK_NOTHROW(Prover(Host{}, instance.key, options).prove(instance.witness));
}

TEST_CASE("with buffers recycled, the second proof allocates no scratch memory", "[pipeline]") {
  const Instance instance;
  Prover<Bls, Host, sequential_recycling> prover(Host{}, instance.key);
  CHECK_NOTHROW(prover.prove(instance.witness));
  const std::size_t peak = prover.peak_scratch_bytes();
  for (int i = 0; i < 3; ++i) CHECK_NOTHROW(prover.prove(instance.witness));
  CHECK(prover.peak_scratch_bytes() == peak);
}
