// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "affinity.hpp"
#include "arena_set.hpp"

/// Which CPUs of a machine belong together, and how threads are dealt out to them.
namespace zkgpu::pipeline {

/// What the CPUs of a group have in common.
enum class CpuSharing : std::uint8_t {
  cache,      ///< one L3 cache
  numa_node,  ///< the memory that is nearest
};

/// The groups of this machine, as it shows them; empty if it does not.
[[nodiscard]] std::vector<CpuGroup> machine_groups(CpuSharing sharing);
/// Those of a machine that is described, in the words of hwloc's synthetic topologies: "numa:2 l3:4
/// core:2 pu:1" has two nodes of four caches of two CPUs. Empty if the description is not one.
[[nodiscard]] std::vector<CpuGroup> described_groups(const std::string& description,
                                                     CpuSharing sharing);

/// Every allowed CPU in exactly one group: groups without what is not allowed, a CPU of several (a
/// machine with two kinds of memory has two nodes on the same CPUs) in the first, and those of none
/// together. Groups without a CPU are left out.
[[nodiscard]] std::vector<CpuGroup> disjoint_groups(const std::vector<CpuGroup>& groups,
                                                    const CpuGroup& allowed);

/// Threads for each group, one by one in turn, and none beyond its CPUs; 0: one for each CPU.
/// Groups that get none are left out.
[[nodiscard]] std::vector<ArenaShape> share_threads(const std::vector<CpuGroup>& groups,
                                                    std::size_t threads);

}  // namespace zkgpu::pipeline
