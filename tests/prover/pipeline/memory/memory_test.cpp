// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The laws of the memory policy for each composition of its parts, on the CPU and on a device.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/prover/pipeline/memory/arena.hpp>
#include <zkgpu/prover/pipeline/memory/cached.hpp>
#include <zkgpu/prover/pipeline/memory/free_async.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/pipeline/memory/plan.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>

#include "watched_host.hpp"
#include "worker.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT
using test::of_one_proof;
using test::sizes;
using test::WatchedHost;
using test::Worker;

namespace {

using Inline = memory<resident_host, allocate_each, free_inline, true>;
using Async = memory<budgeted_lru, allocate_each, free_async, true>;
using Serialised = memory<load_per_proof, allocate_each, free_serialised, false>;
using Cached = memory<resident_device, cached, recycle, true>;
using Arena = memory<split_resident, arena, recycle, false>;
using Every = std::tuple<Inline, Async, Serialised, Cached, Arena>;
using Freeing = std::tuple<Inline, Async, Serialised>;
using Keeping = std::tuple<Cached, Arena>;

static_assert(MemoryPolicy<Inline> && MemoryPolicy<Async> && MemoryPolicy<Serialised>);
static_assert(MemoryPolicy<Cached> && MemoryPolicy<Arena>);
static_assert(Inline::key == KeyPlace::resident_host && Async::key == KeyPlace::budgeted_lru);
static_assert(Serialised::key == KeyPlace::load_per_proof &&
              Arena::key == KeyPlace::split_resident);
static_assert(Cached::early_release && !Arena::early_release);

template <class Memory, class B>
void share(B& backend) {
  constexpr int proofs = 3;
  constexpr std::size_t planned = proofs * of_one_proof;
  typename Memory::template Source<B> source(backend, planned);
  std::atomic<int> wrong = 0;
  std::atomic<int> full = 0;
  const auto prove = [&](int proof) {
    Worker<B> worker(backend, source, proof);
    for (int i = 0; i < 200; ++i) worker.step();
    worker.take_all();
    ++full;
    while (full < proofs) std::this_thread::yield();  // all that was planned is lent
    for (int i = 0; i < 200; ++i) worker.step();
    wrong += worker.wrong();
  };
  std::vector<std::thread> threads;
  for (int proof = 0; proof < proofs; ++proof) {
    threads.emplace_back([&, proof] {
      try {
        prove(proof);
      } catch (const ResourceExhausted&) {
        ++wrong, ++full;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(source.account().in_use_bytes() == 0);
  CHECK(source.account().peak_bytes() == planned);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("threads that share a source see nothing of each other, and all fits",
                        "[pipeline][law]", Every) {
  const std::size_t most = memory_footprint<TestType>(3 * of_one_proof);
  SECTION("memory of the host") {
    WatchedHost host;
    share<TestType>(host);
    CHECK(host.watch->not_wiped == 0);
    CHECK(host.watch->in_use == 0);
    CHECK(host.watch->peak <= most);
  }
  SECTION("memory of a device") {
    FakeDevice device;
    share<TestType>(device);
    CHECK(device.counters().bytes_in_use == 0);
    CHECK(device.counters().misuses == 0);
    CHECK(device.counters().peak_bytes <= most + 3 * sizes.size() * 256);
  }
  SECTION("the CPU itself") {
    Cpu<> cpu;
    typename TestType::template Source<Cpu<>> source(cpu, of_one_proof);
    { const Scratch<std::byte, Cpu<>> one(source, sizes[4]); }
    { const Scratch<std::byte, Cpu<>> none(source, 0); }
    CHECK(source.account().in_use_bytes() == 0);
    CHECK(source.account().peak_bytes() == sizes[4]);
  }
}

TEMPLATE_LIST_TEST_CASE("more than was planned is refused with the numbers", "[pipeline][edge]",
                        Every) {
  FakeDevice device;
  typename TestType::template Source<FakeDevice> source(device, 1000);
  using Buffer = Scratch<std::byte, FakeDevice>;
  const Buffer first(source, 600);
  std::string why;
  try {
    const Buffer second(source, 401);
  } catch (const ResourceExhausted& refused) {
    why = refused.what();
  }
  CHECK(why == "memory policy: 401 bytes beside 600 that are lent, but 1000 are planned");
  CHECK(source.account().in_use_bytes() == 600);
  CHECK_NOTHROW(Buffer(source, 400));
  CHECK_THROWS_AS(Buffer(source, static_cast<std::size_t>(-1)), ResourceExhausted);
  CHECK(source.account().peak_bytes() == 1000);
}

TEMPLATE_TEST_CASE("without a block, any sizes in any order stay within the plan",
                   "[pipeline][law]", Inline, Async, Serialised, Cached) {
  WatchedHost host;
  constexpr std::size_t planned = 10000;
  typename TestType::template Source<WatchedHost> source(host, planned);
  std::mt19937_64 random(90);
  std::vector<Scratch<std::byte, WatchedHost>> held;
  for (int i = 0; i < 5000; ++i) {
    const std::size_t bytes = 1 + random() % 4000;
    if (bytes <= planned - source.account().in_use_bytes()) {
      held.emplace_back(source, bytes);
    } else {
      std::swap(held.back(), held[random() % held.size()]);
      held.pop_back();
    }
  }
  CHECK(host.watch->peak <= planned);
  CHECK(host.watch->peak > planned / 2);
}

TEMPLATE_LIST_TEST_CASE("an allocation that fails leaves nothing behind, and the next is good",
                        "[pipeline][fault]", Every) {
  FakeDevice device;
  const auto prove = [&](auto& source) {
    std::vector<Scratch<std::byte, FakeDevice>> held;
    for (const std::size_t size : sizes) held.emplace_back(source, size);
  };
  using Source = typename TestType::template Source<FakeDevice>;
  {
    Source source(device, of_one_proof);
    for (int i = 0; i < 2; ++i) prove(source);
  }
  const std::uint64_t allocations = device.counters().allocations;
  CHECK(allocations >= 1);
  for (std::uint64_t at = 0; at < allocations; ++at) {
    INFO("allocation " << at);
    FakeFaults faults;
    faults.planned = {{FakeKind::allocate, at, FakeEffect::fail_call}};
    device.set_faults(faults);
    {
      Source source(device, of_one_proof);
      int failed = 0;
      for (int i = 0; i < 2; ++i) {
        try {
          prove(source);
        } catch (const ResourceExhausted&) {
          ++failed;
        }
        CHECK(source.account().in_use_bytes() == 0);
      }
      CHECK(failed == 1);
      CHECK_NOTHROW(prove(source));
    }
    CHECK(device.counters().bytes_in_use == 0);
  }
  CHECK(device.counters().misuses == 0);
}

TEMPLATE_LIST_TEST_CASE("what is kept is allocated once, and gone with the source",
                        "[pipeline][law]", Keeping) {
  const auto rounds = [](auto& backend, const auto& allocations) {
    using B = std::remove_reference_t<decltype(backend)>;
    typename TestType::template Source<B> source(backend, of_one_proof);
    std::uint64_t after_first = 0;
    for (int i = 0; i < 5; ++i) {
      std::vector<Scratch<std::byte, B>> held;
      for (const std::size_t size : sizes) held.emplace_back(source, size);
      if (i == 0) after_first = allocations();
      std::rotate(held.begin(), held.begin() + 2, held.end());  // back in another order
    }
    CHECK(after_first >= 1);
    CHECK(allocations() == after_first);
  };
  WatchedHost host;
  rounds(host, [&] { return host.watch->allocations.load(); });
  CHECK(host.watch->not_wiped == 0);
  CHECK(host.watch->in_use == 0);
  FakeDevice device;
  rounds(device, [&] { return device.counters().allocations; });
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().wiped_bytes >= of_one_proof);
  CHECK(device.counters().misuses == 0);
}

TEST_CASE("a device's memory is wiped before it is freed, and kept memory only then",
          "[pipeline][law]") {
  FakeDevice device;
  using Buffer = Scratch<std::byte, FakeDevice>;
  {
    Inline::Source<FakeDevice> source(device, 1000);
    { const Buffer first(source, 1000); }
    CHECK(device.counters().wiped_bytes == 1000);
  }
  {
    Cached::Source<FakeDevice> source(device, 2000);
    { const Buffer first(source, 1000); }
    { const Buffer again(source, 1000); }
    CHECK(device.counters().wiped_bytes == 1000);
    const Buffer other(source, 999);  // of its own: 1000 would be another stage's
    CHECK(device.counters().wiped_bytes == 1000);
    const Buffer third(source, 1001);  // there is room for it or for what is kept
    CHECK(device.counters().wiped_bytes == 2000);
  }
  CHECK(device.counters().wiped_bytes == 4000);
  {
    Arena::Source<FakeDevice> source(device, 1000);
    { const Buffer first(source, 1000); }
    CHECK(device.counters().wiped_bytes == 4000);
  }
  CHECK(device.counters().wiped_bytes == 4000 + 1024);  // the part of the block that was lent
  CHECK(device.counters().bytes_in_use == 0);
}

TEMPLATE_TEST_CASE("who asks for memory next is told once that what came back was not wiped",
                   "[pipeline][fault]", Inline, Serialised, Async) {
  FakeDevice device;
  using Buffer = Scratch<std::byte, FakeDevice>;
  typename TestType::template Source<FakeDevice> source(device, 1000);
  const auto return_unwiped = [&] {
    const Buffer lent(source, 1000);
    FakeFaults faults;
    faults.planned = {{FakeKind::wipe, 0, FakeEffect::fail_call}};
    device.set_faults(faults);
  };
  return_unwiped();
  if constexpr (std::is_same_v<TestType, Async>) {
    while (device.counters().bytes_in_use != 0) std::this_thread::yield();
  }
  CHECK_THROWS_AS(Buffer(source, 1), DeviceError);
  CHECK_NOTHROW(Buffer(source, 1));
  CHECK(source.settle() == nullptr);
  return_unwiped();
  const std::exception_ptr failed = source.settle();
  REQUIRE(failed != nullptr);
  CHECK_THROWS_AS(std::rethrow_exception(failed), DeviceError);
  CHECK_NOTHROW(Buffer(source, 1));
  CHECK(source.settle() == nullptr);
  CHECK(device.counters().bytes_in_use == 0);
}

TEST_CASE("memory that is freed in the background is freed by one other thread and waited for",
          "[pipeline][law]") {
  WatchedHost host;
  using Buffer = Scratch<std::byte, WatchedHost>;
  {
    Async::Source<WatchedHost> source(host, 1000);
    std::future<void> waiting;
    {
      std::unique_lock shut(host.watch->gate);
      { const Buffer first(source, 800); }
      CHECK(source.account().in_use_bytes() == 0);
      CHECK(host.watch->in_use == 800);
      CHECK_NOTHROW(Buffer(source, 200));  // there is room for this one beside it
      waiting = std::async(std::launch::async, [&] { const Buffer second(source, 801); });
      CHECK(waiting.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
      CHECK(host.watch->in_use >= 800);
    }
    CHECK_NOTHROW(waiting.get());
    CHECK(source.settle() == nullptr);
    CHECK(host.watch->in_use == 0);
    for (int i = 0; i < 50; ++i) const Buffer some(source, 20);
  }
  CHECK(host.watch->in_use == 0);
  CHECK(host.watch->not_wiped == 0);
  CHECK(host.watch->peak <= 1000);
  CHECK(host.watch->freed_by.size() == 1);
  CHECK(host.watch->freed_by.count(std::this_thread::get_id()) == 0);
}

TEMPLATE_LIST_TEST_CASE("who frees, and how many at a time, is the release policy's",
                        "[pipeline][law]", Freeing) {
  WatchedHost host;
  host.watch->free_time = std::chrono::milliseconds(2);
  {
    typename TestType::template Source<WatchedHost> source(host, 4000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 10; ++k) const Scratch<std::byte, WatchedHost> some(source, 1000);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(host.watch->freed_by.size() == (std::is_same_v<TestType, Async> ? 1 : 4));
  CHECK((host.watch->most_freeing == 1) == !std::is_same_v<TestType, Inline>);
  CHECK(host.watch->peak <= 4000);
}

TEST_CASE("a block is planned with every buffer for itself, and with its slack",
          "[pipeline][edge]") {
  const ProofGraph graph = make_groth16_graph({.domain_size = 64,
                                               .entries = 200,
                                               .num_wires = 50,
                                               .num_auxiliary = 40,
                                               .a_points = 50,
                                               .h_points = 64,
                                               .field_bytes = 32,
                                               .h_workspace = 1000,
                                               .a_workspace = 800});
  constexpr std::size_t column = 64 * 32;
  CHECK(memory_plan<Cached>(graph, 2, 777) == 777);
  CHECK(memory_footprint<Cached>(777) == 777);
  CHECK(memory_plan<Arena>(graph, 2, 777) == 2 * (4 * column + 1000 + 800));
  CHECK(memory_plan<Arena>(graph, 1, 99999) == 99999);
  CHECK(memory_footprint<Arena>(6400) == 6500 + 256 * 1024);
  Cpu<> cpu;
  CHECK_THROWS_AS(Arena::Source<Cpu<>>(cpu, unplanned), InvalidArgument);
  Arena::Source<Cpu<>> source(cpu, 6400);
  const Scratch<std::byte, Cpu<>> first(source, 100), second(source, 100);
  CHECK(reinterpret_cast<std::uintptr_t>(first.span().data()) % 256 == 0);
  CHECK(second.span().data() == first.span().data() + 256);
}

TEST_CASE("a block that is in pieces refuses with the numbers", "[pipeline][edge]") {
  Cpu<> cpu;
  constexpr std::size_t half = std::size_t{1} << 20;
  Arena::Source<Cpu<>> source(cpu, 3 * half);
  using Buffer = Scratch<std::byte, Cpu<>>;
  std::optional<Buffer> first, second, third;
  first.emplace(source, half);
  second.emplace(source, half);
  third.emplace(source, half);
  first.reset();
  third.reset();
  std::string why;
  try {
    const Buffer large(source, 2 * half);  // not in the list that this block was planned for
  } catch (const ResourceExhausted& refused) {
    why = refused.what();
  }
  CHECK(why.find("arena: 2097152 bytes of a block of 34") == 0);
  CHECK(why.find(", 1048576 of which are lent and the rest is in pieces of at most 13") !=
        std::string::npos);
  CHECK(why.find("3145728 were planned") != std::string::npos);
  CHECK(source.account().in_use_bytes() == half);
  second.reset();
  CHECK_NOTHROW(Buffer(source, 2 * half));
}
