// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The stages of a proof on a device in all ways that policies choose from: the CPU's bytes, memory
// within what was planned, and after a fault a typed error with everything given back.
#include <catch2/catch.hpp>

#include <atomic>
#include <exception>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/stages/fake.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>

#include "prover/pipeline/stages_support.hpp"

using namespace zkgpu;  // NOLINT
using test::Instance;
using test::KeyChoice;
using test::ScratchOf;
using Bls = Bls12_381;
using Stages = ProofStages<Bls, FakeDevice>;

namespace {

using HostMemory = pipeline::simple_memory::Source<Cpu<>>;
using DeviceMemory = pipeline::simple_memory::Source<FakeDevice>;

/// Stages on a device, and memory for them.
struct Setup {
  FakeDevice device;
  ScratchOf scratch;
  KeyUse use;
  Stages stages;
  DeviceMemory memory{device, pipeline::unplanned};
  Cpu<> cpu;
  HostMemory host{cpu, pipeline::unplanned};
  std::size_t key_in_use;  ///< when nothing was loaded yet

  Setup(const FakeDevice& device_, const Instance& instance, const KeyChoice& choice,
        std::size_t proofs = 1)
      : device(device_),
        scratch(instance, proofs),
        use(test::use_of(choice, scratch, instance)),
        stages(device, instance.prepared, use),
        key_in_use(device.counters().bytes_in_use) {}

  Proof<Bls> prove(const Instance& instance) {
    auto queue = device.make_queue();
    StageContext<FakeDevice> at{device, queue, memory};
    const Proof<Bls> proof = test::prove_by_stages(stages, at, host, use, instance);
    if (const std::exception_ptr failed = memory.settle()) std::rethrow_exception(failed);
    return proof;
  }
  /// What points may take that are not on the device from the beginning on.
  [[nodiscard]] std::size_t cacheable() const {
    return stages.awaited_bytes() + stages.cached_bytes();
  }
};

/// Allocations go in steps of 256 bytes.
constexpr std::size_t steps = 256 * 40;

void check_given_back(const FakeDevice& device) {
  const FakeCounters now = device.counters();
  CHECK(now.bytes_in_use == 0);
  CHECK(now.pinned_bytes_in_use == 0);
  CHECK(now.registered_bytes == 0);
  CHECK(now.queues == 0);
  CHECK(now.misuses == 0);
}

/// Proofs by one choice, and what they hold.
void check_choice(const Instance& instance, const KeyChoice& choice) {
  INFO(choice);
  const FakeDevice device;
  {
    Setup setup(device, instance, choice);
    const int proofs = instance.key.domain_size() > 100 ? 1 : 2;
    for (int i = 0; i < proofs; ++i) {  // the second time with what the first one left
      CHECK(setup.prove(instance) == instance.expected);
      CHECK(device.counters().registered_bytes == 0);
      CHECK(setup.memory.account().in_use_bytes() == 0);
      CHECK(setup.host.account().in_use_bytes() == 0);
      CHECK(device.counters().bytes_in_use <= setup.key_in_use + setup.cacheable() + steps);
    }
    const StageBytes bytes = setup.stages.bytes();
    CHECK(setup.memory.account().peak_bytes() <= setup.scratch.bytes(bytes));
    CHECK(setup.host.account().peak_bytes() == std::max(bytes.host_rows, bytes.host_b_g2));
    CHECK(device.counters().peak_bytes <=
          setup.key_in_use + setup.cacheable() + setup.scratch.bytes(bytes) + steps);
    CHECK((bytes.host_rows != 0) == (choice.rows == StagePlace::host));
    CHECK((bytes.b_g2 == 0) == (choice.b_g2 == StagePlace::host));
    CHECK(setup.stages.cached_bytes() <= setup.cacheable());
  }
  check_given_back(device);
}

void check_all_choices(KeyForm form) {
  for (const std::size_t constraints : {1U, 40U, 300U}) {
    const Instance instance(constraints, form);
    for (const KeyChoice& choice : test::all_key_choices()) check_choice(instance, choice);
  }
}

}  // namespace

TEST_CASE("proofs by stages in every way have the CPU's bytes, with points for all wires",
          "[pipeline][agreement]") {
  check_all_choices(KeyForm::snarkjs);
}
TEST_CASE("proofs by stages in every way have the CPU's bytes, with filtered points",
          "[pipeline][agreement]") {
  check_all_choices(KeyForm::bellman);
}

TEST_CASE("what stays on the host takes no memory of the device", "[pipeline]") {
  const Instance instance(300, KeyForm::bellman);
  const FakeDevice device;
  const auto held = [&](const KeyChoice& choice) {
    const Setup setup(device, instance, choice);
    return setup.key_in_use;
  };
  KeyChoice choice{.upload = UploadWay::pageable};
  const std::size_t all = held(choice);
  choice.rows = StagePlace::host;
  const std::size_t without_rows = held(choice);
  CHECK(without_rows < all);
  choice.b_g2 = StagePlace::host;
  const std::size_t without_g2 = held(choice);
  CHECK(without_g2 + instance.key.b_g2.size() * sizeof(Bls::G2::Affine) <= without_rows);
  choice.key = KeyPlace::resident_host;
  const std::size_t without_points = held(choice);
  CHECK(without_points + instance.key.h.size() * sizeof(Bls::G1::Affine) <= without_g2);
  choice.key = KeyPlace::load_per_proof;
  CHECK(held(choice) == without_points);
  choice.key = KeyPlace::split_resident;
  choice.key_bytes = device_aligned(instance.key.h.size() * sizeof(Bls::G1::Affine));
  CHECK(held(choice) == without_points + choice.key_bytes);  // h, and no multiples

  Setup setup(device, instance, choice);
  auto queue = device.make_queue();
  StageContext<FakeDevice> at{setup.device, queue, setup.memory};
  const auto z = setup.stages.upload(at, instance.z());
  CHECK_THROWS_AS(setup.stages.evaluate(at, z), InvalidArgument);
  CHECK_THROWS_AS(setup.stages.sum_b_g2(at, z), InvalidArgument);
}

TEST_CASE("queries come to a budget and go when others need it", "[pipeline]") {
  const Instance instance(40);
  const auto bytes_of = [&](std::size_t points) {
    return device_aligned(points * sizeof(Bls::G1::Affine));
  };
  const std::size_t of_h = bytes_of(instance.key.h.size());
  const std::size_t of_a = bytes_of(instance.key.a.size());
  const std::size_t of_l = bytes_of(instance.key.l.size());
  KeyChoice choice{.key = KeyPlace::budgeted_lru};
  choice.upload = UploadWay::pageable;
  choice.b_g2 = StagePlace::host;
  const FakeDevice device;
  const auto uploaded = [&](Setup& setup) {
    const std::uint64_t before = device.counters().upload_bytes;
    CHECK(setup.prove(instance) == instance.expected);
    return device.counters().upload_bytes - before;
  };
  {  // room for all: they come once
    choice.key_bytes = 8 * of_h;
    Setup setup(device, instance, choice);
    CHECK(setup.stages.cached_bytes() == 0);
    CHECK(setup.stages.awaited_bytes() == setup.stages.key_bytes());
    const std::uint64_t first = uploaded(setup);
    CHECK(setup.stages.cached_bytes() == setup.stages.key_bytes());
    CHECK(setup.stages.awaited_bytes() == 0);
    CHECK(uploaded(setup) == instance.z().size_bytes());
    CHECK(first > instance.z().size_bytes() + of_h);
  }
  {  // room for one or two: they come each time
    choice.key_bytes = std::max(of_h, of_a + of_l);
    Setup setup(device, instance, choice);
    const std::uint64_t first = uploaded(setup);
    CHECK(uploaded(setup) > instance.z().size_bytes());
    CHECK(first > instance.z().size_bytes() + of_h);
    CHECK(setup.stages.cached_bytes() <= choice.key_bytes);
    CHECK(setup.stages.cached_bytes() > 0);
  }
  {  // room for none: they are streamed
    choice.key_bytes = 256;
    Setup setup(device, instance, choice);
    CHECK(uploaded(setup) == uploaded(setup));
    CHECK(setup.stages.cached_bytes() == 0);
    CHECK(setup.stages.key_bytes() == 0);
  }
}

TEST_CASE("stages that do not fit a device are refused with the numbers", "[pipeline][edge]") {
  const Instance instance(300);
  const FakeDevice large;
  const auto needs = [&](KeyPlace key) {  // beside scratch memory, without multiples
    KeyChoice choice{.key = key};
    choice.table_bytes = 1;
    const Setup setup(large, instance, choice);
    return setup.key_in_use + setup.scratch.bytes(setup.stages.bytes());
  };
  FakeDeviceOptions described;
  described.memory_bytes = (needs(KeyPlace::resident_host) + needs(KeyPlace::resident_device)) / 2;
  const FakeDevice middle(described);
  CHECK_THROWS_WITH(Setup(middle, instance, {.key = KeyPlace::resident_device}),
                    Catch::Contains("bytes of the device") && Catch::Contains("are free"));
  for (const KeyPlace key :
       {KeyPlace::resident_host, KeyPlace::split_resident, KeyPlace::budgeted_lru}) {
    check_given_back(middle);
    Setup setup(middle, instance, {.key = key});
    CHECK(setup.prove(instance) == instance.expected);
    CHECK(middle.counters().peak_bytes <= described.memory_bytes);
  }
  check_given_back(middle);
  for (const KeyPlace key : {KeyPlace::split_resident, KeyPlace::budgeted_lru}) {
    KeyChoice choice{.key = key};
    choice.key_bytes = 2 * described.memory_bytes;  // given, and the whole key fits into them
    CHECK_THROWS_AS(Setup(middle, instance, choice), ResourceExhausted);
  }
  described.memory_bytes = 40000;
  const FakeDevice small(described);
  for (const KeyChoice& choice : test::all_key_choices()) {
    CHECK_THROWS_AS(Setup(small, instance, choice), ResourceExhausted);
  }
  check_given_back(small);
}

TEST_CASE("multiples of a split key's points keep to its budget", "[pipeline][edge]") {
  const Instance instance(300);
  const FakeDevice device;
  const std::size_t of_h = instance.key.h.size() * sizeof(Bls::G1::Affine);
  KeyChoice choice{.key = KeyPlace::split_resident};
  for (const std::size_t times : {1U, 2U, 3U}) {
    choice.key_bytes = times * of_h;
    const Setup setup(device, instance, choice);
    CHECK(setup.stages.key_bytes() <= choice.key_bytes);
    CHECK(setup.stages.key_bytes() >= of_h);
  }
}

namespace {

/// f() fails with a type of a device that fails, or gives the right proof.
template <class Function>
bool fails_typed(const Instance& instance, const Function& f) {
  try {
    const Proof<Bls> made = f();
    CHECK(made == instance.expected);
  } catch (const ResourceExhausted&) {
    return true;
  } catch (const DeviceError&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a fault at any operation of any way is a typed error, and the next proof good",
          "[pipeline][fault]") {
  const Instance instance(10, KeyForm::bellman);
  for (const KeyChoice& choice : test::covering_key_choices()) {
    INFO(choice);
    FakeDeviceOptions described;
    described.upload_bytes_per_second = 1e8;  // copies are under way when the next thing fails
    const FakeDevice device(described);
    std::uint64_t operations = 0;
    {
      device.set_faults({});
      Setup setup(device, instance, choice);
      CHECK(setup.prove(instance) == instance.expected);
      operations = device.counters().operations;
    }
    for (const FakeEffect effect : {FakeEffect::fail_call, FakeEffect::fail_queue}) {
      for (std::uint64_t order = 0; order < operations; ++order) {
        INFO("operation " << order << ", effect " << static_cast<int>(effect));
        FakeFaults faults;
        faults.planned = {{std::nullopt, order, effect}};
        device.set_faults(faults);
        CHECK(fails_typed(instance, [&] {
          Setup setup(device, instance, choice);
          try {
            return setup.prove(instance);
          } catch (const Error&) {
            CHECK(setup.memory.account().in_use_bytes() == 0);
            CHECK(setup.host.account().in_use_bytes() == 0);
            CHECK(device.counters().registered_bytes == 0);
            CHECK(setup.prove(instance) == instance.expected);
            throw;
          }
        }));
        device.set_faults({});
        check_given_back(device);
      }
    }
  }
}

TEST_CASE("two threads prove by the same stages at once, in every way", "[pipeline][agreement]") {
  const Instance instance(40);
  for (const KeyChoice& choice : test::covering_key_choices()) {
    INFO(choice);
    const FakeDevice device;
    {
      Setup setup(device, instance, choice, 2);
      std::atomic<int> good = 0;
      const auto work = [&] {
        for (int i = 0; i < 3; ++i) good += setup.prove(instance) == instance.expected ? 1 : 0;
      };
      std::thread other(work);
      work();
      other.join();
      CHECK(good == 6);
      CHECK(setup.memory.account().peak_bytes() <= setup.scratch.bytes(setup.stages.bytes()));
      CHECK(device.counters().peak_bytes <= setup.key_in_use + setup.cacheable() +
                                                setup.scratch.bytes(setup.stages.bytes()) +
                                                2 * steps);
    }
    check_given_back(device);
  }
}

TEST_CASE("a witness of many pages is pinned in place, also for two proofs at once", "[pipeline]") {
  const Instance instance(300);
  REQUIRE(instance.z().size_bytes() > 2 * 4096);
  FakeDeviceOptions described;
  described.upload_bytes_per_second = 1e7;
  described.pageable_rate = 0.5;
  const FakeDevice device(described);
  KeyChoice choice{.upload = UploadWay::registered};
  Setup setup(device, instance, choice, 2);
  const FakeCounters before = device.counters();
  const auto upload = [&] {
    auto queue = device.make_queue();
    StageContext<FakeDevice> at{setup.device, queue, setup.memory};
    static_cast<void>(setup.stages.upload(at, instance.z()));
  };
  std::thread other(upload);
  upload();
  other.join();
  const FakeCounters after = device.counters();
  const std::size_t bytes = after.upload_bytes - before.upload_bytes;
  CHECK(bytes == 2 * instance.z().size_bytes());
  CHECK(after.pageable_bytes - before.pageable_bytes < 2 * 2 * 4096);  // what stands beside pages
  CHECK(after.registrations > before.registrations);
  CHECK(after.registered_bytes == 0);

  described.pinned_bytes = 4095;  // not a page
  const FakeDevice strict(described);
  Setup refused(strict, instance, choice);
  CHECK_THROWS_AS(refused.prove(instance), ResourceExhausted);
  CHECK(strict.counters().registered_bytes == 0);
  CHECK(refused.memory.account().in_use_bytes() == 0);
}
