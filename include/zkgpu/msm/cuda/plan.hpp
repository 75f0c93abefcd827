// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/msm/cuda/tuned/rows.hpp>

namespace zkgpu {

/// What a device plan must know of a group.
struct CudaMsmShape {
  std::size_t affine_bytes = 0;
  std::size_t bucket_bytes = 0;
  unsigned scalar_bits = 0;         ///< of a scalar below half the order
  unsigned threads_per_unit = 256;  ///< that accumulate at a time on one multiprocessor

  /// Threads that add pairs at a time on one multiprocessor.
  [[nodiscard]] constexpr std::size_t pair_threads() const noexcept;

  friend bool operator==(const CudaMsmShape&, const CudaMsmShape&) = default;
};

constexpr unsigned cuda_pair_block = 128;  ///< threads that add pairs in one block

/// Blocks that add pairs on one multiprocessor at a time: as many as spill nothing.
constexpr unsigned cuda_pair_blocks(std::size_t affine_bytes) noexcept {
  return affine_bytes > 128 ? 2 : 4;
}
constexpr std::size_t CudaMsmShape::pair_threads() const noexcept {
  return std::size_t{cuda_pair_block} * cuda_pair_blocks(affine_bytes);
}

/// Points [first, first + points) of a sum.
struct CudaMsmChunk {
  std::size_t first = 0;
  std::size_t points = 0;
};

/// How an MSM is cut up on a device.
///
/// Scalars have `windows` signed digits of c bits. Window w reads the multiple 2^(c·groups·(w /
/// groups)) of its base from a table and adds it to the buckets of group w mod groups: with tables
/// = windows there is one group of buckets and no doubling at the end, with tables = 1 there is no
/// table.
struct CudaMsmPlan {
  std::size_t n = 0;
  CudaMsmShape shape;
  unsigned window_bits = 1;      ///< c
  unsigned windows = 1;          ///< ⌈(scalar_bits + 1)/c⌉
  unsigned tables = 1;           ///< multiples kept of each base
  unsigned groups = 1;           ///< ⌈windows/tables⌉
  std::size_t chunk_points = 0;  ///< points in work at a time
  std::size_t pair_entries = 0;  ///< entries in rounds of affine additions at a time; even
  /// From here on a chunk's digits that are not zero are counted before they are sorted, since
  /// zeros may be most of them; and only then there are rounds.
  std::size_t counted_entries = std::size_t{1} << 21;
  std::size_t units = 1;  ///< multiprocessors

  [[nodiscard]] constexpr unsigned bucket_bits() const noexcept { return window_bits - 1; }
  /// Buckets of one group: digits d and -d share one.
  [[nodiscard]] constexpr std::size_t buckets() const noexcept {
    return std::size_t{1} << bucket_bits();
  }
  [[nodiscard]] constexpr std::size_t all_buckets() const noexcept { return groups * buckets(); }
  [[nodiscard]] constexpr std::size_t chunks() const noexcept {
    return chunk_points == 0 ? 0 : (n + chunk_points - 1) / chunk_points;
  }
  [[nodiscard]] constexpr std::size_t chunk_entries() const noexcept {
    return chunk_points * windows;
  }
  /// The distance of two arrays of entries that are side by side.
  [[nodiscard]] constexpr std::size_t padded_entries() const noexcept {
    return (chunk_entries() + 63) / 64 * 64;
  }
  [[nodiscard]] constexpr std::size_t table_bytes() const noexcept {
    return std::size_t{tables} * n * shape.affine_bytes;
  }
  /// Threads that share `entries` equally: whole waves of what the device holds, about 128 each.
  [[nodiscard]] constexpr std::size_t segments(std::size_t entries) const noexcept {
    const std::size_t resident = units * shape.threads_per_unit;
    const std::size_t waves =
        std::max<std::size_t>(1, (entries + resident * 128 - 1) / (resident * 128));
    return std::min(entries, waves * resident);
  }
  [[nodiscard]] constexpr std::size_t max_segments() const noexcept {
    return units * shape.threads_per_unit +
           chunk_entries() / 64;  // segments of more than 64 entries, or one wave
  }

  /// Rounds that halve a list of `entries` before it is summed in XYZZ: while every thread has 12
  /// pairs to share an inversion, and a bucket three entries; 8 pairs and one and a half entries in
  /// G2, where that sum is dearer.
  [[nodiscard]] constexpr unsigned pair_rounds(std::size_t entries) const noexcept {
    std::size_t n = std::min(entries, pair_entries);
    unsigned rounds = 0;
    if (chunk_entries() < counted_entries) return 0;
    const std::size_t least_halves = all_buckets() * (large_points() ? 3 : 6);
    while (n >= least_pair_entries() && 2 * (entries >> rounds) >= least_halves) {
      n /= 2;
      ++rounds;
    }
    return rounds;
  }
  /// Warps that share the pairs of a list: about 128 pairs a lane, whole waves.
  [[nodiscard]] constexpr std::size_t pair_tiles(std::size_t elements) const noexcept {
    const std::size_t resident = units * shape.pair_threads();
    const std::size_t waves = std::max<std::size_t>(1, elements / (2 * 128 * resident));
    return waves * resident / 32;
  }
  /// Lists that the entries are cut into for the rounds.
  [[nodiscard]] constexpr std::size_t pair_lists(std::size_t entries) const noexcept {
    return pair_entries == 0 ? 0 : (entries + pair_entries - 1) / pair_entries;
  }
  /// The most elements that a list of n has after a round: neighbours that are apart both stay, and
  /// there are fewer of these pairs than keys.
  [[nodiscard]] constexpr std::size_t after_round(std::size_t n) const noexcept {
    return std::min(n, n / 2 + all_buckets() + 1);
  }
  /// The most elements that all rounds of `entries` leave.
  [[nodiscard]] constexpr std::size_t after_rounds(std::size_t entries) const noexcept {
    const std::size_t lists = pair_lists(entries);
    return std::min(entries, (entries >> pair_rounds(entries)) + 2 * all_buckets() + 4 * lists);
  }
  /// The most of that for any list that `chunk_points` give.
  [[nodiscard]] constexpr std::size_t most_after_rounds() const noexcept {
    const std::size_t entries = chunk_entries();
    if (pair_rounds(entries) == 0) return 0;
    return std::min(entries, (entries >> pair_rounds(entries)) + least_pair_entries() +
                                 5 * all_buckets() + 4 * pair_lists(entries));
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept;

  friend bool operator==(const CudaMsmPlan&, const CudaMsmPlan&) = default;

 private:
  [[nodiscard]] constexpr bool large_points() const noexcept { return shape.affine_bytes > 128; }
  [[nodiscard]] constexpr std::size_t least_pair_entries() const noexcept {
    return 2 * (large_points() ? 8 : 12) * units * shape.pair_threads();
  }
};

/// Where the arrays of an MSM stand in its workspace: byte offsets, 256-byte aligned.
struct CudaMsmLayout {
  std::size_t count = 0;    ///< u32: entries written
  std::size_t keys = 0;     ///< u32 twice: buckets of the entries, and room to sort
  std::size_t entries = 0;  ///< u32 twice: place in the table, and the sign in bit 31
  std::size_t sort = 0;     ///< scratch of the sort
  std::size_t sort_bytes = 0;
  std::size_t buckets = 0;        ///< sums
  std::size_t chunk_buckets = 0;  ///< sums of a later chunk, where there are several
  std::size_t head_keys = 0;      ///< u32: runs that began in an earlier segment, level after level
  std::size_t head_sums = 0;
  std::size_t pair_state = 0;     ///< u32: elements joined, then of the lists of each round
  std::size_t pair_ahead = 0;     ///< u32: for each tile, and the end
  std::size_t pair_keys[2] = {};  ///< u32: lists after an odd and an even number of rounds
  std::size_t pair_points[2] = {};
  std::size_t pair_products = 0;  ///< a coordinate for each pair of a list
  std::size_t joined_points = 0;  ///< what all rounds leave; keys and places are where sorting was
  std::size_t lines = 0;          ///< sums of rows and of columns of each group's buckets
  std::size_t terms = 0;          ///< one for each bit
  std::size_t total_bytes = 0;
};

constexpr std::size_t cuda_msm_block = 128;  ///< heads that one block merges

constexpr CudaMsmLayout layout_cuda_msm(const CudaMsmPlan& plan) noexcept {
  CudaMsmLayout at;
  std::size_t end = 0;
  const auto place = [&end](std::size_t bytes) {
    const std::size_t begin = end;
    end += (bytes + 255) / 256 * 256;
    return begin;
  };
  const std::size_t entries = plan.chunk_entries();
  // Radix sort with alternating buffers needs histograms and look-back state only.
  at.sort_bytes = (std::size_t{16} << 20) + entries / 8;
  std::size_t heads = plan.max_segments() + 1;  // one for what the last level does not write
  for (std::size_t level = heads; level > 1;) {
    level = (level + cuda_msm_block - 1) / cuda_msm_block;
    heads += level;
  }
  at.count = place(sizeof(std::uint32_t));
  at.keys = place(2 * plan.padded_entries() * sizeof(std::uint32_t));
  at.entries = place(2 * plan.padded_entries() * sizeof(std::uint32_t));
  at.sort = place(at.sort_bytes);
  at.buckets = place(plan.all_buckets() * plan.shape.bucket_bytes);
  if (plan.chunk_points < plan.n) {
    at.chunk_buckets = place(plan.all_buckets() * plan.shape.bucket_bytes);
  }
  at.head_keys = place(heads * sizeof(std::uint32_t));
  at.head_sums = place(heads * plan.shape.bucket_bytes);
  if (plan.pair_rounds(entries) > 0) {
    const std::size_t list = std::min(entries, plan.pair_entries);
    const std::size_t after[2] = {plan.after_round(list), plan.after_round(plan.after_round(list))};
    at.pair_state = place(64 * sizeof(std::uint32_t));
    at.pair_ahead = place((plan.pair_tiles(list) + 1) * sizeof(std::uint32_t));
    for (int k = 0; k < 2; ++k) {
      at.pair_keys[k] = place(after[k] * sizeof(std::uint32_t));
      at.pair_points[k] = place((after[k] + 31) / 32 * 32 * plan.shape.affine_bytes);
    }
    at.pair_products = place((list / 2 + 32) / 32 * 32 * plan.shape.affine_bytes / 2);
    at.joined_points = place(plan.most_after_rounds() * plan.shape.affine_bytes);
  }
  const unsigned low = plan.bucket_bits() / 2;
  const unsigned high = plan.bucket_bits() - low;
  at.lines = place(plan.groups * ((std::size_t{1} << low) + (std::size_t{1} << high)) *
                   plan.shape.bucket_bytes);
  at.terms = place(std::size_t{plan.groups} * plan.window_bits * plan.shape.bucket_bytes);
  at.total_bytes = end;
  return at;
}

constexpr std::size_t CudaMsmPlan::workspace_bytes() const noexcept {
  return n == 0 ? 0 : layout_cuda_msm(*this).total_bytes;
}

/// The same sum with windows of c bits and `tables` multiples of each base.
constexpr CudaMsmPlan plan_cuda_msm_with(const CudaMsmShape& shape, std::size_t n,
                                         unsigned window_bits, unsigned tables,
                                         const DeviceProperties& machine) noexcept {
  // An eighth of the memory, at 16 bytes an entry. Later chunks add to buckets that hold sums, a
  // whole addition by one lane at a time: 2^26 points in three chunks took 2.4 times as long.
  const std::size_t most_entries =
      machine.memory_bytes == 0
          ? std::size_t{1} << 28
          : std::clamp(machine.memory_bytes / 128, std::size_t{1} << 24, std::size_t{1} << 30);
  CudaMsmPlan plan;
  plan.n = n;
  plan.shape = shape;
  plan.units = std::max<std::size_t>(1, machine.compute_units);
  plan.window_bits = window_bits;
  plan.windows = (shape.scalar_bits + window_bits) / window_bits;
  const unsigned wanted = std::min(std::max(1u, tables), plan.windows);
  plan.groups = (plan.windows + wanted - 1) / wanted;
  plan.tables = (plan.windows + plan.groups - 1) / plan.groups;
  plan.chunk_points = std::min(n, most_entries / plan.windows);
  // Lists of the rounds take 96 or 192 bytes an entry: an eleventh or a fifth of the memory.
  plan.pair_entries = machine.memory_bytes == 0
                          ? std::size_t{1} << 25
                          : std::clamp(machine.memory_bytes / 1024 / 4096 * 4096,
                                       std::size_t{1} << 22, std::size_t{1} << 26);
  return plan;
}

constexpr std::size_t cuda_msm_most_bucket_bytes = std::size_t{2} << 30;

/// What a sum of `points` scalars in `chunks` chunks takes, in tenths of nanoseconds of the H200,
/// G1: an entry 3, or 4 where there are no rounds; a bucket 31, for the entries that rounds leave
/// it and its two additions at the end (2^22: 0.6 and about 1 ms for 2^19 buckets), and 27 for each
/// further chunk, whose buckets are added to the first one's; the doublings at the end go one by
/// one.
constexpr std::size_t cuda_msm_cost(const CudaMsmPlan& plan, std::size_t points,
                                    std::size_t chunks) noexcept {
  const std::size_t entry = plan.pair_rounds(plan.chunk_entries()) > 0 ? 3 : 4;
  const std::size_t doublings = std::size_t{plan.groups} * plan.window_bits;
  const std::size_t bucket = 31 + 27 * (std::max<std::size_t>(1, chunks) - 1);
  return points * plan.windows * entry + plan.all_buckets() * bucket +
         doublings * std::size_t{8000};
}

/// The plan that was the fastest when measured on such a device, for about as many points and no
/// more than `tables` multiples; its n is 0 if none was measured.
constexpr CudaMsmPlan plan_cuda_msm_tuned(const CudaMsmShape& shape, std::size_t n,
                                          std::size_t tables,
                                          const DeviceProperties& machine) noexcept {
  CudaMsmTunedRow wanted;
  wanted.architecture = machine.architecture;
  wanted.compute_units = static_cast<unsigned>(machine.compute_units);
  wanted.affine_bytes = static_cast<unsigned>(shape.affine_bytes);
  const CudaMsmTunedRow* const row = find_cuda_msm_tuned(cuda_msm_tuned_rows, wanted, n, tables);
  if (row == nullptr) return {};
  CudaMsmPlan plan = plan_cuda_msm_with(shape, n, row->window_bits, row->tables, machine);
  plan.chunk_points = std::min(plan.chunk_points, (n + row->chunks - 1) / row->chunks);
  return plan;
}

/// The plan for tables of at most `table_bytes` (0: the bases alone): a measured one, or else that
/// with the least work.
constexpr CudaMsmPlan plan_cuda_msm(const CudaMsmShape& shape, std::size_t n,
                                    std::size_t table_bytes,
                                    const DeviceProperties& machine) noexcept {
  const std::size_t fit =
      n == 0 ? 1 : std::max<std::size_t>(1, table_bytes / (n * shape.affine_bytes));
  CudaMsmPlan best = plan_cuda_msm_tuned(shape, n, fit, machine);
  if (best.n != 0) return best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (unsigned c = 4; c <= 24; ++c) {
    const unsigned windows = (shape.scalar_bits + c) / c;
    const auto tables = static_cast<unsigned>(std::min<std::size_t>(fit, windows));
    const CudaMsmPlan plan = plan_cuda_msm_with(shape, n, c, tables, machine);
    if (n != 0 && n * plan.tables > std::size_t{1} << 31) continue;  // an entry has 31 bits
    if (plan.all_buckets() * shape.bucket_bytes > cuda_msm_most_bucket_bytes) continue;
    const std::size_t cost = cuda_msm_cost(plan, n, plan.chunks());
    if (cost < least) {
      least = cost;
      best = plan;
    }
  }
  return best;
}

/// One line for logs and tests.
inline std::string to_string(const CudaMsmPlan& plan) {
  return "msm of " + std::to_string(plan.n) + " points: " + std::to_string(plan.windows) +
         " windows of " + std::to_string(plan.window_bits) + " bits, " +
         std::to_string(plan.tables) + " tables, " + std::to_string(plan.groups) +
         " groups of buckets, chunks of " + std::to_string(plan.chunk_points) + " points";
}

}  // namespace zkgpu
