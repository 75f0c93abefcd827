// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/fake.hpp>

#include "backend/gate.hpp"

namespace {

using namespace zkgpu;
using test::Gate;

using Bytes = DeviceSpan<std::byte>;
using ConstBytes = DeviceSpan<const std::byte>;

static_assert(Backend<FakeDevice>);
static_assert(!std::is_copy_constructible_v<FakeBuffer<int>>);
static_assert(std::is_copy_constructible_v<FakeDevice>);
static_assert(std::is_same_v<FakeDevice::Span<int>, DeviceSpan<int>>);

FakeDevice device_of(std::size_t memory_bytes) {
  FakeDeviceOptions options;
  options.memory_bytes = memory_bytes;
  return FakeDevice(options);
}

TEST_CASE("memory of a fake device is aligned to 256 bytes and is not zero", "[backend][fake]") {
  const FakeDevice device;
  for (const std::size_t n : {1u, 255u, 256u, 257u, 4096u}) {
    auto buffer = device.allocate<std::byte>(n);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256 == 0);
    std::vector<std::byte> seen(n);
    device.make_queue().download(ConstBytes(buffer.span()), std::span<std::byte>(seen));
    CHECK(std::all_of(seen.begin(), seen.end(), [](std::byte b) { return b == std::byte{0xA5}; }));
  }
  const auto pinned = device.allocate_pinned<std::byte>(100);
  REQUIRE(pinned.span().size() == 100);
  CHECK(pinned.span()[99] == std::byte{0xA5});
}

TEST_CASE("a fake device is counted in steps of 256 bytes, to its limit and not beyond",
          "[backend][fake]") {
  const FakeDevice device = device_of(1024);
  CHECK(device.properties().memory_bytes == 1024);
  CHECK(device.free_bytes() == 1024);
  {
    auto a = device.allocate<std::byte>(1);
    auto b = device.allocate<std::byte>(257);
    CHECK(device.free_bytes() == 256);
    CHECK(device.counters().bytes_in_use == 768);
    CHECK_THROWS_AS(device.allocate<std::byte>(257), ResourceExhausted);
    CHECK_THROWS_WITH(device.allocate<std::uint64_t>(40),
                      "fake: device memory: 320 bytes wanted, 256 of 1024 free");
    auto c = device.allocate<std::byte>(256);
    CHECK(device.free_bytes() == 0);
    CHECK_THROWS_AS(device.allocate<std::byte>(1), ResourceExhausted);
    b = FakeBuffer<std::byte>();
    CHECK(device.free_bytes() == 512);
  }
  device.trim();
  CHECK(device.free_bytes() == 1024);
  CHECK(device.counters().peak_bytes == 1024);
  CHECK(device.counters().allocations == 3);
  CHECK(device.counters().misuses == 0);
}

TEST_CASE("memory that the host does not have is refused, and is not counted", "[backend][fake]") {
  const std::size_t all = static_cast<std::size_t>(-1);
  const FakeDevice device = device_of(all);
  CHECK_THROWS_AS(device.allocate<std::byte>(all / 4), ResourceExhausted);
  CHECK_THROWS_AS(device.allocate<std::byte>(all), ResourceExhausted);
  CHECK_THROWS_AS(device.allocate<std::uint64_t>(all / 8 + 1), ResourceExhausted);
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.free_bytes() == all);
}

TEST_CASE("no elements of a fake device are no memory", "[backend][fake]") {
  const FakeDevice device = device_of(256);
  const auto all = device.allocate<std::byte>(256);
  const auto none = device.allocate<std::byte>(0);
  CHECK(none.data() == nullptr);
  CHECK(device.allocate_pinned<int>(0).span().empty());
  CHECK(device.counters().allocations == 1);
}

TEST_CASE("pinned memory has a limit of its own", "[backend][fake]") {
  FakeDeviceOptions options;
  options.memory_bytes = 256;
  options.pinned_bytes = 512;
  const FakeDevice device(options);
  {
    const auto a = device.allocate_pinned<std::byte>(300);
    CHECK(device.free_bytes() == 256);
    CHECK_THROWS_AS(device.allocate_pinned<std::byte>(1), ResourceExhausted);
    CHECK(device.counters().pinned_bytes_in_use == 512);
  }
  CHECK(device.counters().pinned_bytes_in_use == 0);
  CHECK(device.counters().peak_pinned_bytes == 512);
  CHECK(device.allocate_pinned<std::byte>(512).span().size() == 512);
}

TEST_CASE("a buffer may outlive the value that made it", "[backend][fake]") {
  std::optional<FakeDevice> device{FakeDevice()};
  const FakeDevice same = *device;
  auto buffer = device->allocate<int>(10);
  device.reset();
  CHECK(same.counters().bytes_in_use == 256);
  buffer = FakeBuffer<int>();
  CHECK(same.counters().bytes_in_use == 0);
}

TEST_CASE("two fake devices do not share memory, counters or addresses", "[backend][fake]") {
  const FakeDevice one = device_of(256);
  const FakeDevice other = device_of(256);
  auto a = one.allocate<std::byte>(256);
  CHECK(other.free_bytes() == 256);
  const FakeQueue queue = other.make_queue();
  CHECK_THROWS_AS(queue.fill_bytes(a.span(), 0), DeviceError);
  queue.wait();
  CHECK(one.counters().queues == 0);
  CHECK(other.counters().queues == 1);
}

TEST_CASE("an address outside the memory of the device is refused", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(100);
  std::vector<std::byte> host(200);
  const Bytes not_there(host.data(), 100);
  const Bytes beyond(buffer.data() + 1, 100);  // the padding of an allocation is not its own
  const Bytes before(buffer.data() - 1, 100);
  auto other = device.allocate<std::byte>(100);
  const Bytes whole = other.span();
  const std::span<std::byte> room(host.data(), 100);
  for (const Bytes wrong : {not_there, beyond, before}) {
    CHECK_THROWS_AS(queue.upload(std::span<const std::byte>(room), wrong), DeviceError);
    CHECK_THROWS_AS(queue.download(ConstBytes(wrong), room), DeviceError);
    CHECK_THROWS_AS(queue.copy_within(ConstBytes(wrong), whole), DeviceError);
    CHECK_THROWS_AS(queue.copy_within(ConstBytes(whole), wrong), DeviceError);
    CHECK_THROWS_WITH(queue.fill_bytes(wrong, 0), Catch::Contains("illegal address: 100 bytes"));
    CHECK_THROWS_AS(queue.submit(
                        "test.touch", [](std::span<std::byte>) {}, wrong),
                    DeviceError);
  }
  CHECK_THROWS_AS(queue.fill_bytes(Bytes(nullptr, 1), 0), DeviceError);
  queue.fill_bytes(Bytes(buffer.data() + 1, 99), 1);  // refusals leave the queue as it was
  queue.wait();
  CHECK(device.counters().misuses == 0);
}

TEST_CASE("the host's side of a copy is the host's, and somewhere", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto a = device.allocate<std::byte>(64);
  auto b = device.allocate<std::byte>(64);
  const std::span<std::byte> on_device(b.data(), 64);
  CHECK_THROWS_AS(queue.upload(std::span<const std::byte>(on_device), a.span()), InvalidArgument);
  CHECK_THROWS_AS(queue.download(ConstBytes(a.span()), on_device), InvalidArgument);
  const std::span<std::byte> nowhere(static_cast<std::byte*>(nullptr), 64);
  CHECK_THROWS_AS(queue.upload(std::span<const std::byte>(nowhere), a.span()), InvalidArgument);
  CHECK_THROWS_AS(queue.download(ConstBytes(a.span()), nowhere), InvalidArgument);
  queue.wait();
}

TEST_CASE("a copy between memory that overlaps is refused", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(100);
  const auto part = [&](std::size_t at) { return buffer.span().subspan(at, 50); };
  CHECK_THROWS_AS(queue.copy_within(ConstBytes(part(0)), part(49)), InvalidArgument);
  CHECK_THROWS_AS(queue.copy_within(ConstBytes(part(49)), part(0)), InvalidArgument);
  CHECK_THROWS_AS(queue.copy_within(ConstBytes(part(7)), part(7)), InvalidArgument);
  CHECK_NOTHROW(queue.copy_within(ConstBytes(part(0)), part(50)));
  queue.wait();
}

TEST_CASE("memory freed before its work has run is noticed, and the work fails",
          "[backend][fake]") {
  const FakeDevice device;
  Gate gate;
  bool ran = false;
  {
    const FakeQueue queue = device.make_queue();
    auto kept = device.allocate<std::byte>(64);
    auto freed = device.allocate<std::byte>(64);
    queue.submit("test.block", [&] { gate.wait(); });
    SECTION("by a fill") { queue.fill_bytes(freed.span(), 1); }
    SECTION("by a copy within the device") {
      queue.copy_within(ConstBytes(kept.span()), freed.span());
    }
    SECTION("by work that names its memory") {
      queue.submit(
          "test.touch", [&](std::span<std::byte>) { ran = true; }, freed.span());
    }
    freed = FakeBuffer<std::byte>();
    CHECK(device.counters().misuses == 1);
    CHECK(device.counters().bytes_in_use == 256);
    gate.open();
    CHECK_THROWS_AS(queue.wait(), DeviceError);
    CHECK_THROWS_WITH(queue.wait(), Catch::Contains("illegal address"));
    CHECK_FALSE(ran);
  }
  CHECK(device.counters().bytes_in_use == 0);
  CHECK(device.counters().misuses == 1);
}

TEST_CASE("pinned memory freed before its copy has run is noticed", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  Gate gate;
  auto on_device = device.allocate<std::byte>(64);
  auto pinned = device.allocate_pinned<std::byte>(64);
  queue.submit("test.block", [&] { gate.wait(); });
  queue.upload(std::span<const std::byte>(pinned.span()), on_device.span());
  pinned = PinnedBuffer<std::byte>();
  gate.open();
  CHECK_THROWS_AS(queue.wait(), DeviceError);
  CHECK(device.counters().misuses == 1);
  CHECK(device.counters().pinned_bytes_in_use == 0);
}

TEST_CASE("memory freed after wait is no misuse", "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  for (int i = 0; i < 200; ++i) {
    auto buffer = device.allocate<std::byte>(64);
    queue.fill_bytes(buffer.span(), i);
    queue.wait();
  }
  CHECK(device.counters().misuses == 0);
}

TEST_CASE("wipe overwrites with zeros, and says if the memory was in use or nobody's",
          "[backend][fake]") {
  const FakeDevice device;
  const FakeQueue queue = device.make_queue();
  auto buffer = device.allocate<std::byte>(100);
  device.wipe(buffer.span().subspan(1, 99));
  std::vector<std::byte> seen(100);
  queue.download(ConstBytes(buffer.span()), std::span<std::byte>(seen));
  queue.wait();
  CHECK(seen[0] == std::byte{0xA5});
  CHECK(std::all_of(seen.begin() + 1, seen.end(), [](std::byte b) { return b == std::byte{0}; }));
  device.wipe(Bytes());
  CHECK(device.counters().misuses == 0);

  std::byte not_there{7};
  device.wipe(Bytes(&not_there, 1));
  CHECK(not_there == std::byte{7});
  CHECK(device.counters().misuses == 1);

  Gate gate;
  queue.submit(
      "test.hold", [&](std::span<std::byte>) { gate.wait(); }, buffer.span());
  device.wipe(buffer.span());
  CHECK(device.counters().misuses == 2);
  gate.open();
  queue.wait();
}

TEST_CASE("a wipe that fails says so and leaves the memory as it was", "[backend][fake][fault]") {
  const FakeDevice device;
  auto buffer = device.allocate<std::byte>(100);
  FakeFaults faults;
  faults.planned = {{FakeKind::wipe, 0, FakeEffect::fail_queue}};
  device.set_faults(faults);
  CHECK_THROWS_WITH(device.wipe(buffer.span()), "fake: wipe: injected fault");
  CHECK(device.counters().wiped_bytes == 0);
  device.wipe(buffer.span());
  CHECK(device.counters().wiped_bytes == 100);
}

TEST_CASE("options that no device has are refused", "[backend][fake]") {
  const auto refused = [](auto&& change) {
    FakeDeviceOptions options;
    change(options);
    CHECK_THROWS_AS(FakeDevice(options), InvalidArgument);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([](FakeDeviceOptions& o) { o.upload_bytes_per_second = -1; });
  refused([](FakeDeviceOptions& o) { o.download_bytes_per_second = -1; });
  refused([&](FakeDeviceOptions& o) { o.upload_bytes_per_second = nan; });
  refused([](FakeDeviceOptions& o) { o.pageable_rate = 0; });
  refused([](FakeDeviceOptions& o) { o.pageable_rate = 2; });
  refused([](FakeDeviceOptions& o) { o.launch_latency = std::chrono::nanoseconds(-1); });
  refused([](FakeDeviceOptions& o) { o.faults.probability = 1.5; });
  refused([&](FakeDeviceOptions& o) { o.faults.probability = nan; });
  FakeFaults faults;
  faults.probability = -0.1;
  CHECK_THROWS_AS(FakeDevice().set_faults(faults), InvalidArgument);
}

}  // namespace
