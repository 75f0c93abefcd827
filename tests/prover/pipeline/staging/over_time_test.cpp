// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory over the steps of a plan: its maximum is the peak, and nothing that is measured exceeds
// it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/pipeline/memory/over_time.hpp>
#include <zkgpu/prover/prover_impl.hpp>

#include "policies.hpp"
#include "prover/pipeline/device_instance.hpp"
#include "prover/pipeline/run_schedule.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Instance = test::ProverInstance;
namespace p = pipeline;

namespace {

constexpr p::G2Place g2_places[] = {p::G2Place::device, p::G2Place::cpu_inline,
                                    p::G2Place::cpu_after_unlock, p::G2Place::cpu_detached};

struct low_memory_and_host : p::low_memory {
  using Staging = p::staging<p::synthesis::matrix_cpu, p::upload::registered,
                             p::g2_tail::cpu_inline, p::sync::eager, p::key_stream::per_circuit>;
};
struct detached : p::datacenter {
  using Staging =
      p::staging<p::synthesis::matrix_cpu, p::upload::registered, p::g2_tail::cpu_detached,
                 p::sync::deferred, p::key_stream::per_circuit>;
};
struct from_a_block : detached {
  using Memory = p::memory<p::resident_device, p::arena, p::recycle, false>;
};

/// Measures when a stage begins and when it has ended.
template <class Policy>
class Meter final : public p::ProofObserver {
 public:
  Meter(const Prover<Bls, FakeDevice, Policy>& prover, const Instance& instance, std::size_t proofs)
      : prover_(prover),
        plan_(prover.plan(proofs)),
        witness_bytes_(instance.key.num_wires * sizeof(Fr)) {}

  void stage_began(std::size_t proof, p::StageId stage) noexcept override { see(proof, stage); }
  void stage_ended(const p::StageRecord& record) noexcept override {
    see(record.proof, record.stage);
  }
  std::vector<std::string> exceeded;
  std::size_t most_device = 0, most_host = 0;

 private:
  void see(std::size_t proof, p::StageId stage) {
    const std::size_t device = prover_.scratch_bytes_in_use();
    const std::size_t host = prover_.host_scratch_bytes_in_use() + witness_bytes_;
    const p::StepBytes& planned =
        plan_.bytes[proof * p::stage_count + static_cast<std::size_t>(stage)];
    const std::scoped_lock lock(mutex_);
    most_device = std::max(most_device, device);
    most_host = std::max(most_host, host);
    if (device > planned.device || host > planned.host) {
      exceeded.push_back(std::string(to_string(stage)) + " of proof " + std::to_string(proof) +
                         ": " + std::to_string(device) + " of " + std::to_string(planned.device) +
                         ", host " + std::to_string(host) + " of " + std::to_string(planned.host));
    }
  }
  const Prover<Bls, FakeDevice, Policy>& prover_;
  const p::Schedule plan_;
  const std::size_t witness_bytes_;
  std::mutex mutex_;
};

}  // namespace

TEMPLATE_TEST_CASE("the most memory of any step is the peak of the plan", "[pipeline][law]",
                   p::in_order, p::overlapped, p::enqueued) {
  for (const p::G2Place g2 : g2_places) {
    for (const bool keeps_rows : {false, true}) {
      for (const auto rows : {p::RowsPlace::device, p::RowsPlace::host_matrix}) {
        const p::ProofGraph graph =
            test::device_graph({.rows = rows, .g2 = g2, .keeps_rows = keeps_rows});
        const p::Schedule of_one = TestType::plan(graph, 1, {});
        const p::ProofTimeline timeline(graph, of_one);
        CHECK(timeline.peak().device == of_one.peak_bytes);
        // The witness stays, rows wait for their upload with it.
        const std::size_t rows_bytes = rows == p::RowsPlace::device ? 0 : 4096;
        CHECK(timeline.at(p::StageId::synthesize).host >= 1600 + rows_bytes);
        CHECK(timeline.at(p::StageId::self_check).host == 1600);
        CHECK(timeline.at(p::StageId::self_check).device == 0);
        const auto bytes = p::bytes_over_time(graph, of_one, TestType::plan(graph, 3, {}), 2, 3);
        REQUIRE(bytes.size() == 3 * p::stage_count);
        std::size_t most = 0;
        for (const p::StepBytes& lent : bytes) most = std::max(most, lent.device);
        CHECK(most == 2 * of_one.peak_bytes);
      }
    }
  }
}

TEST_CASE("memory over the steps of a chain is what is held and what comes", "[pipeline]") {
  const p::ProofGraph graph = test::device_graph({.g2 = p::G2Place::cpu_inline});
  const p::ProofTimeline timeline(graph, p::in_order::plan(graph, 1, {}));
  constexpr std::size_t witness = 1600, column = 64 * 32, gathered = 50 * 32;
  CHECK(timeline.at(p::StageId::synthesize) == p::StepBytes{0, 1600});
  CHECK(timeline.at(p::StageId::upload) == p::StepBytes{witness + 8, 1600});
  CHECK(timeline.at(p::StageId::evaluate).device == witness + 2 * column);
  CHECK(timeline.at(p::StageId::quotient).device == witness + 4 * column);
  CHECK(timeline.at(p::StageId::msm_h).device == witness + column + 1000);
  CHECK(timeline.at(p::StageId::msm_l).device == witness + 900);
  CHECK(timeline.at(p::StageId::msm_b_g1).device == witness + 700 + gathered);
  CHECK(timeline.at(p::StageId::msm_b_g2) == p::StepBytes{witness, 1600 + 500});
  CHECK(timeline.at(p::StageId::assemble) == p::StepBytes{0, 1600});
}

TEMPLATE_TEST_CASE("what proofs are lent while a step runs never exceeds that step's bytes",
                   "[pipeline][law]", p::low_memory, low_memory_and_host, p::datacenter, detached,
                   from_a_block, test::waiting_once<p::synthesis::matrix_cpu>, p::phase3,
                   p::phase12) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const Instance instance(60, form);
    const FakeDevice device;
    ProverOptions<Bls> made = instance.options();
    made.limits.proofs_in_flight = 3;
    made.limits.device_workers = 2;
    made.limits.synthesis_workers = 3;
    Prover<Bls, FakeDevice, TestType> prover(device, instance.key, made);
    CircuitWitness<Fr, test::RandomCircuit<Fr>> first(instance.circuit), second(instance.circuit),
        third(instance.circuit);
    const std::vector<ProofRequest<Fr>> requests = {
        {.source = &first, .job = 0}, {.source = &second, .job = 0}, {.source = &third, .job = 1}};
    Meter<TestType> meter(prover, instance, requests.size());
    for (const auto& result : prover.prove_each(requests, {.observer = &meter})) {
      CHECK(result.value() == instance.expected);
    }
    CHECK(meter.exceeded == std::vector<std::string>{});
    CHECK(meter.most_device > 0);
    const p::Schedule plan = prover.plan(requests.size());
    std::size_t most = 0;
    for (const p::StepBytes& lent : plan.bytes) most = std::max(most, lent.device);
    CHECK(most == plan.peak_bytes);
    CHECK(to_string(plan).find(": device " + std::to_string(plan.bytes[4].device) + ", host " +
                               std::to_string(plan.bytes[4].host) + " bytes\n") !=
          std::string::npos);
  }
}
