// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/msm/cpu/lane_engine.hpp>
#include <zkgpu/msm/cpu/lane_groups_avx512ifma_impl.hpp>

namespace zkgpu::msm_cpu {

template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::multiply(std::size_t groups, const PointPair<Point>* pairs,
                                 const PairScratch<Element>& scratch,
                                 F (&products)[width]) noexcept {
  multiply_groups<GroupOfPairs<G, A>, G, A>(groups, pairs, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::multiply(std::size_t groups, const EntryPairs<G>& pairs,
                                 const PairScratch<Element>& scratch,
                                 F (&products)[width]) noexcept {
  multiply_groups<GroupOfEntries<G, A>, G, A>(groups, pairs, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::finish(std::size_t groups, const PointPair<Point>* pairs,
                               const PairScratch<Element>& scratch,
                               const F (&inverses)[width]) noexcept {
  finish_groups<GroupOfPairs<G, A>, G, A>(groups, pairs, scratch, inverses);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::finish(std::size_t groups, const EntryPairs<G>& pairs,
                               const PairScratch<Element>& scratch,
                               const F (&inverses)[width]) noexcept {
  finish_groups<GroupOfEntries<G, A>, G, A>(groups, pairs, scratch, inverses);
}

template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::take_entries(std::size_t groups, const EntryPairs<G>& singles) noexcept {
  constexpr std::size_t ahead = GroupOfEntries<G, A>::ahead;
  constexpr std::uint32_t sign_bit = GroupOfEntries<G, A>::sign_bit;
  const auto entry = [&singles](std::size_t i) { return singles.entries[singles.first[i]]; };
  for (std::size_t g = 0; g < groups; ++g) {
    const typename G::Affine* base[width];
    unsigned negative = 0;
    ZKGPU_UNROLL for (std::size_t k = 0; k < width; ++k) {
      base[k] = singles.bases + (entry(width * g + k) & ~sign_bit);
      negative |= entry(width * g + k) >> 31 << k;
      if (g + ahead < groups) {
        prefetch_base<CacheLevel::second>(singles.bases +
                                          (entry(width * (g + ahead) + k) & ~sign_bit));
      }
    }
    const auto at = [&base](std::size_t k) { return base[k]; };
    auto y = load_ordinates<G, A>(at, static_cast<std::uint8_t>(negative));
    for_coordinates(y, [](auto& lanes, std::size_t) { lanes.carry(); });
    Point* const to = singles.to - width * g;
    scatter(
        load_bases<G, A, 0>(at), [to](std::size_t k) -> auto& { return (to - k)->x; });
    scatter(
        y, [to](std::size_t k) -> auto& { return (to - k)->y; });
  }
}

/// The endomorphisms are linear in the coordinates: their constants are those of the curve itself.
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::take_images(unsigned image, Point* const (&points)[width]) noexcept {
  using Group = LaneGroup<G, A>;
  auto x = gather<G, A>([&](std::size_t k) -> const auto& { return points[k]->x; });
  auto y = gather<G, A>([&](std::size_t k) -> const auto& { return points[k]->y; });
  const std::uint8_t infinite = Group::no_digits(x);
  if constexpr (PrimeBelow<F>::degree == 1) {  // -φ²(x, y) = (β²x, -y)
    constexpr auto beta_squared = make_lane_constant(G::beta().square());
    for (unsigned i = 0; i < image; ++i) {
      x = x * Group::template constant<2>(beta_squared);
      y = -y;
    }
  } else {  // ψ(x, y): conjugates times constants; ψ²(x, y) = (x·norm, -y) in the prime field
    constexpr F for_x = G::Tower::frobenius_v_inverse(), for_y = G::Tower::frobenius_vw_inverse();
    constexpr F conjugate_x{for_x.c0, -for_x.c1}, conjugate_y{for_y.c0, -for_y.c1};
    static_assert((for_x * conjugate_x).c1 == Group::Prime::zero());
    static_assert(for_y * conjugate_y == -F::one());
    for (; image >= 2; image -= 2) {
      constexpr auto norm = make_lane_constant((for_x * conjugate_x).c0);
      const auto factor = broadcast<A>(norm);
      x = {x.c0 * factor, x.c1 * factor};
      y = -y;
    }
    if (image == 1) {
      constexpr auto x_factor = make_lane_constant(for_x), y_factor = make_lane_constant(for_y);
      x.c1 = -x.c1;
      y.c1 = -y.c1;
      x = (x * Group::template constant<16>(x_factor)).partially_reduced();
      y = (y * Group::template constant<16>(y_factor)).partially_reduced();
    }
  }
  // Multiples of the modulus are no digits of zero.
  x = decltype(x)::select(infinite, Group::template constant<2>(Group::zero), x);
  scatter(
      x, [&](std::size_t k) -> auto& { return points[k]->x; });
  scatter(
      y, [&](std::size_t k) -> auto& { return points[k]->y; });
}

}  // namespace zkgpu::msm_cpu
