// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/cpu/lane_engine.hpp>

/// The groups of eight pairs that the kernels work on.
namespace zkgpu::msm_cpu {

/// Where the operands and sums of group g of a batch stand.
template <class Point>
struct GroupOfPairs {
  static constexpr bool has_signs = false;
  const PointPair<Point>* pair;

  GroupOfPairs(const PointPair<Point>* pairs, std::size_t g) noexcept : pair(pairs + 8 * g) {}
  static void prefetch(const PointPair<Point>*, std::size_t) noexcept {}
  [[nodiscard]] const Point& left(std::size_t k) const noexcept { return *pair[k].left; }
  [[nodiscard]] const Point& right(std::size_t k) const noexcept { return *pair[k].right; }
  [[nodiscard]] Point& sum(std::size_t k) const noexcept { return *pair[k].left; }
};

template <class Point>
struct GroupOfEntries {
  static constexpr bool has_signs = true;
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;
  const Point* at[2][8];
  Point* to;
  std::uint8_t negative[2] = {0, 0};

  [[gnu::always_inline]] GroupOfEntries(const EntryPairs<Point>& pairs, std::size_t g) noexcept
      : to(pairs.to + 8 * g) {
    unsigned signs[2] = {0, 0};
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t* const entry = pairs.entries + pairs.first[8 * g + k];
      ZKGPU_UNROLL for (std::size_t side = 0; side < 2; ++side) {
        at[side][k] = pairs.stored + (entry[side] & ~sign_bit);
        signs[side] |= entry[side] >> 31 << k;
      }
    }
    for (std::size_t side = 0; side < 2; ++side)
      negative[side] = static_cast<std::uint8_t>(signs[side]);
  }
  /// Brings the points of group g near.
  [[gnu::always_inline]] static void prefetch(const EntryPairs<Point>& pairs,
                                              std::size_t g) noexcept {
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t* const entry = pairs.entries + pairs.first[8 * g + k];
      ZKGPU_UNROLL for (std::size_t side = 0; side < 2; ++side) {
        const auto* const point =
            reinterpret_cast<const char*>(pairs.stored + (entry[side] & ~sign_bit));
        ZKGPU_UNROLL for (std::size_t line = 0; line < sizeof(Point); line += 64) {
          __builtin_prefetch(point + line, 0, 2);
        }
      }
    }
  }
  [[nodiscard]] const Point& left(std::size_t k) const noexcept { return *at[0][k]; }
  [[nodiscard]] const Point& right(std::size_t k) const noexcept { return *at[1][k]; }
  [[nodiscard]] Point& sum(std::size_t k) const noexcept { return to[k]; }
};

template <class Pairs>
struct GroupOf;
template <class Point>
struct GroupOf<const PointPair<Point>*> {
  using Type = GroupOfPairs<Point>;
};
template <class Point>
struct GroupOf<EntryPairs<Point>> {
  using Type = GroupOfEntries<Point>;
};

}  // namespace zkgpu::msm_cpu
