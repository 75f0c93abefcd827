// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>

#include "perf/sanitized.hpp"

// A worker's stack is looked at from another thread, after the frames that were there: what a
// sanitizer forbids, and what P9 is about.
namespace {

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT
using zkgpu::test::sanitized;

constexpr std::size_t secret_bytes = 2048;
constexpr unsigned char secret_byte = 0x5e;

[[gnu::noinline]] const volatile unsigned char* leave_on_stack() {
  volatile unsigned char secret[secret_bytes];
  for (auto& byte : secret) byte = secret_byte;
  const volatile unsigned char* where = secret;
  asm volatile("" : "+r"(where));  // the compiler must not know that it leads nowhere
  return where;
}

std::size_t bytes_left(const volatile unsigned char* where) {
  return static_cast<std::size_t>(std::count(where, where + secret_bytes, secret_byte));
}

}  // namespace

TEMPLATE_TEST_CASE("workers that leave the pool leave nothing of their tasks on their stacks",
                   "[pipeline][law]", shared_pool, split_pools, sized_pools, per_cache_pools,
                   per_numa_pools) {
  TestType pool(PipelineLimits{.threads = 2});
  if (sanitized || pool.width(PoolRole::device) < 2) {
    WARN("under a sanitizer, or no second thread: stacks are not looked at");
    return;
  }
  const auto caller = std::this_thread::get_id();
  std::atomic<int> started = 0;
  std::atomic<const volatile unsigned char*> on_worker = nullptr;
  std::atomic<std::size_t> left_by_task = 0;
  for (int task = 0; task < 2; ++task) {
    pool.submit(PoolRole::device, [&] {
      ++started;
      while (started < 2) std::this_thread::yield();  // so they are two threads
      const volatile unsigned char* const where = leave_on_stack();
      if (std::this_thread::get_id() == caller) return;
      left_by_task = bytes_left(where);
      on_worker = where;
    });
  }
  pool.drain();
  const volatile unsigned char* const where = on_worker;
  REQUIRE(where != nullptr);
  CHECK(left_by_task > secret_bytes / 4);  // else the test could not fail
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (bytes_left(where) > secret_bytes / 16 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(bytes_left(where) <= secret_bytes / 16);
}
