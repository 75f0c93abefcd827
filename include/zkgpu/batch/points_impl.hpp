// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <string>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/lane_points.hpp>
#include <zkgpu/batch/points.hpp>

namespace zkgpu::batch {

namespace detail {

template <CurveGroup G>
std::span<const std::byte> encoding_of(const EncodedPoints& in, std::size_t i) {
  return in.bytes.subspan(i * in.stride, compressed_bytes<typename G::Params>);
}

inline constexpr std::size_t width = 8;
/// Groups of eight take as long however few of their lanes are used: about as long as two points
/// one by one.
inline constexpr std::size_t fewest_in_lanes = 2;

/// Decodes through lanes: what the bytes alone decide is decided at once, the rest in groups.
template <CurveGroup G, CpuArch A>
class LaneDecoder {
  using Params = typename G::Params;
  using F = typename G::BaseField;
  using Coordinates = zkgpu::detail::Coordinate<F>;

 public:
  LaneDecoder(const EncodedPoints& in, std::span<typename G::Affine> points,
              std::span<PointStatus> statuses)
      : in_(in), points_(points), statuses_(statuses) {}

  void run() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!take(i)) continue;
      if (waiting_ == width) finish_group();
    }
    if (waiting_ >= fewest_in_lanes) {
      finish_group();
    } else if (waiting_ == 1) {
      statuses_[index_[0]] = decode_compressed(encoding_of<G>(in_, index_[0]), points_[index_[0]]);
    }
  }

 private:
  /// Is point i to be decided in lanes? It has its x then. Order of checks as `decode_compressed`.
  bool take(std::size_t i) {
    namespace bits = zkgpu::detail;
    const auto bytes = encoding_of<G>(in_, i);
    const std::byte flags = bytes[0];
    F x{};
    if (!bits::has(flags, bits::compressed_flag) || bits::has(flags, bits::infinity_flag) ||
        !Coordinates::read(bytes.data(), bits::all_flags, x)) {
      statuses_[i] = decode_compressed(bytes, points_[i]);
      return false;
    }
    x_[waiting_] = x;
    larger_[waiting_] = bits::has(flags, bits::larger_y_flag);
    index_[waiting_++] = i;
    return true;
  }

  void finish_group() {
    const F* x[width];
    F* y[width];
    F roots[width];
    for (std::size_t k = 0; k < width; ++k) {
      x[k] = &x_[std::min(k, waiting_ - 1)];  // the last fills the lanes
      y[k] = &roots[k];
    }
    const PointMasks masks = PointLanes<G, A>::decompress(x, y);
    const auto has = [](std::uint8_t mask, std::size_t k) { return (mask >> k & 1) != 0; };
    for (std::size_t k = 0; k < waiting_; ++k) {
      PointStatus& status = statuses_[index_[k]];
      if (!has(masks.on_curve, k)) {
        status = PointStatus::not_on_curve;
        continue;
      }
      const bool flip = Coordinates::is_larger_than_negative(roots[k]) != larger_[k];
      const typename G::Affine p{x_[k], flip ? -roots[k] : roots[k]};
      const bool in = has(masks.undecided, k) ? is_in_subgroup(p) : has(masks.in_subgroup, k);
      status = in ? PointStatus::ok : PointStatus::not_in_subgroup;
      if (in) points_[index_[k]] = p;
    }
    waiting_ = 0;
  }

  const EncodedPoints& in_;
  std::span<typename G::Affine> points_;
  std::span<PointStatus> statuses_;
  std::size_t waiting_ = 0;
  F x_[width];
  bool larger_[width] = {};
  std::size_t index_[width] = {};
};

template <CurveGroup G, CpuArch A>
std::size_t first_outside_in_lanes(std::span<const typename G::Affine> points) {
  for (std::size_t first = 0; first < points.size(); first += width) {
    const std::size_t count = std::min(width, points.size() - first);
    const typename G::Affine* group[width];
    for (std::size_t k = 0; k < width; ++k) group[k] = &points[first + std::min(k, count - 1)];
    const bool alone = count < fewest_in_lanes;
    const PointMasks masks = alone ? PointMasks{0xff, 0, 0xff} : PointLanes<G, A>::check(group);
    for (std::size_t k = 0; k < count; ++k) {
      if ((masks.in_subgroup >> k & 1) != 0) continue;
      if ((masks.undecided >> k & 1) == 0 || !is_in_subgroup(points[first + k])) return first + k;
    }
  }
  return points.size();
}

}  // namespace detail

template <CurveGroup G>
void decode_compressed_points(const EncodedPoints& in, std::span<typename G::Affine> points,
                              std::span<PointStatus> statuses) {
  constexpr std::size_t size = compressed_bytes<typename G::Params>;
  const std::size_t n = points.size();
  if (statuses.size() != n) {
    throw InvalidArgument("points: " + std::to_string(statuses.size()) + " statuses for " +
                          std::to_string(n) + " points");
  }
  if (in.stride < size) {
    throw InvalidArgument("points: encodings of " + std::to_string(size) + " bytes, " +
                          std::to_string(in.stride) + " bytes apart");
  }
  const std::size_t fit = in.bytes.size() < size ? 0 : (in.bytes.size() - size) / in.stride + 1;
  if (fit < n) {
    throw InvalidArgument("points: " + std::to_string(in.bytes.size()) + " bytes hold " +
                          std::to_string(fit) + " encodings " + std::to_string(in.stride) +
                          " bytes apart, of " + std::to_string(n));
  }
  if constexpr (has_point_lanes<G, arch::avx512ifma>) {
    if (selected_cpu_level() >= CpuLevel::avx512ifma) {
      detail::LaneDecoder<G, arch::avx512ifma>(in, points, statuses).run();
      return;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    statuses[i] = decode_compressed(detail::encoding_of<G>(in, i), points[i]);
  }
}

template <CurveGroup G>
std::size_t first_outside_subgroup(std::span<const typename G::Affine> points) {
  if constexpr (has_point_lanes<G, arch::avx512ifma>) {
    if (selected_cpu_level() >= CpuLevel::avx512ifma) {
      return detail::first_outside_in_lanes<G, arch::avx512ifma>(points);
    }
  }
  const auto outside = [](const auto& p) { return !is_in_subgroup(p); };
  return static_cast<std::size_t>(std::find_if(points.begin(), points.end(), outside) -
                                  points.begin());
}

}  // namespace zkgpu::batch
