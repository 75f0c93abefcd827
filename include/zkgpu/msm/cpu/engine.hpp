// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
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
  /// Parts whose points stand in the workspace: bases themselves are read where the caller has
  /// them.
  static constexpr unsigned stored_parts = MsmScalarParts<G>::count - 1;
  /// Whether points of entries are added where they stand, or are copied first.
  static constexpr bool adds_entries = false;

  static Point infinity() noexcept { return Affine::infinity(); }
  static const Affine& to_affine(const Point& p) noexcept { return p; }
  static Point signed_point(const Point& p, bool negative) noexcept { return negative ? -p : p; }

  /// The point of entry place `at`: below m a base, from p·m on its image number p.
  static const Point& point_at(std::span<const Affine> bases, const Point* stored,
                               std::size_t at) noexcept {
    return at < bases.size() ? bases[at] : stored[at - bases.size()];
  }
  /// Makes what `point_at` reads for the bases index(0)..index(count - 1), all parts of them or the
  /// first.
  template <class Index>
  static void store(std::span<const Affine> bases, Point* stored, std::size_t count, bool all_parts,
                    const Index& index) noexcept {
    for (std::size_t i = 0; all_parts && i < count; ++i) {
      Affine image = bases[index(i)];
      for (unsigned p = 0; p < stored_parts; ++p) {
        stored[p * bases.size() + index(i)] = image = MsmScalarParts<G>::next_image(image);
      }
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
                  .stored_parts = Engine<G, A>::stored_parts,
                  .parts = MsmScalarParts<G>::count,
                  .part_bits = MsmScalarParts<G>::bits};
}

}  // namespace zkgpu::msm_cpu
