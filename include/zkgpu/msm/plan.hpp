// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/curve/curve.hpp>

namespace zkgpu {

/// What a plan must know of a group and of the form in which its points are summed.
struct MsmShape {
  std::size_t point_bytes = 0;
  std::size_t element_bytes = 0;  ///< one coordinate
  std::size_t base_bytes = 0;     ///< an affine point
  unsigned images = 1;            ///< of a base (endomorphism): each has its own list in a bucket
  unsigned parts = 1;             ///< short scalars that one scalar is split into
  unsigned part_bits = 0;         ///< a part, with its sign, as a two's complement integer

  /// The 64-bit words of a part.
  [[nodiscard]] constexpr std::size_t part_bytes() const noexcept {
    return (part_bits + 63) / 64 * 8;
  }
  friend bool operator==(const MsmShape&, const MsmShape&) = default;
};

/// For messages.
inline std::string to_string(const MsmShape& shape) {
  return std::to_string(shape.parts) + " parts of " + std::to_string(shape.part_bits) +
         " bits, bases of " + std::to_string(shape.base_bytes) + " bytes, points of " +
         std::to_string(shape.point_bytes);
}

/// What a plan that was changed by hand may say: far beyond what is of use, and no size of the
/// workspace overflows.
inline constexpr std::size_t msm_most_workers = std::size_t{1} << 16;
inline constexpr std::size_t msm_most_chunk_entries = std::size_t{1} << 28;

/// straus: one doubling chain for all points, a small table for each. buckets: Pippenger.
enum class MsmMethod { straus, buckets };

/// How one multi-scalar multiplication is cut up. How may be changed by hand (`with_*`, or any
/// field but n and shape): the result is the same point. What cannot be is refused when the sum
/// begins.
struct MsmPlan {
  static constexpr unsigned max_window_bits = 22;

  std::size_t n = 0;
  MsmShape shape;
  MsmMethod method = MsmMethod::buckets;
  unsigned window_bits = 1;       ///< c: digits are in [-2^(c-1), 2^(c-1)]
  bool narrow = true;             ///< take a smaller c when few scalars prove to be long
  std::size_t slice_points = 0;   ///< points in work at a time, <= n: bounds the workspace
  std::size_t chunk_entries = 0;  ///< (point, bucket) pairs that one task sums in its cache
  std::size_t workers = 1;        ///< tasks at a time

  /// Windows of c bits that hold a part in signed digits.
  [[nodiscard]] static constexpr unsigned windows_for(unsigned part_bits, unsigned c) noexcept {
    return c == 0 ? 0 : (part_bits + c - 1) / c;  // a plan with windows of 0 bits is refused
  }
  [[nodiscard]] constexpr unsigned windows() const noexcept {
    return windows_for(shape.part_bits, window_bits);
  }
  /// Buckets of one window: digits d and -d share one.
  [[nodiscard]] constexpr std::size_t buckets() const noexcept {
    return window_bits == 0 ? 0 : std::size_t{1} << (window_bits - 1);
  }
  [[nodiscard]] constexpr std::size_t slices() const noexcept {
    return slice_points == 0 ? 0 : (n + slice_points - 1) / slice_points;
  }
  /// Pairs of a part and a window: the most entries that a slice can have.
  [[nodiscard]] constexpr std::size_t max_entries() const noexcept {
    return slice_points * shape.parts * windows();
  }
  [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept;

  /// The same sum in windows of c bits, 1 <= c <= max_window_bits; for tests and tuning.
  [[nodiscard]] constexpr MsmPlan with_window_bits(unsigned c) const noexcept {
    MsmPlan plan = *this;
    plan.method = MsmMethod::buckets;
    plan.window_bits = c;
    plan.narrow = false;
    return plan;
  }
  [[nodiscard]] constexpr MsmPlan with_workers(std::size_t count) const noexcept {
    MsmPlan plan = *this;
    plan.workers = count;
    return plan;
  }
  friend bool operator==(const MsmPlan&, const MsmPlan&) = default;
};

/// How many parts of scalars have how many bits.
struct PartLengths {
  static constexpr unsigned max_bits = 256;
  std::size_t count[max_bits + 1] = {};

  [[nodiscard]] constexpr unsigned longest() const noexcept {
    unsigned bits = max_bits;
    while (bits > 0 && count[bits] == 0) --bits;
    return bits;
  }
  /// Digits that are not zero by their place: the most entries that windows of c >= 2 bits can
  /// have.
  ///
  /// A digit of 2^(c-1) becomes its negative and a carry, so a part may reach one bit beyond its
  /// sign: never beyond the windows there are, since the digits of the top one do not carry.
  [[nodiscard]] constexpr std::size_t entries(unsigned c) const noexcept {
    const unsigned windows = MsmPlan::windows_for(longest() + 1, c);
    std::size_t sum = 0;
    for (unsigned bits = 1; bits <= max_bits; ++bits) {
      sum += count[bits] * std::min(windows, MsmPlan::windows_for(bits + 2, c));
    }
    return sum;
  }
};

/// The window width in [least, most] that costs least, in additions: one for each entry, three for
/// each bucket: two, and as much for its memory, which is touched for it alone.
constexpr unsigned best_window_bits(const PartLengths& lengths, unsigned least,
                                    unsigned most) noexcept {
  unsigned best = least;
  std::size_t lowest = static_cast<std::size_t>(-1);
  const unsigned bits = lengths.longest() + 1;
  for (unsigned c = least; c <= most; ++c) {
    const std::size_t buckets = std::size_t{MsmPlan::windows_for(bits, c)} << (c - 1);
    const std::size_t cost = lengths.entries(c) + 3 * buckets;
    if (cost < lowest) {
      lowest = cost;
      best = c;
    }
  }
  return best;
}

/// Up to here buckets have nothing to share.
inline constexpr std::size_t msm_straus_points = 16;

/// The plan for n points of a group on a machine.
constexpr MsmPlan plan_msm(const MsmShape& shape, std::size_t n,
                           const DeviceProperties& machine) noexcept {
  constexpr std::size_t slice_parts = std::size_t{1} << 21;  // bounds the workspace
  MsmPlan plan;
  plan.n = n;
  plan.shape = shape;
  plan.workers = std::clamp<std::size_t>(machine.compute_units, 1, msm_most_workers);
  plan.method = n <= msm_straus_points ? MsmMethod::straus : MsmMethod::buckets;
  const std::size_t most = slice_parts / shape.parts;
  const std::size_t slices = std::max<std::size_t>(1, (n + most - 1) / most);
  plan.slice_points = (n + slices - 1) / slices;
  PartLengths lengths;
  lengths.count[shape.part_bits - 1] = plan.slice_points * shape.parts;
  plan.window_bits = best_window_bits(lengths, 2, 17);
  // The points of a chunk, their differences and products stay in half of a core's cache.
  const std::size_t cache =
      machine.unit_cache_bytes == 0 ? std::size_t{1} << 20 : machine.unit_cache_bytes;
  const std::size_t fit = cache / 2 / (shape.point_bytes + shape.element_bytes + 18);
  const std::size_t share = plan.max_entries() / (4 * plan.workers);
  plan.chunk_entries = std::clamp<std::size_t>(std::min(fit, share), 256, 8192);
  return plan;
}

/// One line for logs and tests.
inline std::string to_string(const MsmPlan& plan) {
  std::string text = "msm of " + std::to_string(plan.n) + " points: ";
  if (plan.method == MsmMethod::straus) return text + "straus";
  return text + std::to_string(plan.slices()) + " slices, " + std::to_string(plan.windows()) +
         " windows of " + std::to_string(plan.window_bits) + " bits, chunks of " +
         std::to_string(plan.chunk_entries) + ", " + std::to_string(plan.workers) + " workers";
}

}  // namespace zkgpu

#include <zkgpu/msm/layout.hpp>  // defines MsmPlan::workspace_bytes
