// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>

namespace zkgpu::pipeline {

namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

/// What hwloc finds on this machine, or the machine that is described. Null if it finds nothing.
Topology load(const char* description) {
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return nullptr;
  Topology topology(made);
  if (description != nullptr && hwloc_topology_set_synthetic(made, description) != 0) {
    return nullptr;
  }
  if (hwloc_topology_load(made) != 0) return nullptr;
  return topology;
}

CpuGroup cpus_of(hwloc_const_cpuset_t set) {
  CpuGroup cpus;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
    cpus.push_back(static_cast<unsigned>(cpu));
  }
  return cpus;
}

std::vector<CpuGroup> groups_of(const Topology& topology, CpuSharing sharing) {
  std::vector<CpuGroup> groups;
  if (topology == nullptr) return groups;
  const hwloc_obj_type_t type =
      sharing == CpuSharing::cache ? HWLOC_OBJ_L3CACHE : HWLOC_OBJ_NUMANODE;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.get(), type, object)) != nullptr) {
    groups.push_back(cpus_of(object->cpuset));
  }
  return groups;
}

}  // namespace

std::vector<CpuGroup> machine_groups(CpuSharing sharing) {
  return groups_of(load(nullptr), sharing);
}

std::vector<CpuGroup> described_groups(const std::string& description, CpuSharing sharing) {
  return groups_of(load(description.c_str()), sharing);
}

std::vector<CpuGroup> disjoint_groups(const std::vector<CpuGroup>& groups,
                                      const CpuGroup& allowed) {
  std::vector<CpuGroup> disjoint;
  CpuGroup left = allowed;
  for (const CpuGroup& group : groups) {
    CpuGroup mine;
    std::set_intersection(left.begin(), left.end(), group.begin(), group.end(),
                          std::back_inserter(mine));
    if (mine.empty()) continue;
    CpuGroup others;
    std::set_difference(left.begin(), left.end(), mine.begin(), mine.end(),
                        std::back_inserter(others));
    left = std::move(others);
    disjoint.push_back(std::move(mine));
  }
  if (!left.empty()) disjoint.push_back(std::move(left));
  return disjoint;
}

std::vector<ArenaShape> share_threads(const std::vector<CpuGroup>& groups, std::size_t threads) {
  const std::size_t cpus =
      std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                      [](std::size_t sum, const CpuGroup& group) { return sum + group.size(); });
  std::size_t left = threads == 0 ? cpus : std::min(threads, cpus);
  std::vector<ArenaShape> shapes;
  for (const CpuGroup& group : groups) shapes.push_back({.threads = 0, .cpus = group});
  while (left != 0) {
    for (ArenaShape& shape : shapes) {
      if (left == 0 || shape.threads == shape.cpus.size()) continue;
      ++shape.threads;
      --left;
    }
  }
  std::erase_if(shapes, [](const ArenaShape& shape) { return shape.threads == 0; });
  return shapes;
}

}  // namespace zkgpu::pipeline
