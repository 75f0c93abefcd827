// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

namespace zkgpu {

/// The fastest way found to cut up a sum of 2^log_n points on one kind of device with no more than
/// so many multiples of each base.
struct CudaMsmTunedRow {
  unsigned architecture = 0;  ///< compute capability as 90
  unsigned compute_units = 0;
  unsigned affine_bytes = 0;  ///< tells the group
  unsigned log_n = 0;
  unsigned tables = 0;
  unsigned window_bits = 0;
  unsigned chunks = 0;
  unsigned microseconds = 0;  ///< median of the runs that were tuned by
};

/// Is n nearer to 2^log_n than to other powers of two, on a logarithmic scale?
constexpr bool is_about(std::size_t n, unsigned log_n) noexcept {
  if (n == 0 || n > std::size_t{1} << 30) return false;
  const std::size_t square = n * n;
  const std::size_t power = std::size_t{1} << 2 * log_n;
  return 2 * square >= power && square < 2 * power;
}

/// The fastest of the rows for a device, a group and about n points, with at most `tables`; null if
/// there is none.
constexpr const CudaMsmTunedRow* find_cuda_msm_tuned(std::span<const CudaMsmTunedRow> rows,
                                                     const CudaMsmTunedRow& wanted, std::size_t n,
                                                     std::size_t tables) noexcept {
  const CudaMsmTunedRow* best = nullptr;
  for (const CudaMsmTunedRow& row : rows) {
    if (row.window_bits == 0 || row.architecture != wanted.architecture ||
        row.compute_units != wanted.compute_units || row.affine_bytes != wanted.affine_bytes ||
        !is_about(n, row.log_n) || row.tables > tables) {
      continue;
    }
    if (best == nullptr || row.microseconds < best->microseconds) best = &row;
  }
  return best;
}

}  // namespace zkgpu
