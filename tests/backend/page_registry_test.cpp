// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/backend/page_registry.hpp>

using namespace zkgpu;  // NOLINT

namespace {

using Pages = PageRegistry::Pages;
constexpr std::size_t page = PageRegistry::page_bytes;

/// Memory that begins with a page.
class Memory {
 public:
  explicit Memory(std::size_t pages) : bytes_((pages + 1) * page) {}
  [[nodiscard]] Pages span() const {
    return PageRegistry::whole_pages(bytes_).first(bytes_.size() / page * page - page);
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Counts what it is asked.
struct Driver {
  std::atomic<int> pinned = 0, pins = 0;
  std::shared_ptr<const void> lease(PageRegistry& registry, Pages pages) {
    return registry.lease(
        pages,
        [this](Pages) {
          ++pins;
          ++pinned;
          return true;
        },
        [this](Pages) { --pinned; });
  }
};

}  // namespace

TEST_CASE("whole pages lie inside of the memory, and neighbours share none", "[backend]") {
  const Memory memory(4);
  const Pages all = memory.span();
  REQUIRE(reinterpret_cast<std::uintptr_t>(all.data()) % page == 0);
  CHECK(PageRegistry::whole_pages(all.first(page)).size() == page);
  CHECK(PageRegistry::whole_pages(all.first(page - 1)).empty());
  CHECK(PageRegistry::whole_pages(all.subspan(1, 2 * page - 2)).empty());
  CHECK(PageRegistry::whole_pages(Pages()).empty());
  const Pages inner = PageRegistry::whole_pages(all.subspan(1, 3 * page));
  CHECK(inner.data() == all.data() + page);
  CHECK(inner.size() == 2 * page);
  for (std::size_t cut = 0; cut <= all.size(); cut += 100) {
    const Pages before = PageRegistry::whole_pages(all.first(cut));
    const Pages behind = PageRegistry::whole_pages(all.subspan(cut));
    CHECK(before.size() + behind.size() + page >= all.size());
    if (!before.empty() && !behind.empty()) {
      CHECK(before.data() + before.size() <= behind.data());
    }
  }
}

TEST_CASE("pages are pinned for the first user and let go after the last", "[backend]") {
  const Memory memory(8);
  const Pages all = memory.span();
  PageRegistry registry;
  Driver driver;
  auto first = driver.lease(registry, all);
  auto second = driver.lease(registry, all.subspan(page, 2 * page));
  CHECK(driver.pins == 1);
  first.reset();
  CHECK(driver.pinned == 1);
  auto copy = second;
  second.reset();
  CHECK(driver.pinned == 1);
  copy.reset();
  CHECK(driver.pinned == 0);
  first = driver.lease(registry, all.first(page));
  second = driver.lease(registry, all.subspan(page));
  CHECK(driver.pins == 3);
  CHECK(driver.pinned == 2);
}

TEST_CASE("pages that cannot be pinned, or are pinned already, leave nothing behind",
          "[backend][fault]") {
  const Memory memory(2);
  PageRegistry registry;
  Driver driver;
  const auto unpin = [&](Pages) { --driver.pinned; };
  CHECK_THROWS_AS(registry.lease(
                      memory.span(), [](Pages) -> bool { throw std::runtime_error("no"); }, unpin),
                  std::runtime_error);
  registry.lease(
      memory.span(), [](Pages) { return false; }, unpin);
  CHECK(driver.pinned == 0);
  const auto lease = driver.lease(registry, memory.span());
  CHECK(driver.pinned == 1);
}

TEST_CASE("users of pages that overlap in part wait for each other", "[backend][thread]") {
  const Memory memory(6);
  PageRegistry registry;
  Driver driver;
  const auto work = [&](std::size_t first, std::size_t pages) {
    for (int i = 0; i < 300; ++i) {
      const auto lease = driver.lease(registry, memory.span().subspan(first * page, pages * page));
      if (driver.pinned != 1) throw std::logic_error("pages pinned twice");
    }
  };
  std::atomic<bool> good = true;
  const auto guarded = [&](std::size_t first, std::size_t pages) {
    try {
      work(first, pages);
    } catch (const std::logic_error&) {
      good = false;
    }
  };
  std::thread a(guarded, 0, 4);
  std::thread b(guarded, 2, 4);
  guarded(1, 4);
  a.join();
  b.join();
  CHECK(good);
  CHECK(driver.pinned == 0);
}

TEST_CASE("a fake device counts registered pages against what may be pinned", "[backend][fake]") {
  const Memory memory(4);
  FakeDeviceOptions options;
  options.pinned_bytes = 4 * page;
  const FakeDevice device(options);
  {
    const PinnedPages some = device.register_host(memory.span().subspan(10, 3 * page));
    CHECK(some.span().size() == 2 * page);
    CHECK(device.counters().registered_bytes == 2 * page);
    CHECK(device.counters().pinned_bytes_in_use == 2 * page);
    CHECK_THROWS_AS(device.allocate_pinned<std::byte>(3 * page), ResourceExhausted);
    PinnedPages again = device.register_host(memory.span().subspan(page, page));
    CHECK(device.counters().registered_bytes == 2 * page);
    const PinnedPages moved = std::move(again);
    CHECK(again.span().empty());  // NOLINT: what is left of it is defined
    CHECK(moved.span().size() == page);
  }
  CHECK(device.counters().registered_bytes == 0);
  const auto pinned = device.allocate_pinned<std::byte>(3 * page);
  CHECK_THROWS_AS(device.register_host(memory.span()), ResourceExhausted);
  const std::uint64_t before = device.counters().registrations;
  CHECK_FALSE(device.register_host(PageRegistry::whole_pages(pinned.span())).span().empty());
  CHECK(device.counters().registrations == before);  // it is pinned
  FakeFaults faults;
  faults.planned = {{FakeKind::register_host, 0, FakeEffect::fail_call}};
  device.set_faults(faults);
  CHECK_THROWS_AS(device.register_host(memory.span().first(page)), DeviceError);
  CHECK(device.counters().registered_bytes == 0);
}

TEST_CASE("pages that are let go while a copy reads them are a misuse of a fake device",
          "[backend][fake]") {
  const Memory memory(2);
  FakeDeviceOptions options;
  options.upload_bytes_per_second = 1e5;
  const FakeDevice device(options);
  auto buffer = device.allocate<std::byte>(2 * page);
  const auto queue = device.make_queue();
  {
    const PinnedPages pinned = device.register_host(memory.span());
    queue.upload(pinned.span(), buffer.span());
  }
  CHECK_THROWS_AS(queue.wait(), DeviceError);
  CHECK(device.counters().misuses == 1);
  CHECK(device.counters().pageable_bytes == 0);
}
