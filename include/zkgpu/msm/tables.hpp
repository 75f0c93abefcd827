// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/plan.hpp>

namespace zkgpu {

/// How a sum over bases with tables is cut up.
///
/// A part of a scalar has `windows` signed digits of c bits. Window w reads the multiple
/// 2^(c·groups·(w / groups)) of its base from a table and adds it to the buckets of group w mod
/// groups: with tables = windows there is one group of buckets and no doubling at the end, with
/// tables = 1 nothing is saved.
struct MsmTablePlan {
  MsmShape shape;       ///< of the group
  unsigned tables = 1;  ///< multiples kept of each base
  /// As what it is summed: each part of a scalar cut into `tables` parts of c·groups bits.
  MsmPlan sum;

  [[nodiscard]] constexpr unsigned window_bits() const noexcept { return sum.window_bits; }
  [[nodiscard]] constexpr unsigned windows() const noexcept {
    return MsmPlan::windows_for(shape.part_bits, sum.window_bits);
  }
  /// Sets of buckets.
  [[nodiscard]] constexpr unsigned groups() const noexcept { return sum.windows(); }
  [[nodiscard]] constexpr std::size_t table_points() const noexcept { return sum.n * tables; }
  [[nodiscard]] constexpr std::size_t table_bytes() const noexcept {
    return table_points() * shape.base_bytes;
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept {
    return sum.workspace_bytes();
  }
  [[nodiscard]] constexpr MsmTablePlan with_workers(std::size_t count) const noexcept {
    MsmTablePlan plan = *this;
    plan.sum.workers = count;
    return plan;
  }
  friend bool operator==(const MsmTablePlan&, const MsmTablePlan&) = default;
};

/// The sum of n points in windows of c bits with `tables` multiples of each base, or fewer where as
/// many groups of buckets need no more.
///
/// @pre 2 <= window_bits <= MsmPlan::max_window_bits
constexpr MsmTablePlan plan_msm_tables_with(const MsmShape& shape, std::size_t n,
                                            unsigned window_bits, unsigned tables,
                                            const DeviceProperties& machine) noexcept {
  MsmTablePlan plan;
  plan.shape = shape;
  const unsigned windows = MsmPlan::windows_for(shape.part_bits, window_bits);
  const unsigned wanted = std::clamp(tables, 1U, windows);
  const unsigned groups = (windows + wanted - 1) / wanted;
  plan.tables = (windows + groups - 1) / groups;
  MsmShape cut = shape;
  cut.parts = shape.parts * plan.tables;
  cut.part_bits = window_bits * groups;
  plan.sum = plan_msm(cut, n, machine).with_window_bits(window_bits);
  plan.sum.slice_points = n;
  return plan;
}

/// The plan that costs least for tables of at most `table_bytes`; at least one table,
/// which takes n·base_bytes.
///
/// In additions: one a digit, three a bucket of each group, as in `best_window_bits`.
constexpr MsmTablePlan plan_msm_tables(const MsmShape& shape, std::size_t n,
                                       std::size_t table_bytes,
                                       const DeviceProperties& machine) noexcept {
  const std::size_t one = std::max<std::size_t>(1, n * shape.base_bytes);
  const auto fit =
      static_cast<unsigned>(std::clamp<std::size_t>(table_bytes / one, 1, PartLengths::max_bits));
  MsmTablePlan best;
  std::size_t lowest = static_cast<std::size_t>(-1);
  for (unsigned c = 2; c <= 20; ++c) {
    const MsmTablePlan plan = plan_msm_tables_with(shape, n, c, fit, machine);
    const std::size_t cost =
        n * shape.parts * plan.windows() + 3 * plan.groups() * plan.sum.buckets();
    if (cost < lowest) {
      lowest = cost;
      best = plan;
    }
  }
  return best;
}

/// One line for logs and tests.
inline std::string to_string(const MsmTablePlan& plan) {
  return "msm of " + std::to_string(plan.sum.n) + " points with " + std::to_string(plan.tables) +
         " tables: " + std::to_string(plan.windows()) + " windows of " +
         std::to_string(plan.window_bits()) + " bits in " + std::to_string(plan.groups()) +
         " groups, chunks of " + std::to_string(plan.sum.chunk_entries) + ", " +
         std::to_string(plan.sum.workers) + " workers";
}

/// The bases of MSMs on the CPU with the multiples that a plan asks for; made once, read by any
/// number of MSMs, also at a time.
template <CurveGroup G, CpuArch A>
class CpuMsmBases {
 public:
  using Affine = typename G::Affine;

  /// Makes plan.tables multiples of each base.
  ///
  /// @param bases  plan.sum.n points on the curve, in the group of prime order; (0,0) is infinity
  /// @throws InvalidArgument if the number of bases is not the plan's, or the plan is for another
  ///         group or for too many points; ResourceExhausted if the tables, or some hundred kB a
  ///         worker to make them in, cannot be had
  /// @cost   tables·n·c·groups doublings of 6M + 2S
  CpuMsmBases(const Cpu<A>& cpu, const MsmTablePlan& plan, std::span<const Affine> bases);

  [[nodiscard]] const MsmTablePlan& plan() const noexcept { return plan_; }
  /// plan.tables runs of n points: run j holds 2^(c·groups·j) times each base.
  [[nodiscard]] std::span<const Affine> table() const noexcept { return table_.span(); }

 private:
  MsmTablePlan plan_;
  HostBuffer<Affine> table_;
};

}  // namespace zkgpu
