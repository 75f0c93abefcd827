// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Machines that are described, and what pools make of them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../../../../src/pipeline/topology.hpp"  // NOLINT: private to the library

using namespace zkgpu::pipeline;  // NOLINT

namespace {

using Groups = std::vector<CpuGroup>;

std::vector<std::size_t> threads_of(const std::vector<ArenaShape>& shapes) {
  std::vector<std::size_t> threads;
  for (const ArenaShape& shape : shapes) threads.push_back(shape.threads);
  return threads;
}

}  // namespace

TEST_CASE("caches and nodes of described machines are found", "[pipeline]") {
  const std::string server = "numa:2 l3:4 core:2 pu:1";
  CHECK(described_groups(server, CpuSharing::cache) ==
        Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
  CHECK(described_groups(server, CpuSharing::numa_node) ==
        Groups{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}});
  // Two threads a core, numbered as Linux does: the second threads come after all first ones.
  CHECK(described_groups("l3:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", CpuSharing::cache) ==
        Groups{{0, 1, 4, 5}, {2, 3, 6, 7}});
  CHECK(described_groups("core:4 pu:1", CpuSharing::cache).empty());
  CHECK(described_groups("core:4 pu:1", CpuSharing::numa_node) == Groups{{0, 1, 2, 3}});
  CHECK(described_groups("no such thing", CpuSharing::cache).empty());
  CHECK(described_groups("", CpuSharing::numa_node).empty());
}

TEST_CASE("this machine's groups are of CPUs that exist, or none", "[pipeline]") {
  const CpuGroup allowed = CpuMask::of_this_thread().cpus();
  for (const CpuSharing sharing : {CpuSharing::cache, CpuSharing::numa_node}) {
    CpuGroup all;
    for (const CpuGroup& group : disjoint_groups(machine_groups(sharing), allowed)) {
      CHECK(!group.empty());
      all.insert(all.end(), group.begin(), group.end());
    }
    std::sort(all.begin(), all.end());
    CHECK(all == allowed);
  }
}

TEST_CASE("every allowed CPU is in one group", "[pipeline][law]") {
  const Groups caches{{0, 1, 2, 3}, {4, 5, 6, 7}};
  CHECK(disjoint_groups(caches, {0, 1, 2, 3, 4, 5, 6, 7}) == caches);
  CHECK(disjoint_groups(caches, {2, 3, 4}) == Groups{{2, 3}, {4}});  // a container's share
  CHECK(disjoint_groups(caches, {5}) == Groups{{5}});                // no group without a CPU
  CHECK(disjoint_groups(caches, {3, 8, 9}) == Groups{{3}, {8, 9}});  // CPUs without such a cache
  CHECK(disjoint_groups({}, {0, 1, 2}) == Groups{{0, 1, 2}});        // a machine that shows nothing
  CHECK(disjoint_groups({{0, 1}, {}, {0, 1}}, {0, 1}) == Groups{{0, 1}});  // two kinds of memory
  CHECK(disjoint_groups({{0, 1, 2}, {2, 3}}, {0, 1, 2, 3}) == Groups{{0, 1, 2}, {3}});
  CHECK(disjoint_groups(caches, {}).empty());
}

TEST_CASE("threads are dealt out to groups in turn, and no CPU gets two", "[pipeline][law]") {
  const Groups groups{{0, 1}, {2}, {3, 4, 5, 6}};
  using Threads = std::vector<std::size_t>;
  CHECK(threads_of(share_threads(groups, 0)) == Threads{2, 1, 4});
  CHECK(threads_of(share_threads(groups, 7)) == Threads{2, 1, 4});
  CHECK(threads_of(share_threads(groups, 1000)) == Threads{2, 1, 4});
  CHECK(threads_of(share_threads(groups, 5)) == Threads{2, 1, 2});
  CHECK(threads_of(share_threads(groups, 4)) == Threads{2, 1, 1});
  CHECK(threads_of(share_threads(groups, 3)) == Threads{1, 1, 1});
  CHECK(share_threads(groups, 1) == std::vector<ArenaShape>{{.threads = 1, .cpus = {0, 1}}});
  CHECK(share_threads({}, 3).empty());
}

TEST_CASE("a mask holds the CPUs that it was made of", "[pipeline][edge]") {
  const CpuGroup cpus{0, 1, 63, 64, 65, 1023, 1024, 8191};
  CHECK(CpuMask(cpus).cpus() == cpus);
  CHECK(CpuMask({8191, 8192, 4000000000U}).cpus() == CpuGroup{8191});
  CHECK(CpuMask().is_empty());
  CHECK(!CpuMask({5}).is_empty());
  CHECK((CpuMask({1, 2}) | CpuMask({2, 70})).cpus() == CpuGroup{1, 2, 70});
}

TEST_CASE("a thread is bound, and a binding that the system refuses changes nothing",
          "[pipeline][edge]") {
  const CpuMask before = CpuMask::of_this_thread();
  if (before.is_empty()) {
    WARN("this system does not say where a thread may run");
    return;
  }
  const CpuMask first({before.cpus().front()});
  CHECK(first.bind_this_thread());
  CHECK(CpuMask::of_this_thread() == first);
  CHECK(!CpuMask().bind_this_thread());
  CHECK(CpuMask::of_this_thread() == first);
  CHECK(before.bind_this_thread());
  CHECK(CpuMask::of_this_thread() == before);
}
