// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include <zkgpu/backend/fake.hpp>

// Never shorter than the rate allows; on a busy machine any one of them may be longer, so that of
// several tries the shortest is compared.
namespace {

using namespace zkgpu;

using Bytes = DeviceSpan<std::byte>;
using ConstBytes = DeviceSpan<const std::byte>;
using Clock = std::chrono::steady_clock;

constexpr int tries = 8;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Each run of f() takes at least `least` ms; the shortest of some less than `most`.
template <class Function>
void check_time(double least, double most, Function&& f) {
  double best = 1e9;
  for (int i = 0; i < tries && best >= most; ++i) {
    const auto start = Clock::now();
    f();
    const double taken = milliseconds_since(start);
    CHECK(taken >= least);
    if (taken < best) best = taken;
  }
  CHECK(best < most);
}

FakeDevice slow_device() {
  FakeDeviceOptions options;
  options.upload_bytes_per_second = 1e6;
  options.download_bytes_per_second = 2e6;
  return FakeDevice(options);
}

TEST_CASE("a copy takes its bytes by the rate of its direction", "[backend][fake]") {
  const FakeDevice device = slow_device();
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(50000);
  auto other = device.allocate<std::byte>(50000);
  std::vector<std::byte> host(50000);
  check_time(50, 75, [&] {
    queue.upload(std::span<const std::byte>(host), buffer.span());
    queue.wait();
  });
  check_time(25, 45, [&] {
    queue.download(ConstBytes(buffer.span()), std::span<std::byte>(host));
    queue.wait();
  });
  check_time(0, 20, [&] {
    queue.copy_within(ConstBytes(buffer.span()), other.span());
    queue.fill_bytes(buffer.span(), 1);
    queue.wait();
  });
}

TEST_CASE("many small copies keep the rate", "[backend][fake]") {
  const FakeDevice device = slow_device();
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(50000);
  const std::vector<std::byte> host(50000);
  check_time(50, 80, [&] {
    for (std::size_t at = 0; at < 50000; at += 100) {
      queue.upload(std::span<const std::byte>(host).subspan(at, 100),
                   buffer.span().subspan(at, 100));
    }
    queue.wait();
  });
}

TEST_CASE("uploads of two queues take turns", "[backend][fake]") {
  const FakeDevice device = slow_device();
  const FakeQueue one = device.make_queue();
  const FakeQueue other = device.make_queue();
  auto buffer = device.allocate<std::byte>(60000);
  const std::vector<std::byte> host(60000);
  const std::span<const std::byte> from(host);
  check_time(60, 85, [&] {
    one.upload(from.first(30000), buffer.span().first(30000));
    other.upload(from.first(30000), buffer.span().subspan(30000, 30000));
    one.wait();
    other.wait();
  });
}

TEST_CASE("an upload and a download go at the same time", "[backend][fake]") {
  const FakeDevice device = slow_device();
  const FakeQueue up = device.make_queue();
  const FakeQueue down = device.make_queue();
  auto a = device.allocate<std::byte>(40000);
  auto b = device.allocate<std::byte>(80000);
  const std::vector<std::byte> from(40000);
  std::vector<std::byte> to(80000);
  check_time(40, 70, [&] {  // one after the other: 80
    up.upload(std::span<const std::byte>(from), a.span());
    down.download(ConstBytes(b.span()), std::span<std::byte>(to));
    up.wait();
    down.wait();
  });
}

TEST_CASE("two devices have a bus each", "[backend][fake]") {
  const FakeDevice one = slow_device();
  const FakeDevice other = slow_device();
  const FakeQueue of_one = one.make_queue();
  const FakeQueue of_other = other.make_queue();
  auto a = one.allocate<std::byte>(40000);
  auto b = other.allocate<std::byte>(40000);
  const std::vector<std::byte> host(40000);
  check_time(40, 70, [&] {
    of_one.upload(std::span<const std::byte>(host), a.span());
    of_other.upload(std::span<const std::byte>(host), b.span());
    of_one.wait();
    of_other.wait();
  });
}

TEST_CASE("pageable memory is copied at its part of the rate, pinned memory at all of it",
          "[backend][fake]") {
  FakeDeviceOptions options;
  options.upload_bytes_per_second = 1e6;
  options.pageable_rate = 0.25;
  const FakeDevice device(options);
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(20000);
  const auto pinned = device.allocate_pinned<std::byte>(20000);
  const std::vector<std::byte> pageable(20000);
  check_time(20, 45, [&] {
    queue.upload(std::span<const std::byte>(pinned.span()), buffer.span());
    queue.wait();
  });
  CHECK(device.counters().pageable_bytes == 0);
  check_time(80, 120, [&] {
    queue.upload(std::span<const std::byte>(pageable), buffer.span());
    queue.wait();
  });
  CHECK(device.counters().pageable_bytes >= 20000);
}

TEST_CASE("a launch takes its latency, and events tell the time between them", "[backend][fake]") {
  FakeDeviceOptions options;
  options.launch_latency = std::chrono::milliseconds(10);
  const FakeDevice device(options);
  const FakeQueue queue = device.make_queue();
  const FakeEvent before;
  const FakeEvent after;
  check_time(30, 60, [&] {
    queue.record(before);
    for (int i = 0; i < 3; ++i) queue.submit("test.nothing", [] {});
    queue.record(after);
    queue.wait();
    CHECK(after.milliseconds_since(before) >= 30);
  });
}

}  // namespace
