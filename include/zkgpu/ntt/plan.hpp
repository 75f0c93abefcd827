// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <string>

#include <zkgpu/backend/backend.hpp>

namespace zkgpu {

/// How a transform of 2^log_n elements is laid out on a machine.
///
/// The levels whose blocks exceed a tile are passed over by all threads together; below, each tile
/// is carried through its remaining levels by one thread while it stays in that thread's cache.
struct NttPlan {
  unsigned log_n = 0;
  unsigned log_tile = 0;       ///< elements of a tile, <= log_n
  std::size_t task_pairs = 0;  ///< butterflies of one task in the passes above the tile

  [[nodiscard]] constexpr std::size_t size() const noexcept { return std::size_t{1} << log_n; }
  [[nodiscard]] constexpr std::size_t tiles() const noexcept {
    return std::size_t{1} << (log_n - log_tile);
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept { return 0; }
  friend bool operator==(const NttPlan&, const NttPlan&) = default;
};

/// @param element_bytes  sizeof one field element
/// @pre log_n < 48
constexpr NttPlan plan_ntt(unsigned log_n, std::size_t element_bytes,
                           const DeviceProperties& machine) noexcept {
  // A tile, and as much again for the twiddles that pass by it, within half a core's cache.
  const std::size_t cache =
      machine.unit_cache_bytes == 0 ? std::size_t{256} << 10 : machine.unit_cache_bytes;
  unsigned log_tile = 0;
  while (log_tile < log_n && (element_bytes << (log_tile + 1)) <= cache / 4) ++log_tile;
  // At least four tiles a thread, so that the threads end together; a tile of 2^8 pays for its
  // task.
  while (log_tile > 8 && (std::size_t{1} << (log_n - log_tile)) < 4 * machine.compute_units &&
         machine.compute_units > 1) {
    --log_tile;
  }
  return NttPlan{.log_n = log_n, .log_tile = log_tile, .task_pairs = std::size_t{1} << 11};
}

/// One line for logs and tests: "ntt 2^20: 64 tiles of 2^14".
inline std::string to_string(const NttPlan& plan) {
  return "ntt 2^" + std::to_string(plan.log_n) + ": " + std::to_string(plan.tiles()) +
         " tiles of 2^" + std::to_string(plan.log_tile);
}

}  // namespace zkgpu
