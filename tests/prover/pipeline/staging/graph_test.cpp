// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// sync::graph: the stages of a proof are enqueued one after another, and the host waits once.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/prover_impl.hpp>

#include "perf/sanitized.hpp"
#include "policies.hpp"
#include "prover/pipeline/device_instance.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Instance = test::ProverInstance;
using Walked = CircuitWitness<Fr, test::RandomCircuit<Fr>>;
namespace p = pipeline;

namespace {

using AllGraphs = std::tuple<
    test::waiting_once<p::synthesis::matrix_device, p::g2_tail::device, p::reservation>,
    test::waiting_once<p::synthesis::matrix_cpu, p::g2_tail::cpu_inline, p::process_lock>,
    test::waiting_once<p::synthesis::circuit_walk, p::g2_tail::cpu_after_unlock, p::two_lock>,
    test::waiting_once<p::synthesis::matrix_device, p::g2_tail::cpu_detached, p::split_lock>>;

template <class Policy>
std::uint64_t waits_of(const Instance& instance) {
  const FakeDevice device;
  Prover<Bls, FakeDevice, Policy> prover(device, instance.key, instance.options());
  const Walked circuit(instance.circuit);
  const std::uint64_t before = device.counters().waits;
  CHECK(prover.prove(instance.circuit) == instance.expected);
  return device.counters().waits - before;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a proof whose stages are enqueued waits once for the device", "[pipeline]",
                        AllGraphs) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const Instance instance(40, form);
    CHECK(waits_of<TestType>(instance) == 1);
    CHECK(waits_of<p::datacenter>(instance) >= 8);  // each stage
  }
}

TEMPLATE_LIST_TEST_CASE("what was enqueued keeps its memory until it is done",
                        "[pipeline][agreement]", AllGraphs) {
  const Instance instance(200);
  FakeDeviceOptions described;
  described.upload_bytes_per_second = 1e8;
  described.launch_latency = std::chrono::milliseconds(1);  // all is enqueued before it is done
  const FakeDevice device(described);
  {
    ProverOptions<Bls> made = instance.options();
    made.limits.proofs_in_flight = 3;
    Prover<Bls, FakeDevice, TestType> prover(device, instance.key, made);
    const std::size_t with_key = device.counters().bytes_in_use;
    std::vector<std::unique_ptr<Walked>> sources;
    std::vector<ProofRequest<Fr>> requests;
    for (std::size_t i = 0; i < 5; ++i) {
      sources.push_back(std::make_unique<Walked>(instance.circuit));
      requests.push_back({.source = sources.back().get(), .job = i / 2});
    }
    const std::uint64_t before = device.counters().waits;
    for (const auto& result : prover.prove_each(requests)) {
      CHECK(result.value() == instance.expected);
    }
    CHECK(device.counters().waits - before == requests.size());
    CHECK(prover.scratch_bytes_in_use() == 0);
    CHECK(prover.host_scratch_bytes_in_use() == 0);
    CHECK(device.counters().registered_bytes == 0);
    const p::Schedule plan = prover.plan(5);
    CHECK(prover.peak_scratch_bytes() <= plan.peak_bytes);
    CHECK(prover.peak_scratch_bytes() > plan.peak_bytes / 6);  // nothing went before the wait
    CHECK(device.counters().peak_bytes <=
          with_key + plan.peak_bytes + 3 * 256 * 2 * p::stage_count);
  }
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().pinned_bytes_in_use == 0);
  CHECK(device.counters().misuses == 0);
}

TEMPLATE_LIST_TEST_CASE("a fault in what was enqueued ends its proof, and everything comes back",
                        "[pipeline][fault]", AllGraphs) {
  const Instance instance(20);
  const FakeDevice device;
  {
    Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
    device.set_faults({});
    CHECK(prover.prove(instance.circuit) == instance.expected);
    const std::uint64_t operations = device.counters().operations;
    CHECK(operations > 15);
    std::size_t failed = 0;
    for (const FakeEffect effect : {FakeEffect::fail_call, FakeEffect::fail_queue}) {
      for (std::uint64_t at = 0; at < operations; at += test::sanitized ? 5 : 1) {
        INFO("operation " << at << ", effect " << static_cast<int>(effect));
        FakeFaults faults;
        faults.planned = {{std::nullopt, at, effect}};
        device.set_faults(faults);
        try {
          const Proof<Bls> proof = prover.prove(instance.circuit);
          CHECK(proof == instance.expected);
        } catch (const ResourceExhausted&) {
          ++failed;
        } catch (const DeviceError&) {
          ++failed;
        }
        CHECK(prover.scratch_bytes_in_use() == 0);
        CHECK(prover.host_scratch_bytes_in_use() == 0);
        CHECK(device.counters().registered_bytes == 0);
        device.set_faults({});
        CHECK(prover.prove(instance.circuit) == instance.expected);
        CHECK(device.counters().misuses == 0);
      }
    }
    CHECK(failed > (test::sanitized ? 2 : 8));
  }
  CHECK(device.counters().bytes_in_use == 0);
}
