// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

namespace zkgpu {

/// How a sum is cut up whose scalars or bases come to the device while it runs.
///
/// Chunk after chunk is copied into one of two slots while the one before is summed; the buckets
/// stay. The first chunk is small, since nothing is summed while it comes, and each may have twice
/// the points of the one before.
struct CudaMsmStreamPlan {
  CudaMsmPlan sum;               ///< chunk_points: the most points in work at a time
  bool slots = false;            ///< bases come in chunks too; else only scalars do
  std::size_t first_points = 0;  ///< of the first chunk

  [[nodiscard]] constexpr std::size_t scalar_bytes() const noexcept {
    return (sum.shape.scalar_bits + 64) / 64 * 8;
  }
  /// Points of the chunk from `first` on, when the one before had `before` (0: it is the first).
  [[nodiscard]] constexpr std::size_t chunk(std::size_t first, std::size_t before) const noexcept {
    const std::size_t wanted = before == 0 ? first_points : 2 * before;
    return std::min({std::max<std::size_t>(1, wanted), sum.chunk_points, sum.n - first});
  }
  [[nodiscard]] constexpr std::size_t chunks() const noexcept {
    std::size_t count = 0;
    for (std::size_t first = 0, points = 0; first < sum.n; first += points, ++count) {
      points = chunk(first, points);
    }
    return count;
  }
  /// All of them, one after the other.
  [[nodiscard]] std::vector<CudaMsmChunk> cut() const {
    std::vector<CudaMsmChunk> all;
    for (std::size_t first = 0, points = 0; first < sum.n; first += points) {
      points = chunk(first, points);
      all.push_back({first, points});
    }
    return all;
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept;

  friend bool operator==(const CudaMsmStreamPlan&, const CudaMsmStreamPlan&) = default;
};

/// Where the arrays of a streamed sum stand in its workspace, behind those of the sum.
struct CudaMsmStreamLayout {
  std::size_t scalars[2] = {};  ///< of each slot; where bases stay, all of them at scalars[0]
  std::size_t bases[2] = {};
  std::size_t infinity[2] = {};  ///< u8
  std::size_t total_bytes = 0;
};

constexpr CudaMsmStreamLayout layout_cuda_msm_stream(const CudaMsmStreamPlan& plan) noexcept {
  CudaMsmStreamLayout at;
  std::size_t end = plan.sum.workspace_bytes();
  const auto place = [&end](std::size_t bytes) {
    const std::size_t begin = end;
    end += (bytes + 255) / 256 * 256;
    return begin;
  };
  if (!plan.slots) {
    at.scalars[0] = place(plan.sum.n * plan.scalar_bytes());
  } else {
    for (int slot = 0; slot < 2; ++slot) {
      at.scalars[slot] = place(plan.sum.chunk_points * plan.scalar_bytes());
      at.bases[slot] = place(plan.sum.chunk_points * plan.sum.shape.affine_bytes);
      at.infinity[slot] = place(plan.sum.chunk_points);
    }
  }
  at.total_bytes = end;
  return at;
}

constexpr std::size_t CudaMsmStreamPlan::workspace_bytes() const noexcept {
  return sum.n == 0 ? 0 : layout_cuda_msm_stream(*this).total_bytes;
}

/// What a streamed sum takes, in the unit of cuda_msm_cost: the first chunk's way to the device,
/// then of each chunk its sum or the next one's way, whichever is longer. The bus carries 50 GB/s.
constexpr std::size_t cuda_msm_stream_cost(const CudaMsmStreamPlan& plan) noexcept {
  const CudaMsmPlan& sum = plan.sum;
  const std::size_t point_bytes = plan.scalar_bytes() + (plan.slots ? sum.shape.affine_bytes : 0);
  const std::size_t once = cuda_msm_cost(sum, 0, 1);
  const std::size_t each = cuda_msm_cost(sum, 0, 2) - once;
  std::size_t cost = once - std::min(once, each);
  std::size_t points = plan.chunk(0, 0);
  cost += points * point_bytes / 5;
  for (std::size_t first = 0; first < sum.n;) {
    const std::size_t summed = cuda_msm_cost(sum, points, 1) - once + each;
    first += points;
    const std::size_t next = first < sum.n ? plan.chunk(first, points) : 0;
    cost += std::max(summed, next * point_bytes / 5);
    points = next;
  }
  return cost;
}

namespace detail {

/// The better of `best` and plans like `from` with chunks of other sizes, in at most `bytes`.
///
/// @param least  the cost of `best`
/// @param fewest_bytes  brought down to what the smallest of these plans needs
constexpr void best_cuda_msm_chunks(CudaMsmStreamPlan from, std::size_t bytes,
                                    CudaMsmStreamPlan& best, std::size_t& least,
                                    std::size_t& fewest_bytes) noexcept {
  constexpr std::size_t smallest = std::size_t{1} << 14;  // a chunk is not worth its buckets below
  const std::size_t most = from.sum.chunk_points;
  for (std::size_t points = most;; points = (points + 1) / 2) {
    from.sum.chunk_points = points;
    for (unsigned part = 1; part <= 8; part *= 2) {
      if (points == from.sum.n && part > 1) break;  // one chunk is all
      from.first_points = (points + part - 1) / part;
      const std::size_t wanted = from.workspace_bytes();
      fewest_bytes = std::min(fewest_bytes, wanted);
      if (wanted > bytes) continue;
      const std::size_t cost = cuda_msm_stream_cost(from);
      if (cost >= least) continue;
      least = cost;
      best = from;
    }
    if (points <= smallest) return;
  }
}

inline ResourceExhausted cuda_msm_too_large(const std::string& what, std::size_t wanted,
                                            std::size_t there) {
  return ResourceExhausted("msm: " + what + ": at least " + std::to_string(wanted) +
                           " bytes of the device wanted, " + std::to_string(there) + " free");
}

}  // namespace detail

/// The plan with the least work for n bases and scalars that come to the device in chunks.
///
/// @param bytes  of the device that the workspace may take
/// @throws ResourceExhausted with the bytes wanted and free, if no plan is that small
inline CudaMsmStreamPlan plan_cuda_msm_streamed(const CudaMsmShape& shape, std::size_t n,
                                                std::size_t bytes,
                                                const DeviceProperties& machine) {
  CudaMsmStreamPlan best;
  best.sum = plan_cuda_msm_with(shape, n, 4, 1, machine);
  best.slots = true;
  if (n == 0) return best;
  std::size_t least = static_cast<std::size_t>(-1);
  std::size_t fewest_bytes = static_cast<std::size_t>(-1);
  for (unsigned c = 4; c <= 24; ++c) {
    CudaMsmStreamPlan plan;
    plan.slots = true;
    plan.sum = plan_cuda_msm_with(shape, n, c, 1, machine);
    if (plan.sum.all_buckets() * shape.bucket_bytes > cuda_msm_most_bucket_bytes) continue;
    detail::best_cuda_msm_chunks(plan, bytes, best, least, fewest_bytes);
  }
  if (least == static_cast<std::size_t>(-1)) {
    throw detail::cuda_msm_too_large("a streamed sum of " + std::to_string(n) + " points",
                                     fewest_bytes, bytes);
  }
  return best;
}

/// The plan with the least work for scalars that come to the device in chunks, over bases that are
/// there.
///
/// @param bases  their plan
/// @param bytes  of the device that the workspace may take
/// @throws ResourceExhausted as above
inline CudaMsmStreamPlan plan_cuda_msm_scalars(const CudaMsmPlan& bases, std::size_t bytes) {
  CudaMsmStreamPlan best;
  best.sum = bases;
  if (bases.n == 0) return best;
  std::size_t least = static_cast<std::size_t>(-1);
  std::size_t fewest_bytes = static_cast<std::size_t>(-1);
  detail::best_cuda_msm_chunks(best, bytes, best, least, fewest_bytes);
  if (least == static_cast<std::size_t>(-1)) {
    throw detail::cuda_msm_too_large("scalars for " + std::to_string(bases.n) + " bases",
                                     fewest_bytes, bytes);
  }
  return best;
}

/// One line for logs and tests.
inline std::string to_string(const CudaMsmStreamPlan& plan) {
  return to_string(plan.sum) + (plan.slots ? ", bases and scalars" : ", scalars") +
         " streamed, the first " + std::to_string(plan.first_points);
}

}  // namespace zkgpu
