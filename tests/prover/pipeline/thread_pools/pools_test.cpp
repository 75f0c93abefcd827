// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The laws of the thread policies, and what each says about its threads.
#include <catch2/catch.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/thread_pools/inline_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_cache_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/per_numa_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/shared_pool.hpp>
#include <zkgpu/prover/pipeline/thread_pools/sized_pools.hpp>
#include <zkgpu/prover/pipeline/thread_pools/split_pools.hpp>

#include "../../../../src/pipeline/arena_set.hpp"  // NOLINT: private to the library

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

namespace {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Shapes = std::vector<ArenaShape>;

constexpr PoolRole roles[] = {PoolRole::synthesis, PoolRole::device, PoolRole::finish};

/// Restores what the calling thread may run on.
struct AffinityGuard {
  AffinityGuard() : before(CpuMask::of_this_thread()) {}
  AffinityGuard(const AffinityGuard&) = delete;
  AffinityGuard& operator=(const AffinityGuard&) = delete;
  ~AffinityGuard() { before.bind_this_thread(); }
  CpuMask before;
};

/// The CPUs that tasks of a pool, and the loops inside them, saw themselves bound to.
class SeenCpus {
 public:
  void note() {
    const CpuGroup cpus = CpuMask::of_this_thread().cpus();
    const std::scoped_lock lock(mutex_);
    seen_.insert(cpus);
  }
  std::set<CpuGroup> all() {
    const std::scoped_lock lock(mutex_);
    return seen_;
  }

 private:
  std::mutex mutex_;
  std::set<CpuGroup> seen_;
};

template <ThreadPools Pools>
std::set<CpuGroup> cpus_seen_in(Pools& pools) {
  SeenCpus seen;
  for (int i = 0; i < 20; ++i) {
    pools.submit(roles[i % 3], [&] {
      seen.note();
      oneapi::tbb::parallel_for(0, 50, [&](int) { seen.note(); });
    });
  }
  pools.drain();
  return seen.all();
}

}  // namespace

static_assert(ThreadPools<inline_pool> && ThreadPools<shared_pool> && ThreadPools<split_pools> &&
              ThreadPools<sized_pools> && ThreadPools<per_cache_pools> &&
              ThreadPools<per_numa_pools>);

#define EVERY_POOL \
  inline_pool, shared_pool, split_pools, sized_pools, per_cache_pools, per_numa_pools

TEMPLATE_TEST_CASE("a pool runs every task once, also tasks of tasks", "[pipeline][law]",
                   EVERY_POOL) {
  for (const std::size_t threads : {0U, 1U, 2U, 3U}) {
    TestType pool(PipelineLimits{.threads = threads, .device_threads = 3 - threads});
    for (const PoolRole role : roles) CHECK(pool.width(role) >= 1);
    std::vector<std::atomic<int>> ran(300);
    for (std::size_t i = 0; i < 100; ++i) {
      pool.submit(roles[i % 3], [&, i] {
        ++ran[i];
        pool.submit(roles[(i + 1) % 3], [&, i] {
          ++ran[100 + i];
          pool.submit(roles[(i + 2) % 3], [&, i] { ++ran[200 + i]; });
        });
      });
    }
    pool.drain();
    for (const auto& count : ran) CHECK(count == 1);
    pool.drain();  // nothing left to do
  }
}

TEMPLATE_TEST_CASE("a pool rethrows the first failure when all tasks have ended, and goes on",
                   "[pipeline][fault]", EVERY_POOL) {
  TestType pool(PipelineLimits{.threads = 2});
  std::atomic<int> ran = 0;
  for (int i = 0; i < 20; ++i) {
    pool.submit(roles[i % 3], [&, i] {
      ++ran;
      if (i % 7 == 3) throw Failure("task");
    });
  }
  CHECK_THROWS_AS(pool.drain(), Failure);
  CHECK(ran == 20);
  pool.submit(PoolRole::device, [&] { ++ran; });
  CHECK_NOTHROW(pool.drain());
  CHECK(ran == 21);
}

TEMPLATE_TEST_CASE("a failure is heard of when the tasks of the other roles have ended too",
                   "[pipeline][fault]", EVERY_POOL) {
  TestType pool(PipelineLimits{.threads = 2});
  std::atomic<bool> ended = false;
  pool.submit(PoolRole::synthesis, [&] {
    pool.submit(PoolRole::device, [&] {
      pool.submit(PoolRole::synthesis, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ended = true;
      });
      throw Failure("device");
    });
  });
  std::string first;
  try {
    pool.drain();
  } catch (const Failure& failure) {
    first = failure.what();
  }
  CHECK(first == "device");
  CHECK(ended);
}

TEMPLATE_TEST_CASE("what a task owns is gone when the pool has drained", "[pipeline][law]",
                   EVERY_POOL) {
  TestType pool(PipelineLimits{.threads = 2});
  std::vector<std::weak_ptr<int>> owned;
  for (int i = 0; i < 30; ++i) {
    auto mine = std::make_shared<int>(i);
    owned.push_back(mine);
    pool.submit(roles[i % 3], [mine = std::move(mine)] {
      if (*mine == 17) throw Failure("task");
    });
  }
  CHECK_THROWS_AS(pool.drain(), Failure);
  for (const auto& each : owned) CHECK(each.expired());
}

TEMPLATE_TEST_CASE("a pool that moves takes its tasks along", "[pipeline][law]", shared_pool,
                   split_pools, sized_pools, per_cache_pools, per_numa_pools) {
  TestType first(PipelineLimits{.threads = 2});
  std::atomic<int> ran = 0;
  for (int i = 0; i < 9; ++i) first.submit(roles[i % 3], [&] { ++ran; });
  TestType second(std::move(first));
  second.drain();
  CHECK(ran == 9);
}

TEMPLATE_TEST_CASE("a loop inside a task has the threads that its pool promises", "[pipeline][law]",
                   shared_pool, split_pools, sized_pools, per_cache_pools, per_numa_pools) {
  for (const std::size_t threads : {0U, 1U, 2U}) {
    TestType pool(PipelineLimits{.threads = threads, .device_threads = 3});
    for (const PoolRole role : roles) {
      std::atomic<std::size_t> outside = 0;
      std::atomic<std::size_t> inside_most = 0;
      std::atomic<std::size_t> inside_now = 0;
      pool.submit(role, [&] {
        outside = static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
        oneapi::tbb::parallel_for(0, 2000, [&](int) {
          const std::size_t now = ++inside_now;
          for (std::size_t most = inside_most; now > most;) {
            if (inside_most.compare_exchange_weak(most, now)) break;
          }
          if (static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency()) !=
              outside) {
            throw Failure("a loop left its arena");
          }
          --inside_now;
        });
      });
      CHECK_NOTHROW(pool.drain());
      CHECK(outside >= 1);
      CHECK(outside <= pool.width(role));
      CHECK(inside_most <= outside);
    }
  }
}

TEMPLATE_TEST_CASE("every task runs where the process may use one thread only", "[pipeline][edge]",
                   shared_pool, split_pools, sized_pools, per_cache_pools, per_numa_pools) {
  const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  TestType pool(PipelineLimits{.threads = 2});
  std::atomic<int> ran = 0;
  for (int i = 0; i < 30; ++i) {
    pool.submit(roles[i % 3], [&, i] {
      ++ran;
      pool.submit(roles[(i + 1) % 3],
                  [&] { oneapi::tbb::parallel_for(0, 10, [&](int) { ++ran; }); });
    });
  }
  pool.drain();
  CHECK(ran == 330);
}

TEMPLATE_TEST_CASE("an absurd number of threads is refused", "[pipeline][edge]", shared_pool,
                   split_pools, sized_pools, per_cache_pools, per_numa_pools) {
  CHECK_THROWS_AS(TestType(PipelineLimits{.threads = 100000}), InvalidArgument);
  CHECK_THROWS_AS(TestType(PipelineLimits{.threads = ~std::size_t{0}}), InvalidArgument);
  CHECK_NOTHROW(TestType(PipelineLimits{.threads = 4096}));
}

TEST_CASE("an absurd number of device threads is refused by the pool that has them",
          "[pipeline][edge]") {
  CHECK_THROWS_WITH(sized_pools(PipelineLimits{.device_threads = 4097}),
                    "device_threads: 4097 is more than 4096");
  CHECK_NOTHROW(split_pools(PipelineLimits{.device_threads = 4097}));
}

TEST_CASE("the device side of sized pools has a size of its own", "[pipeline]") {
  const sized_pools sized(PipelineLimits{.threads = 1, .device_threads = 3});
  CHECK(sized.width(PoolRole::synthesis) == 1);
  CHECK(sized.width(PoolRole::device) == 3);
  CHECK(sized.width(PoolRole::finish) == 3);
  const sized_pools same(PipelineLimits{.threads = 1});
  CHECK(same.width(PoolRole::device) == 1);
  const split_pools split(PipelineLimits{.threads = 1, .device_threads = 3});
  CHECK(split.width(PoolRole::synthesis) == 1);
  CHECK(split.width(PoolRole::device) == 1);
}

TEMPLATE_TEST_CASE("witnesses and device stages do not wait for each other's threads",
                   "[pipeline][law]", split_pools, sized_pools) {
  TestType pool(PipelineLimits{.threads = 1, .device_threads = 1});
  std::atomic<bool> synthesis_began = false;
  std::atomic<bool> device_began = false;
  std::atomic<bool> together = true;
  const auto meet = [&](std::atomic<bool>& mine, const std::atomic<bool>& other) {
    mine = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!other && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (!other) together = false;
  };
  pool.submit(PoolRole::synthesis, [&] { meet(synthesis_began, device_began); });
  pool.submit(PoolRole::device, [&] { meet(device_began, synthesis_began); });
  pool.drain();
  CHECK(together);
}

TEMPLATE_TEST_CASE(
    "threads of a bound pool run on the CPUs that its maker may use, and are free "
    "when they leave",
    "[pipeline][law]", per_cache_pools, per_numa_pools) {
  const AffinityGuard guard;
  const CpuGroup all = guard.before.cpus();
  if (all.size() < 2) {
    WARN("one CPU: bindings are not told apart");
    return;
  }
  shared_pool free_pool(PipelineLimits{});
  cpus_seen_in(free_pool);  // workers that have been elsewhere
  for (const unsigned cpu : {all.back(), all.front()}) {
    REQUIRE(CpuMask({cpu}).bind_this_thread());
    TestType pool(PipelineLimits{});
    CHECK(guard.before.bind_this_thread());  // a pool stays where it was made
    CHECK(pool.width(PoolRole::device) == 1);
    CHECK(cpus_seen_in(pool) == std::set<CpuGroup>{{cpu}});
  }
  CHECK(cpus_seen_in(free_pool) == std::set<CpuGroup>{all});
}

TEST_CASE("a worker that comes bound is free in a pool that is not bound", "[pipeline][law]") {
  const AffinityGuard guard;
  const CpuGroup all = guard.before.cpus();
  if (all.size() < 2) {
    WARN("one CPU: bindings are not told apart");
    return;
  }
  {
    // As a thread that a bound worker started: it has a binding that no pool gave it.
    split_pools pool(PipelineLimits{});
    pool.submit(PoolRole::device, [&] { CpuMask({all.front()}).bind_this_thread(); });
    pool.drain();
  }
  split_pools pool(PipelineLimits{});
  CHECK(cpus_seen_in(pool) == std::set<CpuGroup>{all});
}

TEST_CASE("several bound arenas keep to their own CPUs, side by side", "[pipeline][law]") {
  const CpuGroup all = CpuMask::of_this_thread().cpus();
  if (all.size() < 2) {
    WARN("one CPU: bindings are not told apart");
    return;
  }
  ArenaSet arenas(Shapes{{.threads = 2, .cpus = {all[0]}}, {.threads = 2, .cpus = {all[1]}}});
  SeenCpus seen[2];
  for (std::size_t i = 0; i < 100; ++i) {
    arenas.submit(i % 2, [&, i] {
      seen[i % 2].note();
      oneapi::tbb::parallel_for(0, 10, [&](int) { seen[i % 2].note(); });
      arenas.submit(1 - i % 2, [&, i] { seen[1 - i % 2].note(); });
    });
  }
  arenas.drain();
  CHECK(seen[0].all() == std::set<CpuGroup>{{all[0]}});
  CHECK(seen[1].all() == std::set<CpuGroup>{{all[1]}});
}

TEST_CASE("a task goes to the arena with the fewest tasks that have not ended", "[pipeline]") {
  ArenaSet arenas(Shapes{{.threads = 1}, {.threads = 2}, {.threads = 3}});
  CHECK(arenas.width() == 3);
  std::atomic<bool> go = false;
  std::atomic<int> width[6]{};
  const auto place = [&](std::size_t i) {
    arenas.submit_to_idlest([&, i] {
      width[i] = oneapi::tbb::this_task_arena::max_concurrency();
      while (!go) std::this_thread::yield();
    });
  };
  arenas.submit(1, [&] {
    while (!go) std::this_thread::yield();
  });
  for (std::size_t i = 0; i < 5; ++i) place(i);  // one waits at 1: to 0, 2, then to 0, 1, 2
  go = true;
  arenas.drain();
  CHECK(width[0] == 1);
  CHECK(width[1] == 3);
  CHECK(width[2] == 1);
  CHECK(width[3] == 2);
  CHECK(width[4] == 3);
  place(5);
  arenas.drain();
  CHECK(width[5] == 1);  // all are idle: the first
  CHECK_THROWS_AS(ArenaSet(Shapes{}), InvalidArgument);
}

TEST_CASE("tasks of one arena begin in the order of submission", "[pipeline][law]") {
  ArenaSet arenas(Shapes{{.threads = 1}});
  std::vector<int> order;
  for (int i = 0; i < 200; ++i) arenas.submit(0, [&, i] { order.push_back(i); });
  arenas.drain();
  REQUIRE(order.size() == 200);
  for (int i = 0; i < 200; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a set of arenas that dies lets its tasks end", "[pipeline][edge]") {
  std::atomic<int> ran = 0;
  {
    ArenaSet arenas(Shapes{{.threads = 1}, {.threads = 1}});
    for (std::size_t i = 0; i < 20; ++i) {
      arenas.submit(i % 2, [&] {
        ++ran;
        throw Failure("nobody hears");
      });
    }
  }
  CHECK(ran == 20);
}
