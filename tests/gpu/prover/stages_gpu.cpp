// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The stages of a proof on a GPU in all ways that policies choose from: the CPU's bytes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>

#include "prover/pipeline/stages_support.hpp"

using namespace zkgpu;  // NOLINT
using test::Instance;
using test::KeyChoice;
using test::ScratchOf;
using Bls = Bls12_381;

namespace {

using HostMemory = pipeline::simple_memory::Source<Cpu<>>;
using DeviceMemory = pipeline::simple_memory::Source<Cuda>;

struct Setup {
  Cuda device{0};
  ScratchOf scratch;
  KeyUse use;
  ProofStages<Bls, Cuda> stages;
  DeviceMemory memory{device, pipeline::unplanned};
  Cpu<> cpu;
  HostMemory host{cpu, pipeline::unplanned};

  Setup(const Instance& instance, const KeyChoice& choice, std::size_t proofs = 1)
      : scratch(instance, proofs),
        use(test::use_of(choice, scratch, instance)),
        stages(device, instance.prepared, use) {}

  Proof<Bls> prove(const Instance& instance) {
    auto queue = device.make_queue();
    StageContext<Cuda> at{device, queue, memory};
    return test::prove_by_stages(stages, at, host, use, instance);
  }
};

void check_choice(const Instance& instance, const KeyChoice& choice) {
  INFO(choice);
  const Cuda device(0);
  const std::size_t before = device.arena_use().used_bytes;
  {
    Setup setup(instance, choice);
    for (int i = 0; i < 2; ++i) {  // the second time with what the first one left
      CHECK(setup.prove(instance) == instance.expected);
      CHECK(setup.memory.account().in_use_bytes() == 0);
      CHECK(setup.host.account().in_use_bytes() == 0);
    }
    const StageBytes bytes = setup.stages.bytes();
    CHECK(setup.memory.account().peak_bytes() <= setup.scratch.bytes(bytes));
    CHECK(setup.host.account().peak_bytes() == std::max(bytes.host_rows, bytes.host_b_g2));
    if (choice.key == KeyPlace::budgeted_lru) {
      CHECK(setup.stages.cached_bytes() <= setup.stages.key_bytes());
    }
  }
  CHECK(device.arena_use().used_bytes == before);
}

}  // namespace

TEST_CASE("proofs by stages of the device in every way have the CPU's bytes", "[gpu][prover]") {
  const KeyForm form = GENERATE(KeyForm::snarkjs, KeyForm::bellman);
  const Instance instance(4090, form);  // a domain of 2^12
  for (const KeyChoice& choice : test::all_key_choices()) check_choice(instance, choice);
}

TEST_CASE("larger proofs by stages of the device have the CPU's bytes", "[gpu][prover]") {
  const KeyForm form = GENERATE(KeyForm::snarkjs, KeyForm::bellman);
  for (const std::size_t constraints : {1U, 2U, 60000U}) {
    const Instance instance(constraints, form);
    for (const KeyChoice& choice : test::covering_key_choices()) check_choice(instance, choice);
  }
}

TEST_CASE("two threads prove by the same stages of the device at once", "[gpu][prover]") {
  const Instance instance(4000);
  for (const KeyChoice& choice : test::covering_key_choices()) {
    INFO(choice);
    Setup setup(instance, choice, 2);
    std::atomic<int> good = 0;
    const auto work = [&] {
      for (int i = 0; i < 3; ++i) good += setup.prove(instance) == instance.expected ? 1 : 0;
    };
    std::thread other(work);
    work();
    other.join();
    CHECK(good == 6);
  }
}
