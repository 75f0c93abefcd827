// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/core/error.hpp>

#include "backends.hpp"

// What every type that claims to be a Backend must obey.
namespace {

using namespace zkgpu;
using test::HostBackends;

struct NoDevice {};
static_assert(!Backend<NoDevice>);

template <class B>
using Words = typename B::template Span<const std::uint64_t>;

std::vector<std::uint64_t> counting(std::size_t n, std::uint64_t first) {
  std::vector<std::uint64_t> words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = first + i;
  return words;
}

std::span<const std::uint64_t> read_only(const std::vector<std::uint64_t>& words) { return words; }

TEMPLATE_LIST_TEST_CASE("what is uploaded comes back, of any size", "[backend][law]",
                        HostBackends) {
  static_assert(Backend<TestType>);
  static_assert(!std::string_view(TestType::name).empty());
  TestType device;
  auto queue = device.make_queue();
  for (const std::size_t n : {0u, 1u, 2u, 31u, 32u, 33u, 1023u, 1024u, 1025u}) {
    CAPTURE(n);
    const auto words = counting(n, 7);
    std::vector<std::uint64_t> back(n);
    auto buffer = device.template allocate<std::uint64_t>(n);
    REQUIRE(buffer.size() == n);
    REQUIRE(buffer.span().size() == n);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    queue.upload(read_only(words), buffer.span());
    queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(back));
    queue.wait();
    CHECK(back == words);
  }
}

TEMPLATE_LIST_TEST_CASE("a queue works in the order enqueued", "[backend][law]", HostBackends) {
  TestType device;
  auto queue = device.make_queue();
  const auto first = counting(100, 1);
  const auto second = counting(100, 1000);
  std::vector<std::uint64_t> between(100);
  std::vector<std::uint64_t> after(100);
  auto buffer = device.template allocate<std::uint64_t>(100);
  queue.upload(read_only(first), buffer.span());
  queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(between));
  queue.upload(read_only(second), buffer.span());
  queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(after));
  queue.wait();
  CHECK(between == first);
  CHECK(after == second);
}

TEMPLATE_LIST_TEST_CASE("a copy between unequal sizes is refused and harms nothing",
                        "[backend][law]", HostBackends) {
  TestType device;
  auto queue = device.make_queue();
  auto buffer = device.template allocate<std::uint64_t>(8);
  std::vector<std::uint64_t> seven(7);
  const auto eight = counting(8, 3);
  std::vector<std::uint64_t> back(8);
  CHECK_THROWS_AS(queue.upload(read_only(seven), buffer.span()), InvalidArgument);
  CHECK_THROWS_AS(queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(seven)),
                  InvalidArgument);
  queue.upload(read_only(eight), buffer.span());
  queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(back));
  queue.wait();
  CHECK(back == eight);
}

TEMPLATE_LIST_TEST_CASE("waiting for nothing is no error, and may be done again", "[backend][law]",
                        HostBackends) {
  TestType device;
  auto queue = device.make_queue();
  CHECK_NOTHROW(queue.wait());
  CHECK_NOTHROW(queue.wait());
}

TEMPLATE_LIST_TEST_CASE("a copy of a device is the same device", "[backend][law]", HostBackends) {
  TestType device;
  TestType copy = device;
  CHECK(copy.properties() == device.properties());
  CHECK(device.properties().compute_units >= 1);
  auto buffer = device.template allocate<std::uint64_t>(4);
  auto queue = copy.make_queue();
  const auto words = counting(4, 5);
  std::vector<std::uint64_t> back(4);
  queue.upload(read_only(words), buffer.span());
  queue.download(Words<TestType>(buffer.span()), std::span<std::uint64_t>(back));
  queue.wait();
  CHECK(back == words);
}

TEMPLATE_LIST_TEST_CASE("buffers move, and what they leave is empty", "[backend][law]",
                        HostBackends) {
  using Buffer = typename TestType::template Buffer<std::uint64_t>;
  static_assert(!std::is_copy_constructible_v<Buffer> && std::is_nothrow_move_assignable_v<Buffer>);
  TestType device;
  auto a = device.template allocate<std::uint64_t>(5);
  auto* const memory = a.data();
  Buffer b = std::move(a);
  CHECK(a.size() == 0);
  CHECK(a.data() == nullptr);
  CHECK(b.size() == 5);
  CHECK(b.data() == memory);
  Buffer c = device.template allocate<std::uint64_t>(9);
  c = std::move(b);
  CHECK(b.size() == 0);
  CHECK(c.size() == 5);
  CHECK(c.data() == memory);
}

TEMPLATE_LIST_TEST_CASE("an array beyond the address space is refused", "[backend][law]",
                        HostBackends) {
  TestType device;
  const std::size_t all = static_cast<std::size_t>(-1);
  for (const std::size_t n : {all, all / 2, all / 8 + 1}) {
    CAPTURE(n);
    CHECK_THROWS_AS(device.template allocate<std::uint64_t>(n), ResourceExhausted);
  }
  CHECK(device.template allocate<std::uint64_t>(1).size() == 1);
}

}  // namespace
