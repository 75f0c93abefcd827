// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/digits.hpp>
#include <zkgpu/msm/plan.hpp>

namespace zkgpu::msm_cpu {

/// In which form an architecture holds points while it sums them, and how it adds a batch of pairs.
///
/// This one: as they are, one pair after the other. It serves every architecture without a form of
/// its own.
template <CurveGroup G, CpuArch A>
struct Engine {
  using Affine = typename G::Affine;
  using Point = Affine;
  using Element = typename G::BaseField;
  /// Whether points of entries are added where they stand, or are copied first.
  static constexpr bool adds_entries = false;

  static Point infinity() noexcept { return Affine::infinity(); }
  static const Affine& to_affine(const Point& p) noexcept { return p; }
  /// The base, or its negative.
  static Point from_base(const Affine& base, bool negative) noexcept {
    return negative ? -base : base;
  }
  /// points[places[i]] becomes image number `image` of itself, for i < count.
  static void take_images(unsigned image, std::size_t count, Point* points,
                          const std::uint32_t* places) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      Point& p = points[places[i]];
      for (unsigned k = 0; k < image; ++k) p = MsmScalarParts<G>::next_image(p);
    }
  }
  static void add_pairs(std::size_t count, PointPair<Point>* pairs,
                        const PairScratch<Element>& scratch) noexcept {
    zkgpu::add_pairs<typename G::Params>(count, pairs, scratch);
  }
};

/// The architecture whose engine another one takes: those without a form of their own share one
/// text.
template <CpuArch A>
using EngineArch = std::conditional_t<std::derived_from<A, arch::avx512ifma>, A, arch::scalar>;

template <CurveGroup G, CpuArch A>
constexpr MsmShape engine_shape() noexcept {
  return MsmShape{.point_bytes = sizeof(typename Engine<G, A>::Point),
                  .element_bytes = sizeof(typename Engine<G, A>::Element),
                  .base_bytes = sizeof(typename G::Affine),
                  .images = MsmScalarParts<G>::count,
                  .parts = MsmScalarParts<G>::count,
                  .part_bits = MsmScalarParts<G>::bits};
}

}  // namespace zkgpu::msm_cpu
