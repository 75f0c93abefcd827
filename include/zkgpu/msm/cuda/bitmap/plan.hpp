// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

namespace zkgpu {

/// Bits of a bitmap whose wide scalars can be found at once: chunks of bases begin at multiples.
constexpr std::size_t cuda_bitmap_block = std::size_t{1} << 14;

/// How sums with bitmaps of scalars are cut up: all of them in one pass over the bases.
///
/// The bases of ones are listed, bitmap after bitmap, so the list is sorted as it is; it is halved
/// and summed like one of a sum with a bucket for each bitmap. Wide scalars are summed by signed
/// digits, bitmap after bitmap.
struct CudaMsmBitmapPlan {
  CudaMsmPlan sum;              ///< of the bases; chunk_points: wide scalars in work at a time
  std::size_t bitmaps = 1;      ///< at most 2^16
  bool slots = false;           ///< bases come in chunks; else they are on the device
  std::size_t chunk_bases = 0;  ///< of one such chunk
  std::size_t ones_bases = 0;   ///< whose ones are listed at a time; of all bitmaps

  /// The sum of the ones as one of a bucket for each bitmap.
  [[nodiscard]] constexpr CudaMsmPlan ones() const noexcept {
    CudaMsmPlan plan = sum;
    plan.n = plan.chunk_points = bitmaps * ones_bases;
    plan.window_bits = plan.windows = plan.tables = 1;
    plan.groups = static_cast<unsigned>(bitmaps);
    return plan;
  }
  /// The sum of one bitmap without wide scalars: of its one bucket.
  [[nodiscard]] constexpr CudaMsmPlan lone_bucket() const noexcept {
    CudaMsmPlan plan = ones();
    plan.groups = 1;
    return plan;
  }
  /// The sum of wide scalars that are in work at a time; they are numbered by themselves.
  [[nodiscard]] constexpr CudaMsmPlan wide() const noexcept {
    CudaMsmPlan plan = sum;
    plan.n = plan.chunk_points;
    return plan;
  }
  /// Sets of buckets: where bases come in chunks, those of all bitmaps are kept.
  [[nodiscard]] constexpr std::size_t bucket_sets() const noexcept { return slots ? bitmaps : 1; }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept;

  friend bool operator==(const CudaMsmBitmapPlan&, const CudaMsmBitmapPlan&) = default;
};

/// Where the arrays of sums with bitmaps stand in their workspace. From its beginning on are those
/// of the list in work, of ones or of digits.
struct CudaMsmBitmapLayout {
  std::size_t sets = 0;           ///< buckets
  std::size_t ones = 0;           ///< a sum for each bitmap, and one of the list in work
  std::size_t counts = 0;         ///< u32 for each bitmap: ones listed before its own
  std::size_t wide_infinity = 0;  ///< u8 for each wide scalar in work
  std::size_t bases[2] = {};      ///< of each slot
  std::size_t infinity[2] = {};
  std::size_t total_bytes = 0;
};

constexpr CudaMsmBitmapLayout layout_cuda_msm_bitmap(const CudaMsmBitmapPlan& plan) noexcept {
  CudaMsmBitmapLayout at;
  std::size_t end = std::max(plan.ones().workspace_bytes(), plan.wide().workspace_bytes());
  const auto place = [&end](std::size_t bytes) {
    const std::size_t begin = end;
    end += (bytes + 255) / 256 * 256;
    return begin;
  };
  const std::size_t bucket = plan.sum.shape.bucket_bytes;
  at.sets = place(plan.bucket_sets() * plan.sum.all_buckets() * bucket);
  at.ones = place(2 * plan.bitmaps * bucket);
  at.counts = place(plan.bitmaps * sizeof(std::uint32_t));
  at.wide_infinity = place(plan.sum.chunk_points);
  if (plan.slots) {
    for (int slot = 0; slot < 2; ++slot) {
      at.bases[slot] = place(plan.chunk_bases * plan.sum.shape.affine_bytes);
      at.infinity[slot] = place(plan.chunk_bases);
    }
  }
  at.total_bytes = end;
  return at;
}

constexpr std::size_t CudaMsmBitmapPlan::workspace_bytes() const noexcept {
  return sum.n == 0 || bitmaps == 0 ? 0 : layout_cuda_msm_bitmap(*this).total_bytes;
}

/// Scalars of sums with bitmaps, as far as a plan looks.
struct CudaMsmBitmapSizes {
  std::size_t n = 0;
  std::size_t wide = 0;  ///< about how many scalars of a bitmap are neither 0 nor 1
  std::size_t bitmaps = 1;
};

/// The plan of bases for sums with bitmaps, with the least work for tables of at most
/// `table_bytes`: narrower windows than for n uniform scalars.
constexpr CudaMsmPlan plan_cuda_msm_bitmap_bases(const CudaMsmShape& shape,
                                                 const CudaMsmBitmapSizes& sizes,
                                                 std::size_t table_bytes,
                                                 const DeviceProperties& machine) noexcept {
  const std::size_t n = sizes.n;
  CudaMsmPlan best = plan_cuda_msm_with(shape, n, 4, 1, machine);
  std::size_t least = static_cast<std::size_t>(-1);
  const std::size_t fit =
      n == 0 ? 1 : std::max<std::size_t>(1, table_bytes / (n * shape.affine_bytes));
  for (unsigned c = 4; c <= 24; ++c) {
    const auto tables =
        static_cast<unsigned>(std::min<std::size_t>(fit, (shape.scalar_bits + c) / c));
    const CudaMsmPlan plan = plan_cuda_msm_with(shape, n, c, tables, machine);
    if (n != 0 && n * plan.tables > std::size_t{1} << 31) continue;
    if (plan.all_buckets() * shape.bucket_bytes > cuda_msm_most_bucket_bytes) continue;
    const std::size_t cost = cuda_msm_cost(plan, sizes.wide, 1);
    if (cost < least) {
      least = cost;
      best = plan;
    }
  }
  return best;
}

namespace detail {

/// A power of two of wide scalars that is no more than the entries of a list allow.
constexpr std::size_t cuda_bitmap_batch(const CudaMsmPlan& bases, std::size_t wide) noexcept {
  std::size_t batch = 256;
  while (batch < wide && batch < bases.chunk_points && 4 * batch * bases.tables <= 1u << 31 &&
         2 * batch * bases.windows <= std::size_t{1} << 28) {
    batch *= 2;
  }
  return batch;
}

/// `plan` with shorter lists, down to the shortest: does it fit now?
constexpr bool shrink_cuda_bitmap(CudaMsmBitmapPlan& plan, std::size_t bytes) noexcept {
  const std::size_t least = std::min(cuda_bitmap_block, plan.ones_bases);
  while (plan.workspace_bytes() > bytes) {
    const bool long_ones = plan.ones().workspace_bytes() >= plan.wide().workspace_bytes();
    if (long_ones && plan.ones_bases > least) {
      plan.ones_bases =
          std::max(least, plan.ones_bases / 2 / cuda_bitmap_block * cuda_bitmap_block);
    } else if (plan.sum.chunk_points > 256) {
      plan.sum.chunk_points /= 2;
    } else if (plan.ones_bases > least) {
      plan.ones_bases = least;
    } else {
      return false;
    }
  }
  return true;
}

/// Bases whose ones make a list of at most 2^26.
constexpr std::size_t cuda_bitmap_ones_bases(std::size_t bases, std::size_t bitmaps) noexcept {
  const std::size_t most = (std::size_t{1} << 26) / std::max<std::size_t>(1, bitmaps);
  return std::min(bases, std::max(cuda_bitmap_block, most / cuda_bitmap_block * cuda_bitmap_block));
}

inline ResourceExhausted cuda_bitmap_too_large(const CudaMsmBitmapPlan& least, std::size_t bytes) {
  return ResourceExhausted("msm: " + std::to_string(least.bitmaps) + " bitmaps over " +
                           std::to_string(least.sum.n) + " bases: at least " +
                           std::to_string(least.workspace_bytes()) +
                           " bytes of the device wanted, " + std::to_string(bytes) + " free");
}

}  // namespace detail

/// The plan of sums with bitmaps over bases on the device.
///
/// @param bases  their plan; with any window width and tables
/// @param bytes  of the device that the workspace may take
/// @throws ResourceExhausted with the bytes wanted and free, if no plan is that small
inline CudaMsmBitmapPlan plan_cuda_msm_bitmap(const CudaMsmPlan& bases,
                                              const CudaMsmBitmapSizes& sizes, std::size_t bytes) {
  CudaMsmBitmapPlan plan;
  plan.sum = bases;
  plan.sum.chunk_points = detail::cuda_bitmap_batch(bases, sizes.wide);
  plan.bitmaps = sizes.bitmaps;
  plan.chunk_bases = bases.n;
  plan.ones_bases = detail::cuda_bitmap_ones_bases(bases.n, sizes.bitmaps);
  if (!detail::shrink_cuda_bitmap(plan, bytes)) throw detail::cuda_bitmap_too_large(plan, bytes);
  return plan;
}

/// The plan of sums with bitmaps over bases that come to the device in chunks, once for all.
///
/// @throws ResourceExhausted as above
inline CudaMsmBitmapPlan plan_cuda_msm_bitmap_streamed(const CudaMsmShape& shape,
                                                       const CudaMsmBitmapSizes& sizes,
                                                       std::size_t bytes,
                                                       const DeviceProperties& machine) {
  CudaMsmBitmapPlan plan;
  plan.bitmaps = sizes.bitmaps;
  plan.slots = true;
  constexpr std::size_t block = cuda_bitmap_block;
  // Eight chunks, of at most 2^22: what comes first is not summed meanwhile.
  plan.chunk_bases = std::min(
      {sizes.n, std::size_t{1} << 22, std::max(block, (sizes.n / 8 + block - 1) / block * block)});
  CudaMsmPlan bases = plan_cuda_msm_bitmap_bases(shape, sizes, 0, machine);
  for (;;) {
    plan.sum = bases;
    plan.sum.chunk_points =
        detail::cuda_bitmap_batch(bases, std::min(sizes.wide, plan.chunk_bases));
    plan.ones_bases = detail::cuda_bitmap_ones_bases(plan.chunk_bases, sizes.bitmaps);
    if (detail::shrink_cuda_bitmap(plan, bytes)) return plan;
    if (plan.chunk_bases > block) {
      plan.chunk_bases = std::max(block, plan.chunk_bases / 2 / block * block);
    } else if (bases.window_bits > 4) {  // fewer buckets for every bitmap
      bases = plan_cuda_msm_with(shape, sizes.n, bases.window_bits - 1, 1, machine);
    } else {
      throw detail::cuda_bitmap_too_large(plan, bytes);
    }
  }
}

/// One line for logs and tests.
inline std::string to_string(const CudaMsmBitmapPlan& plan) {
  return std::to_string(plan.bitmaps) + " bitmaps, ones of " + std::to_string(plan.ones_bases) +
         " bases at a time, " +
         (plan.slots ? std::to_string(plan.chunk_bases) + " in a slot, " : "") +
         to_string(plan.sum);
}

}  // namespace zkgpu
