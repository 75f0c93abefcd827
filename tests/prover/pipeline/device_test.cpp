// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Proofs on a device, played by one that is not there: the CPU's bytes, memory within the plan, and
// after a fault at any operation a typed error, everything given back, and a good next proof.
#include <catch2/catch.hpp>

#include <random>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/pipeline/trace.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "device_instance.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;
using Instance = test::ProverInstance;

namespace {

/// Everything from the device's own allocator, stage by stage beside each other.
struct overlapped_allocating {
  using ThreadPools = pipeline::shared_pool;
  using LockModel = pipeline::no_lock;
  using Staging = pipeline::overlapped;
  using Memory = pipeline::simple_memory;
  using Flow = pipeline::plain_flow;
};

/// What a proof's scratch memory takes of a device, which hands out steps of 256 bytes.
template <class Policy>
std::size_t most_of_proof(const Prover<Bls, FakeDevice, Policy>& prover) {
  return prover.plan().peak_bytes + 256 * 2 * pipeline::stage_count;
}

}  // namespace

TEMPLATE_TEST_CASE("proofs on a device have the bytes of the reference", "[pipeline][agreement]",
                   pipeline::datacenter, pipeline::low_memory, overlapped_allocating) {
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    for (const std::size_t constraints : {1U, 40U, 300U}) {
      const Instance instance(constraints, form);
      const FakeDevice device;
      {
        Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
        const std::size_t with_key = device.counters().bytes_in_use;
        for (int i = 0; i < 2; ++i) {
          CHECK(prover.prove(instance.witness) == instance.expected);
          CHECK(prover.scratch_bytes_in_use() == 0);
        }
        CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
        CHECK(device.counters().peak_bytes <= with_key + most_of_proof(prover));
      }
      CHECK(device.counters().bytes_in_use == 0);
      CHECK(device.counters().misuses == 0);
    }
  }
}

TEMPLATE_TEST_CASE("several proofs share a device, and each is the reference's",
                   "[pipeline][agreement]", pipeline::datacenter, pipeline::low_memory,
                   overlapped_allocating) {
  const Instance instance(200);
  FakeDeviceOptions described;
  described.upload_bytes_per_second = 1e8;
  described.launch_latency = std::chrono::microseconds(100);
  const FakeDevice device(described);
  ProverOptions<Bls> made = instance.options();
  made.limits.proofs_in_flight = 3;
  Prover<Bls, FakeDevice, TestType> prover(device, instance.key, made);
  GivenWitness<Fr> given(instance.witness);
  CircuitWitness<Fr, test::RandomCircuit<Fr>> computed(instance.circuit);
  WitnessSource<Fr>* const sources[] = {&given, &computed, &given, &given};
  pipeline::Trace trace(100);
  const auto proofs = prover.prove(sources, {.observer = &trace});
  REQUIRE(proofs.size() == 4);
  for (const auto& proof : proofs) CHECK(proof == instance.expected);
  CHECK(trace.count() == 4 * pipeline::stage_count);
  CHECK(prover.peak_scratch_bytes() <= prover.plan(3).peak_bytes);
  CHECK(device.counters().misuses == 0);
}

TEMPLATE_TEST_CASE("a fault at any operation of a proof is a typed error, and the next proof good",
                   "[pipeline][fault]", pipeline::datacenter, pipeline::low_memory,
                   overlapped_allocating) {
  const Instance instance(40);
  const FakeDevice device;
  std::uint64_t operations = 0;
  {
    Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
    device.set_faults({});
    CHECK(prover.prove(instance.witness) == instance.expected);
    operations = device.counters().operations;
  }
  CHECK(operations > 20);
  std::size_t failed = 0;
  for (const FakeEffect effect : {FakeEffect::fail_call, FakeEffect::fail_queue}) {
    for (std::uint64_t at = 0; at < operations; ++at) {
      INFO("operation " << at << ", effect " << static_cast<int>(effect));
      device.set_faults({});
      Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
      const std::size_t most = device.counters().bytes_in_use + most_of_proof(prover);
      FakeFaults faults;
      faults.planned = {{std::nullopt, at, effect}};
      device.set_faults(faults);
      try {  // stages side by side ask for more or fewer queues each time
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
      CHECK(device.counters().peak_bytes <= most);
    }
  }
  CHECK(failed > operations);  // of twice as many
  CHECK(device.counters().bytes_in_use == 0);
}

TEST_CASE("a fault while a key goes to a device is a typed error that leaves nothing behind",
          "[pipeline][fault]") {
  const Instance instance(40, KeyForm::bellman);
  FakeDeviceOptions described;
  described.upload_bytes_per_second = 2e7;  // copies are under way when the next thing fails
  const FakeDevice device(described);
  using Made = Prover<Bls, FakeDevice, pipeline::low_memory>;
  device.set_faults({});
  CHECK(Made(device, instance.key, instance.options()).prove(instance.witness) ==
        instance.expected);
  device.set_faults({});
  static_cast<void>(Made(device, instance.key, instance.options()));
  const std::uint64_t operations = device.counters().operations;
  CHECK(operations > 15);
  for (const FakeEffect effect : {FakeEffect::fail_call, FakeEffect::fail_queue}) {
    for (std::uint64_t at = 0; at < operations; ++at) {
      INFO("operation " << at << ", effect " << static_cast<int>(effect));
      FakeFaults faults;
      faults.planned = {{std::nullopt, at, effect}};
      device.set_faults(faults);
      bool failed = false;
      try {
        static_cast<void>(Made(device, instance.key, instance.options()));
      } catch (const ResourceExhausted&) {
        failed = true;
      } catch (const DeviceError&) {
        failed = true;
      }
      CHECK(failed);
      device.set_faults({});
      CHECK(device.counters().misuses == 0);
      CHECK(device.counters().bytes_in_use == 0);
    }
  }
}

TEMPLATE_TEST_CASE("the first value of a witness that is not below the order is named",
                   "[pipeline][edge]", pipeline::datacenter, pipeline::low_memory,
                   pipeline::desktop16, pipeline::phase8) {
  const Instance instance(40);
  Prover<Bls, FakeDevice, TestType> prover(FakeDevice(), instance.key, instance.options());
  Witness<Fr> wrong = instance.witness;
  wrong.values.back() = Fr::modulus();
  wrong.values[3] = Fr::modulus();
  CHECK_THROWS_MATCHES(prover.prove(wrong), InvalidArgument,
                       Catch::Message("witness: value 3 is not below the order of the curve"));
  CHECK(prover.scratch_bytes_in_use() == 0);
  CHECK(prover.prove(instance.witness) == instance.expected);
}

TEMPLATE_TEST_CASE("masked proofs on a device are the CPU's for the same draws",
                   "[pipeline][agreement]", pipeline::datacenter, pipeline::low_memory) {
  /// The same numbers each time it is made.
  class Repeated final : public EntropySource {
   public:
    void fill(std::span<std::byte> out) override {
      for (std::byte& byte : out) byte = static_cast<std::byte>(random_());
    }

   private:
    std::mt19937_64 random_{7};
  };
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    for (const std::size_t constraints : {1U, 2U, 40U}) {
      const Instance instance(constraints, form);
      Repeated of_cpu;
      Repeated of_device;
      Prover<Bls, Host, pipeline::reference> oracle(Host{}, instance.key,
                                                    {.r1cs = &instance.r1cs, .entropy = &of_cpu});
      const FakeDevice device;
      ProverOptions<Bls> made{.r1cs = &instance.r1cs, .entropy = &of_device};
      made.limits.threads = 2;
      Prover<Bls, FakeDevice, TestType> prover(device, instance.key, made);
      CHECK(prover.prove(instance.witness) == oracle.prove(instance.witness));
      CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
    }
  }
}

TEMPLATE_TEST_CASE("a device that computes wrong gives no proof", "[pipeline][fault]",
                   pipeline::datacenter, pipeline::low_memory) {
  const Instance instance(40);
  const FakeDevice device;
  Prover<Bls, FakeDevice, TestType> prover(device, instance.key, instance.options());
  device.set_faults({});
  CHECK(prover.prove(instance.witness) == instance.expected);
  const std::uint64_t operations = device.counters().operations;
  std::size_t refused = 0;
  for (std::uint64_t at = 0; at < operations; ++at) {
    INFO("operation " << at);
    FakeFaults faults;
    faults.planned = {{std::nullopt, at, FakeEffect::corrupt}};
    device.set_faults(faults);
    try {  // a bit of scratch memory may matter to nobody
      const Proof<Bls> proof = prover.prove(instance.witness);
      CHECK(proof == instance.expected);
    } catch (const SelfCheckFailed&) {
      ++refused;
    }
    CHECK(prover.scratch_bytes_in_use() == 0);
  }
  // The witness and each of a, b, h and five points matter, with at least one operation each.
  CHECK(refused >= 8);
  device.set_faults({});
  CHECK(prover.prove(instance.witness) == instance.expected);
}

TEST_CASE("a device's key and proofs that do not fit are refused with the numbers",
          "[pipeline][edge]") {
  const Instance instance(300);
  using Wide = Prover<Bls, FakeDevice, pipeline::datacenter>;
  using Narrow = Prover<Bls, FakeDevice, pipeline::low_memory>;
  const auto bytes_of = [&](const auto& prover, const FakeDevice& device) {
    return device.counters().bytes_in_use + prover.plan().peak_bytes;
  };
  const FakeDevice large;
  const std::size_t wide = bytes_of(Wide(large, instance.key, instance.options()), large);
  const std::size_t narrow = bytes_of(Narrow(large, instance.key, instance.options()), large);
  REQUIRE(narrow < wide);
  FakeDeviceOptions described;
  described.memory_bytes = (narrow + wide) / 2 + 100000;  // and steps of 256 bytes
  const FakeDevice middle(described);
  CHECK_THROWS_AS(Wide(middle, instance.key, instance.options()), ResourceExhausted);
  CHECK(middle.counters().bytes_in_use == 0);
  CHECK(Narrow(middle, instance.key, instance.options()).prove(instance.witness) ==
        instance.expected);
  described.memory_bytes = 50000;
  const FakeDevice small(described);
  CHECK_THROWS_AS(Narrow(small, instance.key, instance.options()), ResourceExhausted);
  CHECK(small.counters().bytes_in_use == 0);
}

TEST_CASE("multiples of a key's points give way to the proofs in flight", "[pipeline][edge]") {
  const Instance instance(300);
  using Made = Prover<Bls, FakeDevice, pipeline::datacenter>;
  const auto bytes_with = [&](const FakeDevice& device, std::size_t table_bytes) {
    ProverOptions<Bls> made = instance.options();
    made.limits.table_bytes = table_bytes;
    const Made prover(device, instance.key, made);
    return std::pair(device.counters().bytes_in_use, prover.plan().peak_bytes);
  };
  const FakeDevice large;
  const auto [points, scratch] = bytes_with(large, 1);
  const std::size_t with_multiples = bytes_with(large, 0).first;
  CHECK(with_multiples > 2 * points);
  FakeDeviceOptions described;
  described.memory_bytes = points + scratch + 20000;  // steps of 256 bytes
  const FakeDevice small(described);
  CHECK(bytes_with(small, 0).first == points);
  CHECK(Made(small, instance.key, instance.options()).prove(instance.witness) == instance.expected);
  // Who asks for multiples beside which no proof fits is told so.
  CHECK_THROWS_AS(bytes_with(small, 2 * points), ResourceExhausted);
  CHECK(small.counters().bytes_in_use == 0);
}
