// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Proofs in every kind of memory: with stagings whose plan counts every buffer, and with one that
// counts the largest stage.
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/pipeline/memory/arena.hpp>
#include <zkgpu/prover/pipeline/memory/free_async.hpp>
#include <zkgpu/prover/pipeline/memory/plan.hpp>

#include "prover/pipeline/device_instance.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Instance = test::ProverInstance;

namespace {

template <class S, class Buffers, class Release, bool early = true>
struct policy {
  using ThreadPools = pipeline::shared_pool;
  using LockModel = pipeline::no_lock;
  using Staging = S;
  using Memory = pipeline::memory<pipeline::resident_device, Buffers, Release, early>;
  using Flow = pipeline::plain_flow;
};
using overlapped_arena = policy<pipeline::overlapped, pipeline::arena, pipeline::recycle>;
using in_order_arena = policy<pipeline::in_order, pipeline::arena, pipeline::recycle>;
using in_order_cached = policy<pipeline::in_order, pipeline::cached, pipeline::recycle, false>;
using overlapped_inline =
    policy<pipeline::overlapped, pipeline::allocate_each, pipeline::free_inline>;
using overlapped_async =
    policy<pipeline::overlapped, pipeline::allocate_each, pipeline::free_async>;

}  // namespace

TEMPLATE_TEST_CASE("proofs in any kind of memory are the reference's, and leave none of it",
                   "[pipeline][agreement]", overlapped_arena, in_order_arena, in_order_cached,
                   overlapped_async) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    for (const std::size_t constraints : {1U, 40U, 300U}) {
      const Instance instance(constraints, form);
      const FakeDevice device;
      ProverOptions<Bls> made = instance.options();
      made.limits.proofs_in_flight = 2;
      {
        Prover<Bls, FakeDevice, TestType> prover(device, instance.key, made);
        const std::size_t with_key = device.counters().bytes_in_use;
        GivenWitness<Fr> given(instance.witness);
        CircuitWitness<Fr, test::RandomCircuit<Fr>> computed(instance.circuit);
        WitnessSource<Fr>* const sources[] = {&given, &computed, &given};
        for (int i = 0; i < 2; ++i) {
          for (const auto& proof : prover.prove(sources)) CHECK(proof == instance.expected);
          CHECK(prover.scratch_bytes_in_use() == 0);
        }
        const std::size_t peak = prover.plan(2).peak_bytes;
        CHECK(prover.peak_scratch_bytes() <= peak);
        if (!TestType::Memory::one_block) {  // pieces of 256 bytes
          CHECK(device.counters().peak_bytes <= with_key + peak + 256 * 4 * pipeline::stage_count);
        }
      }
      CHECK(device.counters().bytes_in_use == 0);
      CHECK(device.counters().misuses == 0);
    }
  }
}

TEMPLATE_TEST_CASE("with a block, the first proof allocates once and later ones nothing",
                   "[pipeline][law]", overlapped_arena, in_order_arena) {
  const Instance instance(200);
  const FakeDevice device;
  Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
  const auto prove = [&] { CHECK(prover.prove(instance.witness) == instance.expected); };
  const std::uint64_t without = device.counters().allocations;
  prove();
  CHECK(device.counters().allocations == without + 1);
  for (int i = 0; i < 3; ++i) prove();
  CHECK(device.counters().allocations == without + 1);
}

TEMPLATE_TEST_CASE("a fault in a proof leaves its memory to the next one", "[pipeline][fault]",
                   overlapped_arena, overlapped_async) {
  const Instance instance(40);
  const FakeDevice device;
  Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
  device.set_faults({});
  CHECK(prover.prove(instance.witness) == instance.expected);
  const std::uint64_t operations = device.counters().operations;
  std::size_t failed = 0;
  for (std::uint64_t at = 0; at < operations; ++at) {
    INFO("operation " << at);
    FakeFaults faults;
    faults.planned = {{std::nullopt, at, FakeEffect::fail_queue}};
    device.set_faults(faults);
    try {
      const Proof<Bls> proof = prover.prove(instance.witness);
      CHECK(proof == instance.expected);
    } catch (const ResourceExhausted&) {
      ++failed;
    } catch (const DeviceError&) {
      ++failed;
    }
    CHECK(prover.scratch_bytes_in_use() == 0);
    device.set_faults({});
    CHECK(prover.prove(instance.witness) == instance.expected);
    CHECK(device.counters().misuses == 0);
  }
  CHECK(failed > operations / 2);
}

TEMPLATE_TEST_CASE("a proof whose memory is not wiped ends in that error, and the next is good",
                   "[pipeline][fault]", overlapped_inline, overlapped_async) {
  const Instance instance(40);
  const FakeDevice device;
  Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
  std::uint64_t wipes = 0;
  for (bool wiped = true; wiped; ++wipes) {
    FakeFaults faults;
    faults.planned = {{FakeKind::wipe, wipes, FakeEffect::fail_call}};
    faults.before = [&, wipes](const FakeOperation& operation) {
      if (operation.kind == FakeKind::wipe && operation.index == wipes) wiped = true;
    };
    wiped = false;
    device.set_faults(faults);
    GivenWitness<Fr> given(instance.witness);
    const ProofRequest<Fr> request{.source = &given};
    const auto results = prover.prove_each(std::span(&request, 1));
    if (wiped) {
      CHECK_THROWS_AS(results[0].value(), DeviceError);
    } else {
      CHECK(results[0].value() == instance.expected);
    }
    CHECK(prover.scratch_bytes_in_use() == 0);
    device.set_faults({});
    CHECK(prover.prove(instance.witness) == instance.expected);
  }
  CHECK(wipes > 5);
}
