// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/pinned.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>

/// What backends with memory of their own, several queues and events must obey besides the laws of
/// a Backend. The same functions run over a GPU, so that a device that is not there is like one.
namespace zkgpu::test {

template <class B>
concept Device = Backend<B> && std::is_same_v<typename B::template Span<int>, DeviceSpan<int>> &&
    requires(const B& device, const typename B::Queue& queue, const typename B::Event& event) {
  device.free_bytes();
  device.trim();
  device.template allocate_pinned<int>(std::size_t{});
  queue.record(event);
  queue.wait_for(event);
  event.wait();
  event.milliseconds_since(event);
};

using Word = std::uint64_t;
using Words = DeviceSpan<Word>;
using ConstWords = DeviceSpan<const Word>;

inline DeviceSpan<std::byte> bytes_of(Words words) {
  return {reinterpret_cast<std::byte*>(words.data()), words.size_bytes()};
}
inline std::vector<Word> counting(std::size_t n, Word first) {
  std::vector<Word> words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = first + i;
  return words;
}
inline std::span<const Word> constant(const std::vector<Word>& words) { return words; }

template <Device B>
std::vector<Word> read(const typename B::Queue& queue, ConstWords words) {
  std::vector<Word> seen(words.size());
  queue.download(words, std::span<Word>(seen));
  queue.wait();
  return seen;
}

template <Device B>
void copies_go_where_they_should(const B& device) {
  const auto queue = device.make_queue();
  for (const std::size_t n : {1u, 2u, 31u, 32u, 33u, 4095u, 4096u, 4097u}) {
    CAPTURE(n);
    const auto words = counting(n, 3);
    auto a = device.template allocate<Word>(n);
    auto b = device.template allocate<Word>(n + 2);
    CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 256 == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % 256 == 0);
    queue.fill_bytes(bytes_of(b.span()), 0x11);
    queue.upload(constant(words), a.span());
    queue.copy_within(ConstWords(a.span()), b.span().subspan(1, n));
    auto expected = words;
    expected.insert(expected.begin(), Word{0x1111111111111111});
    expected.push_back(Word{0x1111111111111111});
    CHECK(read<B>(queue, b.span()) == expected);
  }
}

template <Device B>
void copies_are_checked(const B& device) {
  const auto queue = device.make_queue();
  auto a = device.template allocate<Word>(8);
  auto b = device.template allocate<Word>(9);
  std::vector<Word> host(7, 5);
  CHECK_THROWS_AS(queue.upload(constant(host), a.span()), InvalidArgument);
  CHECK_THROWS_AS(queue.download(ConstWords(a.span()), std::span<Word>(host)), InvalidArgument);
  CHECK_THROWS_AS(queue.copy_within(ConstWords(a.span()), b.span()), InvalidArgument);
  CHECK_THROWS_AS(queue.copy_within(ConstWords(), a.span()), InvalidArgument);
  const Words nowhere(nullptr, 7);
  CHECK_THROWS_AS(queue.upload(constant(host), nowhere), InvalidArgument);
  CHECK_THROWS_AS(queue.download(ConstWords(nowhere), std::span<Word>(host)), InvalidArgument);
  queue.upload(std::span<const Word>(), Words());
  queue.download(ConstWords(), std::span<Word>());
  queue.copy_within(ConstWords(), Words());
  queue.fill_bytes(DeviceSpan<std::byte>(), 1);
  queue.upload(constant(host), a.span().first(7));  // refusals leave the queue as it was
  CHECK(read<B>(queue, a.span().first(7)) == host);
}

template <Device B>
void pinned_memory_is_the_hosts(const B& device) {
  const auto queue = device.make_queue();
  CHECK(device.template allocate_pinned<Word>(0).span().empty());
  const auto from = device.template allocate_pinned<Word>(1000);
  const auto to = device.template allocate_pinned<Word>(1000);
  auto buffer = device.template allocate<Word>(1000);
  const auto words = counting(1000, 9);
  std::copy(words.begin(), words.end(), from.span().begin());
  queue.upload(std::span<const Word>(from.span()), buffer.span());
  queue.download(ConstWords(buffer.span()), to.span());
  queue.wait();
  CHECK(std::equal(words.begin(), words.end(), to.span().begin()));
}

template <Device B>
void host_memory_is_pinned_in_place(const B& device) {
  const auto queue = device.make_queue();
  constexpr std::size_t n = 5000;  // some ten pages, and a part at each end
  const auto words = counting(n, 11);
  auto buffer = device.template allocate<Word>(n);
  const auto all = std::as_bytes(constant(words));
  const auto upload = [&](const PinnedPages& pages) {
    const auto at = static_cast<std::size_t>(pages.span().data() - all.data());
    queue.fill_bytes(bytes_of(buffer.span()), 0);
    queue.upload(pages.span(), bytes_of(buffer.span()).subspan(at, pages.span().size()));
    auto expected = std::vector<Word>(n, 0);
    std::copy_n(pages.span().data(), pages.span().size(),
                std::as_writable_bytes(std::span(expected)).data() + at);
    CHECK(read<B>(queue, buffer.span()) == expected);
  };
  for (int i = 0; i < 2; ++i) {
    PinnedPages first = device.register_host(all);
    CHECK(first.span().size() % 4096 == 0);
    CHECK(first.span().size() + 2 * 4096 > all.size());
    upload(first);
    const PinnedPages second = device.register_host(all);  // the same, for another user
    CHECK(second.span().data() == first.span().data());
    first = PinnedPages();
    upload(second);
  }
  CHECK(device.register_host(all.first(4000)).span().empty());
  CHECK(device.register_host({}).span().empty());
  const auto pinned = device.template allocate_pinned<std::byte>(3 * 4096);
  CHECK(device.register_host(pinned.span()).span().size() >= 2 * 4096);
  upload(device.register_host(all));
}

template <Device B>
void memory_is_counted(const B& device) {
  const B same = device;
  const std::size_t before = device.free_bytes();
  {
    auto buffer = device.template allocate<std::byte>(100000);
    CHECK(same.free_bytes() <= before - 100000);
    auto moved = std::move(buffer);
    CHECK(buffer.data() == nullptr);
    CHECK(device.free_bytes() <= before - 100000);
  }
  device.trim();
  CHECK(same.free_bytes() == before);
  CHECK_THROWS_AS(device.template allocate<std::byte>(device.properties().memory_bytes + 1),
                  ResourceExhausted);
  const std::size_t all = static_cast<std::size_t>(-1);
  CHECK_THROWS_AS(device.template allocate<Word>(all), ResourceExhausted);
  CHECK_THROWS_AS(device.template allocate<Word>(all / 8 + 1), ResourceExhausted);
  CHECK(device.template allocate<Word>(0).data() == nullptr);
  CHECK(device.template allocate<Word>(1).size() == 1);
}

template <Device B>
void events_order_queues(const B& device) {
  const auto writer = device.make_queue();
  const auto reader = device.make_queue();
  constexpr std::size_t n = 20000;
  auto a = device.template allocate<Word>(n);
  auto b = device.template allocate<Word>(n);
  std::vector<std::vector<Word>> seen(30, std::vector<Word>(n));
  const typename B::Event written;
  const typename B::Event was_read;
  for (std::size_t turn = 0; turn < seen.size(); ++turn) {
    writer.wait_for(was_read);
    writer.fill_bytes(bytes_of(a.span()), static_cast<int>(turn + 1));
    writer.record(written);
    reader.wait_for(written);
    reader.copy_within(ConstWords(a.span()), b.span());
    reader.record(was_read);
    reader.download(ConstWords(b.span()), std::span<Word>(seen[turn]));
  }
  reader.wait();
  writer.wait();
  for (std::size_t turn = 0; turn < seen.size(); ++turn) {
    CAPTURE(turn);
    CHECK(seen[turn] == std::vector<Word>(n, 0x0101010101010101 * (turn + 1)));
  }
}

template <Device B>
void events_tell_time(const B& device) {
  const auto queue = device.make_queue();
  auto buffer = device.template allocate<Word>(1000);
  const typename B::Event never;
  const typename B::Event first;
  const typename B::Event last;
  never.wait();
  queue.wait_for(never);
  queue.record(first);
  queue.fill_bytes(bytes_of(buffer.span()), 1);
  queue.record(last);
  last.wait();
  CHECK(last.milliseconds_since(first) >= 0);
  CHECK(first.milliseconds_since(first) == 0);
  CHECK_THROWS_AS(last.milliseconds_since(never), DeviceError);
  CHECK_THROWS_AS(never.milliseconds_since(last), DeviceError);
  queue.record(first);  // again: it stands for the later point now
  queue.wait();
  CHECK(first.milliseconds_since(last) >= 0);
}

}  // namespace zkgpu::test
