// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <zkgpu/msm/plan.hpp>

namespace zkgpu {

/// Where each array of the bucket method stands in the workspace: byte offsets, 64-byte aligned.
struct MsmLayout {
  std::size_t values = 0;   ///< parts of the long scalars, shifted for digit extraction
  std::size_t points = 0;   ///< u32 each: the base that a long scalar belongs to
  std::size_t shorts = 0;   ///< u32 base and u32 value of scalars that are one digit
  std::size_t entries = 0;  ///< u32: base and sign, sorted by bucket and image
  std::size_t offsets =
      0;                   ///< u32: where a bucket's entries of an image begin; one more at the end
  std::size_t counts = 0;  ///< u32: entries of a bucket and an image in one block of points
  std::size_t buckets = 0;  ///< points: the sum of each bucket, all windows
  std::size_t edges = 0;    ///< points and keys: sums of buckets that cross chunks, two a chunk
  std::size_t lanes = 0;    ///< points, two each: running sums of the reduction
  std::size_t picked_scalars = 0;  ///< scalars and bases of the few terms that need buckets
  std::size_t picked_bases = 0;    ///< where most scalars are 0 or 1
  std::size_t scratch = 0;         ///< scratch_bytes for each worker
  std::size_t scratch_bytes = 0;
  std::size_t total_bytes = 0;

  /// Blocks of points that are counted and scattered by one task a window.
  std::size_t blocks = 1;
  /// Buckets of one lane of the reduction, a power of two.
  std::size_t lane_buckets = 1;
};

/// Terms of a slice that may be picked out: with more of them, ones are no longer what takes time.
constexpr std::size_t msm_most_picked(std::size_t slice_points) noexcept {
  return (slice_points + 7) / 8;
}

/// Into how many tasks each of `sets` of work is cut, so that every worker finds four. No more:
/// where tasks of several workers scatter the entries of one window, they write the same lines.
constexpr std::size_t msm_blocks(std::size_t sets, std::size_t workers) noexcept {
  return workers == 1 ? 1 : (4 * workers + sets - 1) / sets;
}

/// Blocks for fewer or narrower windows than the plan's, such as short scalars take: as many tasks
/// a worker, if their counts have room where those of the plan would stand.
///
/// @pre windows·buckets is at most the plan's
constexpr std::size_t msm_blocks_within(const MsmPlan& plan, std::size_t windows,
                                        std::size_t buckets) noexcept {
  const std::size_t room =
      msm_blocks(plan.windows(), plan.workers) * plan.windows() * plan.buckets();
  return std::min(msm_blocks(windows, plan.workers), room / (windows * buckets));
}

/// Chunks of `entries` entries. With several workers the last chunk of each is cut into quarters,
/// so that none waits long for another.
class MsmChunks {
 public:
  constexpr MsmChunks(std::size_t entries, std::size_t chunk_entries, std::size_t workers) noexcept
      : entries_(entries), size_(chunk_entries), whole_((entries + size_ - 1) / size_) {
    if (workers == 1 || whole_ < 2 * workers) return;
    whole_ -= workers;
    quarters_ = 4 * workers;
  }
  [[nodiscard]] constexpr std::size_t count() const noexcept { return whole_ + quarters_; }
  /// Where chunk i begins; the end for i = count().
  [[nodiscard]] constexpr std::size_t begin(std::size_t i) const noexcept {
    if (i < whole_ || quarters_ == 0) return std::min(i * size_, entries_);
    const std::size_t first = whole_ * size_;
    return first + (entries_ - first) * (i - whole_) / quarters_;
  }

 private:
  std::size_t entries_, size_, whole_, quarters_ = 0;
};

/// The smallest width that a plan is narrowed to when few scalars are long.
inline constexpr unsigned msm_least_narrow_bits = 4;

/// Pairs that a batch may have: half of a chunk's points, in whole SIMD vectors of eight, twice.
constexpr std::size_t msm_pairs(std::size_t chunk_entries) noexcept {
  return (chunk_entries / 2 + 31) / 16 * 16;
}

/// Points of a chunk and of the idle lanes of its last SIMD vector.
constexpr std::size_t msm_chunk_points(std::size_t chunk_entries) noexcept {
  return chunk_entries + 8;
}

/// Lanes of 64 buckets: the second level then costs a thirtieth of the first.
constexpr std::size_t msm_lane_buckets(std::size_t buckets) noexcept {
  return std::clamp<std::size_t>(buckets, 1, 64);
}

constexpr MsmLayout layout_msm(const MsmPlan& plan) noexcept {
  MsmLayout at;
  std::size_t end = 0;
  const auto place = [&end](std::size_t bytes) {
    const std::size_t begin = end;
    end += (bytes + 63) / 64 * 64;
    return begin;
  };
  const std::size_t m = plan.slice_points;
  const std::size_t keys = plan.windows() * plan.buckets();
  at.blocks = msm_blocks(plan.windows(), plan.workers);
  at.lane_buckets = msm_lane_buckets(plan.buckets());
  const std::size_t chunks = plan.max_entries() / std::max<std::size_t>(1, plan.chunk_entries) + 1 +
                             3 * plan.workers;  // as MsmChunks may cut them
  at.values = place(m * plan.shape.parts * plan.shape.part_bytes());
  at.points = place(m * sizeof(std::uint32_t));
  at.shorts = place(m * 2 * sizeof(std::uint32_t));
  at.entries = place(plan.max_entries() * sizeof(std::uint32_t));
  at.offsets = place((keys * plan.shape.images + 1) * sizeof(std::uint32_t));
  at.counts = place(at.blocks * keys * plan.shape.images * sizeof(std::uint32_t));
  at.buckets = place(keys * plan.shape.point_bytes);
  at.edges = place(chunks * 2 * (plan.shape.point_bytes + 64));
  // A narrower width chosen later has fewer buckets, but perhaps more lanes: one a window.
  const std::size_t narrow_lanes =
      MsmPlan::windows_for(plan.shape.part_bits, std::min(plan.window_bits, msm_least_narrow_bits));
  at.lanes = place(std::max(keys / at.lane_buckets, narrow_lanes) * 2 * plan.shape.point_bytes);
  const std::size_t picked = msm_most_picked(m);
  at.picked_scalars = place(picked * plan.shape.parts * plan.shape.part_bytes());
  at.picked_bases = place(picked * plan.shape.base_bytes);
  // Points, places and lengths of lists; differences, products, pairs and marks.
  at.scratch_bytes = msm_chunk_points(plan.chunk_entries) * plan.shape.point_bytes +
                     plan.chunk_entries * 2 * sizeof(std::uint32_t) +
                     msm_pairs(plan.chunk_entries) *
                         (2 * plan.shape.element_bytes + 2 * sizeof(void*) + sizeof(std::uint32_t));
  at.scratch_bytes = (at.scratch_bytes + 63) / 64 * 64;
  at.scratch = place(plan.workers * at.scratch_bytes);
  at.total_bytes = end;
  return at;
}

constexpr std::size_t MsmPlan::workspace_bytes() const noexcept {
  return method == MsmMethod::straus ? 0 : layout_msm(*this).total_bytes;
}

}  // namespace zkgpu
