// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <set>

#include "fault_env.hpp"

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/env.hpp>

using namespace zkgpu;
using zkgpu::test::Fault;
using zkgpu::test::FaultEnv;

namespace {

/// The next release of this block is looked at.
const void* watched = nullptr;
std::size_t watched_bytes = 0;
std::size_t nonzero_bytes_at_release = 0;

template <class Call>
ErrorKind kind_of(const Call& call) {
  try {
    call();
    return ErrorKind{0};
  } catch (const Error& error) {
    return error.kind();
  }
}

}  // namespace

// Out of line: the compiler must not see that this pair is built on another one. Both forms of new:
// a sanitizer's form without exceptions is not built on the other, and belongs to its own delete.
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  const auto unit = static_cast<std::size_t>(alignment);
  if (n > SIZE_MAX / 2) return nullptr;  // more than any system has, and the rounding would wrap
  return std::aligned_alloc(unit, (n + unit - 1) / unit * unit);
}
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t alignment) {
  void* memory = operator new(n, alignment, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  if (memory == watched && memory != nullptr) {
    const auto* bytes = static_cast<const unsigned char*>(memory);
    nonzero_bytes_at_release =
        watched_bytes - static_cast<std::size_t>(std::count(bytes, bytes + watched_bytes, 0));
    watched = nullptr;
  }
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t,
                                       std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

TEST_CASE("random bytes fill the whole span, and do not repeat", "[core]") {
  RealEnv env;
  std::set<std::array<std::byte, 16>> seen;
  for (int i = 0; i < 100; ++i) {
    std::array<std::byte, 16> bytes{};
    fill_random(env, std::span<std::byte>(bytes));
    CHECK(seen.insert(bytes).second);
  }
  fill_random(env, std::span<std::byte>{});
}

TEST_CASE("short and interrupted random calls are continued, failing ones are an error",
          "[core][fault]") {
  std::array<std::byte, 64> bytes{};
  for (const Fault fault : {Fault::shorten, Fault::interrupt}) {
    FaultEnv env(fault, 0);
    bytes.fill(std::byte{0});
    fill_random(env, std::span<std::byte>(bytes));
    CHECK(env.struck());
    CHECK(env.calls() == 2);
    CHECK(std::set<std::byte>(bytes.begin() + 32, bytes.end()).size() > 1);
  }
  for (const Fault fault : {Fault::fail, Fault::end}) {
    FaultEnv env(fault, 0);
    CHECK(kind_of([&] { fill_random(env, std::span<std::byte>(bytes)); }) == ErrorKind::io);
  }
}

TEST_CASE("secure_wipe leaves zeros", "[core]") {
  std::array<std::uint64_t, 5> secret = {1, 2, 3, 4, 5};
  secure_wipe(secret);
  for (const std::uint64_t word : secret) CHECK(word == 0);
  secure_wipe(nullptr, 0);
}

TEST_CASE("memory of a SecretArray is wiped before it is given back", "[core]") {
  SecretArray<std::uint64_t> secret(1000, 0x5ec2e7);
  CHECK(reinterpret_cast<std::uintptr_t>(secret.data()) % 64 == 0);
  watched_bytes = 1000 * sizeof(std::uint64_t);
  watched = secret.data();
  nonzero_bytes_at_release = watched_bytes;
  secret.push_back(1);  // moves to a larger block
  CHECK(watched == nullptr);
  CHECK(nonzero_bytes_at_release == 0);

  Array<std::uint64_t> open(1000, 0x5ec2e7);  // the watch can see: this one is not wiped
  watched = open.data();
  open = {};
  open.shrink_to_fit();
  CHECK(watched == nullptr);
  CHECK(nonzero_bytes_at_release != 0);
}

TEST_CASE("an array of a size from outside that cannot be had is an error, not a crash",
          "[core][fault]") {
  RealEnv env;
  CHECK(kind_of([&] { allocate_array<std::uint64_t>(env, ~std::size_t{0} / 8); }) ==
        ErrorKind::resource_exhausted);
  CHECK(kind_of([&] { allocate_array<std::uint64_t>(env, ~std::size_t{0}); }) ==
        ErrorKind::resource_exhausted);
  FaultEnv faulty(Fault::fail, 1);
  CHECK(allocate_array<std::uint64_t>(faulty, 10).size() == 10);
  CHECK(kind_of([&] { allocate_array<std::uint64_t>(faulty, 10); }) ==
        ErrorKind::resource_exhausted);
  CHECK(allocate_array<std::uint64_t>(faulty, 10).size() == 10);
}

TEST_CASE("the steady clock never goes back", "[core]") {
  RealEnv env;
  SteadyTime last = env.now();
  for (int i = 0; i < 1000; ++i) {
    const SteadyTime now = env.now();
    CHECK(now >= last);
    last = now;
  }
}

TEST_CASE("system calls report their error number", "[core]") {
  RealEnv env;
  const SystemResult missing = env.open_read("/nonexistent/zkgpu");
  CHECK(missing.failed());
  CHECK(missing.error == ENOENT);
  CHECK(system_message(ENOENT) == "No such file or directory");
}
