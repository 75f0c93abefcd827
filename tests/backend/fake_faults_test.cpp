// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <zkgpu/backend/fake.hpp>

#include "backend/gate.hpp"

namespace {

using namespace zkgpu;
using test::Gate;

using Words = DeviceSpan<std::uint64_t>;
using ConstWords = DeviceSpan<const std::uint64_t>;

FakeFaults one_fault(std::optional<FakeKind> kind, std::uint64_t index, FakeEffect effect) {
  FakeFaults faults;
  faults.planned.push_back({kind, index, effect});
  return faults;
}

DeviceSpan<std::byte> bytes_of(Words words) {
  return {reinterpret_cast<std::byte*>(words.data()), words.size_bytes()};
}

/// A computation with every kind of operation. @return what it computed
std::vector<std::uint64_t> compute(const FakeDevice& device) {
  constexpr std::size_t n = 100;
  auto in = device.allocate<std::uint64_t>(n);
  auto out = device.allocate<std::uint64_t>(n);
  const auto pinned = device.allocate_pinned<std::uint64_t>(n);
  std::fill(pinned.span().begin(), pinned.span().end(), 20);
  std::vector<std::uint64_t> result(n, 0);
  const FakeEvent event;
  const FakeQueue copies = device.make_queue();
  const FakeQueue work = device.make_queue();  // queues last: their end waits for what is queued
  work.fill_bytes(bytes_of(out.span()), 0);
  copies.upload(std::span<const std::uint64_t>(pinned.span()), in.span());
  copies.record(event);
  work.wait_for(event);
  work.submit(
      "test.add",
      [](std::span<const std::uint64_t> x, std::span<std::uint64_t> y) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] += x[i] + 1;
      },
      ConstWords(in.span()), out.span());
  work.copy_within(ConstWords(out.span()), in.span());
  work.submit(
      "test.double",
      [](std::span<std::uint64_t> y) {
        for (auto& word : y) word *= 2;
      },
      in.span());
  work.download(ConstWords(in.span()), std::span<std::uint64_t>(result));
  work.wait();
  copies.wait();
  return result;
}

const std::vector<std::uint64_t> right(100, 42);

/// What a failure leaves behind is nothing, and the device computes as before.
void check_whole(const FakeDevice& device) {
  const FakeCounters counters = device.counters();
  CHECK(counters.bytes_in_use == 0);
  CHECK(counters.pinned_bytes_in_use == 0);
  CHECK(counters.queues == 0);
  CHECK(counters.misuses == 0);
  device.set_faults({});
  CHECK(compute(device) == right);
}

TEST_CASE("a fault at each operation ends in a typed error, and leaves nothing behind",
          "[backend][fake][fault]") {
  const FakeDevice device;
  REQUIRE(compute(device) == right);
  const std::uint64_t operations = device.counters().operations;
  REQUIRE(operations == 13);
  for (const FakeEffect effect : {FakeEffect::fail_call, FakeEffect::fail_queue}) {
    for (std::uint64_t i = 0; i < operations; ++i) {
      CAPTURE(static_cast<int>(effect), i);
      device.set_faults(one_fault(std::nullopt, i, effect));
      std::optional<ErrorKind> kind;
      try {
        compute(device);
      } catch (const Error& error) {
        kind = error.kind();
        CHECK_THAT(error.what(), Catch::Contains("injected fault"));
      }
      CHECK(kind == (i < 3 ? ErrorKind::resource_exhausted : ErrorKind::device_error));
      check_whole(device);
    }
  }
  device.set_faults(one_fault(std::nullopt, operations, FakeEffect::fail_queue));
  CHECK(compute(device) == right);  // there is no such operation
}

TEST_CASE("the k-th operation of a kind fails and no other", "[backend][fake][fault]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(8);
  device.set_faults(one_fault(FakeKind::fill, 2, FakeEffect::fail_call));
  for (int i = 0; i < 5; ++i) {
    queue.submit("test.nothing", [] {});
    if (i == 2) {
      CHECK_THROWS_WITH(queue.fill_bytes(buffer.span(), i),
                        "fake: queue 1: fill 2: injected fault");
    } else {
      CHECK_NOTHROW(queue.fill_bytes(buffer.span(), i));
    }
  }
  queue.wait();
  CHECK(device.counters().operations == 10);

  device.set_faults(one_fault(FakeKind::allocate, 1, FakeEffect::fail_queue));
  CHECK_NOTHROW(device.allocate<std::byte>(1));
  CHECK_THROWS_WITH(device.allocate<std::byte>(700),
                    "fake: device memory: 700 bytes wanted, 1073741568 of 1073741824 free: "
                    "injected fault");
  CHECK_NOTHROW(device.allocate<std::byte>(1));
  device.set_faults(one_fault(FakeKind::make_queue, 0, FakeEffect::fail_call));
  CHECK_THROWS_AS(device.make_queue(), DeviceError);
  CHECK_NOTHROW(device.make_queue());
}

TEST_CASE("nothing after a failed launch is carried out, and each wait says why",
          "[backend][fake][fault]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  const FakeQueue untouched = device.make_queue();
  auto buffer = device.allocate<std::uint64_t>(4);
  std::vector<std::uint64_t> host(4, 7);
  int ran = 0;
  Gate gate;
  queue.submit("test.block", [&] { gate.wait(); });
  queue.submit("test.throw", [] { throw DeviceError("lost"); });
  queue.submit("test.count", [&] { ++ran; });
  queue.download(ConstWords(buffer.span()), std::span<std::uint64_t>(host));
  gate.open();
  for (int i = 0; i < 3; ++i) CHECK_THROWS_WITH(queue.wait(), "lost");
  CHECK(ran == 0);
  CHECK(host == std::vector<std::uint64_t>(4, 7));
  CHECK_THROWS_WITH(queue.submit("test.count", [&] { ++ran; }), "fake: queue 1 has failed: lost");
  CHECK_THROWS_AS(queue.fill_bytes(bytes_of(buffer.span()), 0), DeviceError);
  const FakeEvent event;
  CHECK_THROWS_AS(queue.record(event), DeviceError);
  CHECK_THROWS_AS(queue.wait_for(event), DeviceError);
  untouched.submit("test.count", [&] { ++ran; });
  untouched.wait();
  CHECK(ran == 1);
  CHECK(device.counters().launches == 3);
}

TEST_CASE("what work throws is typed: errors of ours as they are", "[backend][fake][fault]") {
  const FakeDevice device;
  const auto failing = [&](auto&& work) {
    FakeQueue queue = device.make_queue();
    queue.submit("test.throw", work);
    return queue;
  };
  CHECK_THROWS_AS(failing([] { throw WitnessUnsatisfied("row 3"); }).wait(), WitnessUnsatisfied);
  CHECK_THROWS_AS(failing([] { throw Malformed({"file", "", 5}, "x"); }).wait(), Malformed);
  CHECK_THROWS_AS(failing([] { throw std::bad_alloc(); }).wait(), ResourceExhausted);
  CHECK_THROWS_WITH(failing([] { throw std::runtime_error("oh"); }).wait(),
                    Catch::Contains("launch 3 (test.throw): oh"));
  CHECK_THROWS_AS(failing([] { throw std::runtime_error("oh"); }).wait(), DeviceError);
  CHECK_THROWS_AS(failing([] { throw 5; }).wait(), DeviceError);
}

TEST_CASE("work that waits for an event of a failed queue fails too", "[backend][fake][fault]") {
  const FakeDevice device;
  const FakeQueue failing = device.make_queue();
  const FakeQueue waiting = device.make_queue();
  const FakeEvent before;
  const FakeEvent after;
  int ran = 0;
  Gate gate;
  failing.record(before);
  failing.submit("test.throw", [&] {
    gate.wait();
    throw Cancelled("enough");
  });
  failing.record(after);
  waiting.wait_for(before);
  waiting.submit("test.count", [&] { ++ran; });
  waiting.wait_for(after);
  waiting.submit("test.count", [&] { ++ran; });
  gate.open();
  CHECK_THROWS_AS(failing.wait(), Cancelled);
  CHECK_THROWS_AS(waiting.wait(), DeviceError);
  CHECK_THROWS_WITH(after.wait(), Catch::Contains("a queue that failed: enough"));
  CHECK_THROWS_AS(after.milliseconds_since(before), DeviceError);
  CHECK_NOTHROW(before.wait());
  CHECK(ran == 1);
}

TEST_CASE("a sticky device fails as a whole, and another is not touched",
          "[backend][fake][fault]") {
  FakeDeviceOptions options;
  options.sticky_device = true;
  const FakeDevice device(options);
  const FakeDevice other(options);
  auto buffer = device.allocate<std::byte>(100);
  {
    const FakeQueue one = device.make_queue();
    const FakeQueue two = device.make_queue();
    int ran = 0;
    Gate gate;
    two.submit("test.block", [&] { gate.wait(); });
    two.submit("test.count", [&] { ++ran; });
    one.submit("test.throw", [] { throw DeviceError("trap"); });
    CHECK_THROWS_WITH(one.wait(), "trap");
    gate.open();
    CHECK_THROWS_WITH(two.wait(), Catch::Contains("the device has failed: trap"));
    CHECK(ran == 0);
    CHECK_THROWS_AS(two.fill_bytes(buffer.span(), 0), DeviceError);
  }
  CHECK_THROWS_AS(device.allocate<std::byte>(1), DeviceError);
  CHECK_THROWS_AS(device.allocate_pinned<std::byte>(1), DeviceError);
  CHECK_THROWS_AS(device.make_queue(), DeviceError);
  CHECK_THROWS_AS(device.free_bytes(), DeviceError);
  CHECK_THROWS_AS(device.wipe(buffer.span()), DeviceError);
  buffer = FakeBuffer<std::byte>();
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().queues == 0);
  CHECK(compute(other) == right);
}

TEST_CASE("random faults are a function of their seed", "[backend][fake][fault]") {
  const auto fates = [](std::uint64_t seed, double probability, std::optional<FakeKind> kind) {
    FakeDeviceOptions options;
    options.faults.seed = seed;
    options.faults.probability = probability;
    options.faults.random_kind = kind;
    options.faults.random_effect = FakeEffect::fail_call;
    const FakeDevice device(options);
    std::vector<bool> failed;
    for (int i = 0; i < 400; ++i) {
      try {
        static_cast<void>(device.allocate<int>(1));
        failed.push_back(false);
      } catch (const ResourceExhausted&) {
        failed.push_back(true);
      }
    }
    return failed;
  };
  const auto some = fates(1, 0.25, std::nullopt);
  CHECK(some == fates(1, 0.25, FakeKind::allocate));
  CHECK(some != fates(2, 0.25, std::nullopt));
  const auto count = std::count(some.begin(), some.end(), true);
  CHECK(count > 60);
  CHECK(count < 140);
  CHECK(fates(1, 0, std::nullopt) == std::vector<bool>(400, false));
  CHECK(fates(1, 1, std::nullopt) == std::vector<bool>(400, true));
  CHECK(fates(1, 1, FakeKind::launch) == std::vector<bool>(400, false));
}

TEST_CASE("computations under random faults are right or typed errors, and leave nothing",
          "[backend][fake][fault]") {
  const FakeDevice device;
  int good = 0;
  int bad = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    FakeFaults faults;
    faults.probability = 0.05;
    faults.seed = seed;
    faults.random_effect = seed % 2 == 0 ? FakeEffect::fail_call : FakeEffect::fail_queue;
    device.set_faults(faults);
    try {
      const auto result = compute(device);
      CHECK(result == right);
      ++good;
    } catch (const Error&) {
      ++bad;
    }
  }
  CHECK(good > 20);
  CHECK(bad > 20);
  check_whole(device);
}

TEST_CASE("a corrupted operation has one wrong bit and nobody is told", "[backend][fake][fault]") {
  const FakeDevice device;
  for (const FakeKind kind : {FakeKind::upload, FakeKind::download, FakeKind::copy_within,
                              FakeKind::fill, FakeKind::launch}) {
    CAPTURE(to_string(kind));
    device.set_faults(one_fault(kind, 0, FakeEffect::corrupt));
    auto result = compute(device);
    CHECK(std::count_if(result.begin(), result.end(), [](auto word) { return word != 42; }) == 1);
  }
  for (const FakeKind kind : {FakeKind::allocate, FakeKind::allocate_pinned, FakeKind::make_queue,
                              FakeKind::record, FakeKind::wait_for}) {
    CAPTURE(to_string(kind));
    device.set_faults(one_fault(kind, 0, FakeEffect::corrupt));
    CHECK(compute(device) == right);
  }
  check_whole(device);
}

TEST_CASE("the hook is called before each operation of a queue, in its order",
          "[backend][fake][fault]") {
  std::mutex mutex;
  std::vector<std::string> seen;
  FakeFaults faults;
  faults.before = [&](const FakeOperation& operation) {
    const std::scoped_lock lock(mutex);
    seen.push_back(std::to_string(operation.queue) + " " + std::string(to_string(operation.kind)) +
                   " " + std::to_string(operation.index) + " " + std::string(operation.name) + ":" +
                   std::to_string(operation.bytes));
  };
  const FakeDevice device;
  device.set_faults(faults);
  auto buffer = device.allocate<std::byte>(16);
  {
    const FakeQueue queue = device.make_queue();
    queue.fill_bytes(buffer.span(), 0);
    queue.submit(
        "test.first", [](std::span<std::byte>) {}, buffer.span());
    queue.submit("test.second", [] {});
    queue.fill_bytes(buffer.span().first(8), 0);
  }
  CHECK(seen == std::vector<std::string>{"0 allocate 0 :16", "0 make_queue 0 :0", "1 fill 0 :16",
                                         "1 launch 0 test.first:16", "1 launch 1 test.second:0",
                                         "1 fill 1 :8"});
}

TEST_CASE("a hook that blocks holds up one queue, and one that throws ends it",
          "[backend][fake][fault]") {
  Gate reached;
  Gate released;
  FakeFaults faults;
  faults.before = [&](const FakeOperation& operation) {
    if (operation.name != "test.stop") return;
    reached.open();
    released.wait();
    throw Cancelled("stopped at the hook");
  };
  FakeDeviceOptions options;
  options.faults = faults;
  const FakeDevice device(options);
  const FakeQueue held = device.make_queue();
  const FakeQueue free = device.make_queue();
  int ran = 0;
  held.submit("test.stop", [&] { ran += 10; });
  REQUIRE(reached.wait());
  free.submit("test.go", [&] { ran += 1; });
  free.wait();
  CHECK(ran == 1);
  released.open();
  CHECK_THROWS_WITH(held.wait(), "stopped at the hook");
  CHECK_THROWS_AS(held.wait(), Cancelled);
  CHECK(ran == 1);
}

TEST_CASE("faults are set while queues work", "[backend][fake][fault]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  for (int i = 0; i < 100; ++i) {
    queue.submit("test.nothing", [] {});
    device.set_faults({});
  }
  queue.wait();
  CHECK(device.counters().operations == 0);
  CHECK(device.counters().launches == 100);
}

}  // namespace
