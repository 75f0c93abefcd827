// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/fake.hpp>

#include "backend/gate.hpp"

namespace {

using namespace zkgpu;
using test::Gate;

using Words = DeviceSpan<std::uint64_t>;
using ConstWords = DeviceSpan<const std::uint64_t>;

static_assert(!std::is_copy_constructible_v<FakeQueue>);
static_assert(std::is_nothrow_move_constructible_v<FakeQueue>);
static_assert(std::is_nothrow_move_assignable_v<FakeQueue>);
static_assert(!std::is_copy_constructible_v<FakeEvent>);

DeviceSpan<std::byte> bytes_of(Words words) {
  return {reinterpret_cast<std::byte*>(words.data()), words.size_bytes()};
}

std::vector<std::uint64_t> read(const FakeQueue& queue, ConstWords words) {
  std::vector<std::uint64_t> seen(words.size());
  queue.download(words, std::span<std::uint64_t>(seen));
  queue.wait();
  return seen;
}

void add_one(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] + 1;
}

TEST_CASE("submitted work sees its memory as spans, after what was enqueued before it",
          "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto a = device.allocate<std::uint64_t>(100);
  auto b = device.allocate<std::uint64_t>(100);
  queue.fill_bytes(bytes_of(a.span()), 0);
  queue.submit("test.add_one", add_one, ConstWords(a.span()), b.span());
  queue.submit("test.add_one", add_one, b.span(), a.span());
  queue.submit(
      "test.add", [](std::span<std::uint64_t> x, std::uint64_t y) { x[7] += y; }, a.span(),
      std::uint64_t{40});
  queue.copy_within(ConstWords(a.span()), b.span());
  std::vector<std::uint64_t> expected(100, 2);
  expected[7] = 42;
  CHECK(read(queue, b.span()) == expected);
  const FakeCounters counters = device.counters();
  CHECK(counters.launches == 3);
  CHECK(counters.copies == 2);
  CHECK(counters.upload_bytes == 0);
  CHECK(counters.download_bytes == 800);
  CHECK(counters.pageable_bytes == 800);
  CHECK(counters.operations == 2 + 1 + 1 + 3 + 2);
}

TEST_CASE("submitted work may move only, and is gone when wait returns", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto owned = std::make_shared<int>(5);
  auto unique = std::make_unique<int>(6);
  int sum = 0;
  queue.submit("test.sum", [owned, unique = std::move(unique), &sum] { sum = *owned + *unique; });
  queue.wait();
  CHECK(sum == 11);
  CHECK(owned.use_count() == 1);
}

TEST_CASE("enqueue returns at once, and wait when all is done", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  Gate gate;
  std::atomic<int> done{0};
  bool opened = false;
  queue.submit("test.block", [&] { opened = gate.wait(); });
  for (int i = 0; i < 1000; ++i) queue.submit("test.count", [&] { ++done; });
  CHECK(done == 0);
  gate.open();
  queue.wait();
  CHECK(opened);
  CHECK(done == 1000);
}

TEST_CASE("two queues of a fake device work at the same time", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue one = device.make_queue();
  const FakeQueue other = device.make_queue();
  CHECK(device.counters().queues == 2);
  Gate of_one;
  Gate of_other;
  bool met_one = false;
  bool met_other = false;
  one.submit("test.meet", [&] {
    of_one.open();
    met_one = of_other.wait();
  });
  other.submit("test.meet", [&] {
    of_other.open();
    met_other = of_one.wait();
  });
  one.wait();
  other.wait();
  CHECK(met_one);
  CHECK(met_other);
}

TEST_CASE("several threads may enqueue to one queue", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto counter = device.allocate<std::uint64_t>(1);
  queue.fill_bytes(bytes_of(counter.span()), 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        queue.submit(
            "test.count", [](std::span<std::uint64_t> c) { ++c[0]; }, counter.span());
      }
      queue.wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(read(queue, counter.span()) == std::vector<std::uint64_t>{400});
}

TEST_CASE("copies and fills of no elements are no operations", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  const auto before = device.counters().operations;
  queue.upload(std::span<const std::uint64_t>(), Words());
  queue.download(ConstWords(), std::span<std::uint64_t>());
  queue.copy_within(ConstWords(), Words());
  queue.fill_bytes(DeviceSpan<std::byte>(), 1);
  queue.wait();
  CHECK(device.counters().operations == before);
  CHECK(device.counters().copies == 0);
  auto buffer = device.allocate<std::uint64_t>(1);
  CHECK_THROWS_AS(queue.copy_within(ConstWords(), buffer.span()), InvalidArgument);
  queue.submit(
      "test.nothing", [](std::span<std::uint64_t>) {}, Words());
  queue.wait();
  CHECK(device.counters().launches == 1);
}

TEST_CASE("an event orders the work of two queues", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue writer = device.make_queue();
  const FakeQueue reader = device.make_queue();
  auto a = device.allocate<std::uint64_t>(1000);
  auto b = device.allocate<std::uint64_t>(1000);
  const FakeEvent written;
  const FakeEvent was_read;
  writer.fill_bytes(bytes_of(a.span()), 0);
  for (std::uint64_t turn = 1; turn <= 50; ++turn) {
    writer.wait_for(was_read);
    writer.submit(
        "test.count",
        [](std::span<std::uint64_t> x) {
          for (auto& word : x) ++word;
        },
        a.span());
    writer.record(written);
    reader.wait_for(written);
    reader.copy_within(ConstWords(a.span()), b.span());
    reader.record(was_read);
  }
  was_read.wait();
  CHECK(read(reader, b.span()) == std::vector<std::uint64_t>(1000, 50));
  writer.wait();
}

TEST_CASE("an event that was never recorded has happened, and has no time", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  const FakeEvent never;
  const FakeEvent now;
  never.wait();
  queue.wait_for(never);
  queue.record(now);
  queue.wait();
  CHECK_THROWS_AS(now.milliseconds_since(never), DeviceError);
  CHECK_THROWS_AS(never.milliseconds_since(now), DeviceError);
  CHECK(now.milliseconds_since(now) == 0);
}

TEST_CASE("who waits for an event waits for its latest record before the call", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  const FakeQueue waiting = device.make_queue();
  const FakeEvent event;
  const FakeEvent passed;
  Gate gate;
  queue.record(event);
  waiting.wait_for(event);  // of the first record
  waiting.record(passed);
  queue.submit("test.block", [&] { gate.wait(); });
  queue.record(event);
  passed.wait();
  CHECK_FALSE(gate.is_open());
  CHECK_THROWS_WITH(event.milliseconds_since(passed), Catch::Contains("has not happened"));
  gate.open();
  event.wait();
  CHECK(event.milliseconds_since(passed) >= 0);
}

TEST_CASE("the end of a queue waits for its work, as does giving it another", "[backend][fake]") {
  const FakeDevice device;
  std::atomic<int> done{0};
  const auto slow = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++done;
  };
  {
    FakeQueue queue = device.make_queue();
    for (int i = 0; i < 10; ++i) queue.submit("test.slow", slow);
    queue = device.make_queue();
    CHECK(done == 10);
    for (int i = 0; i < 10; ++i) queue.submit("test.slow", slow);
  }
  CHECK(done == 20);
  CHECK(device.counters().queues == 0);
}

TEST_CASE("queues and events that were moved from are refused", "[backend][fake]") {
  const FakeDevice device;
  auto buffer = device.allocate<std::uint64_t>(1);
  std::uint64_t host = 0;
  FakeQueue queue = device.make_queue();
  std::atomic<int> done{0};
  queue.submit("test.count", [&] { ++done; });
  const FakeQueue moved = std::move(queue);
  FakeEvent event;
  const FakeEvent other = std::move(event);
  CHECK_THROWS_AS(queue.wait(), InvalidArgument);
  CHECK_THROWS_AS(queue.record(other), InvalidArgument);
  CHECK_THROWS_AS(queue.wait_for(other), InvalidArgument);
  CHECK_THROWS_AS(queue.fill_bytes(bytes_of(buffer.span()), 0), InvalidArgument);
  CHECK_THROWS_AS(queue.upload(std::span<const std::uint64_t>(&host, 1), buffer.span()),
                  InvalidArgument);
  CHECK_THROWS_AS(queue.submit("test.count", [&] { ++done; }), InvalidArgument);
  CHECK_THROWS_AS(moved.record(event), InvalidArgument);
  CHECK_THROWS_AS(moved.wait_for(event), InvalidArgument);
  CHECK_THROWS_AS(event.wait(), InvalidArgument);
  CHECK_THROWS_AS(other.milliseconds_since(event), InvalidArgument);
  moved.wait();
  CHECK(done == 1);
}

TEST_CASE("a queue outlives the value that made it", "[backend][fake]") {
  std::optional<FakeDevice> device{FakeDevice()};
  auto buffer = device->allocate<std::uint64_t>(1);
  const FakeQueue queue = device->make_queue();
  device.reset();
  queue.fill_bytes(bytes_of(buffer.span()), 0);
  CHECK(read(queue, buffer.span()) == std::vector<std::uint64_t>{0});
}

TEST_CASE("work that waits for its own queue fails instead of hanging", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  queue.submit("test.wait", [&] { queue.wait(); });
  CHECK_THROWS_AS(queue.wait(), InvalidArgument);
}

}  // namespace
