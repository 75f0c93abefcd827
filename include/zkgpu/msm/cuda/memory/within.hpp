// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

/// Plans that fit the memory there is, and what to do when there is less of it than it seemed.
namespace zkgpu {

/// Bases whose multiples are made at a time: bounds the scratch, 240 MiB for G1.
constexpr std::size_t cuda_msm_table_batch = std::size_t{1} << 20;

/// Bytes of a device for the bases of a plan and one sum over them at a time.
constexpr std::size_t cuda_msm_bytes(const CudaMsmPlan& plan) noexcept {
  const std::size_t scratch = plan.tables == 1
                                  ? 0
                                  : std::min(plan.n, cuda_msm_table_batch) *
                                        (plan.shape.bucket_bytes + plan.shape.affine_bytes / 2);
  return plan.table_bytes() + plan.n + std::max(plan.workspace_bytes(), scratch) + 1024;
}

/// The plan with the least work, or a measured one, whose bases and workspace take at most `bytes`:
/// as memory gets short there are fewer multiples of each base, then smaller chunks.
///
/// @throws ResourceExhausted with the bytes wanted and free, if no plan is that small
inline CudaMsmPlan plan_cuda_msm_within(const CudaMsmShape& shape, std::size_t n, std::size_t bytes,
                                        const DeviceProperties& machine) {
  constexpr std::size_t smallest = std::size_t{1} << 14;
  CudaMsmPlan best = plan_cuda_msm_with(shape, n, 4, 1, machine);
  if (n == 0) return best;
  std::size_t least = static_cast<std::size_t>(-1);
  std::size_t fewest_bytes = static_cast<std::size_t>(-1);
  const auto consider = [&](CudaMsmPlan plan) {
    for (;; plan.chunk_points = (plan.chunk_points + 1) / 2) {
      const std::size_t wanted = cuda_msm_bytes(plan);
      fewest_bytes = std::min(fewest_bytes, wanted);
      const std::size_t cost = cuda_msm_cost(plan, n, plan.chunks());
      if (wanted <= bytes && cost < least) {
        least = cost;
        best = plan;
      }
      // smaller chunks cost more
      if (wanted <= bytes || plan.chunk_points <= smallest) return;
    }
  };
  for (unsigned c = 4; c <= 24; ++c) {
    const unsigned windows = (shape.scalar_bits + c) / c;
    for (unsigned tables = 1; tables <= windows; ++tables) {
      const CudaMsmPlan plan = plan_cuda_msm_with(shape, n, c, tables, machine);
      if (plan.tables != tables) continue;  // as many groups need fewer
      if (n * plan.tables > std::size_t{1} << 31) break;
      if (plan.all_buckets() * shape.bucket_bytes > cuda_msm_most_bucket_bytes) continue;
      consider(plan);
    }
  }
  if (least == static_cast<std::size_t>(-1)) {
    throw ResourceExhausted("msm: " + std::to_string(n) + " bases: at least " +
                            std::to_string(fewest_bytes) + " bytes of the device wanted, " +
                            std::to_string(bytes) + " free");
  }
  const CudaMsmPlan tuned =
      plan_cuda_msm_tuned(shape, n, bytes / (n * shape.affine_bytes), machine);
  if (tuned.n != 0 && tuned.tables >= best.tables && cuda_msm_bytes(tuned) <= bytes) return tuned;
  return best;
}

/// What `make(plan(bytes))` gives for the bytes that `memory` has free, or for less where an
/// allocation fails all the same: other users of the device, or memory in pieces.
///
/// @param memory  free_bytes(), and trim() before the next attempt
/// @param plan    throws ResourceExhausted where nothing fits: then so does this
/// @param make    throws ResourceExhausted where there was less memory than that
template <class Memory, class Plan, class Make>
auto within_free_memory(const Memory& memory, const Plan& plan, const Make& make) {
  for (std::size_t bytes = memory.free_bytes();;) {
    const auto planned = plan(bytes);
    try {
      return make(planned);
    } catch (const ResourceExhausted&) {
      memory.trim();
    }
    bytes = std::min(bytes - bytes / 4, memory.free_bytes());
  }
}

}  // namespace zkgpu
