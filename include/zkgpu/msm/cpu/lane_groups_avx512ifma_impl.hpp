// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/msm/cpu/lane_group_avx512ifma_impl.hpp>

/// Where operands and sums of groups of pairs stand: sources for LaneGroup.
namespace zkgpu::msm_cpu {

/// Prime coordinate number `at` of eight bases: their digits as they are.
template <CurveGroup G, CpuArch A, std::size_t at, class Lanes, class Base>
[[gnu::always_inline]] inline void load_coordinate(Lanes& lanes, const Base& base) noexcept {
  using Prime = typename LaneGroup<G, A>::Prime;
  // No register reaches beyond a base: the line there is that of another one, perhaps far away.
  constexpr std::size_t begin = at * sizeof(Prime), end = begin + sizeof(ifma::Vector);
  constexpr std::size_t size = sizeof(typename G::Affine);
  constexpr std::size_t before = end <= size ? 0 : (end - size) / sizeof(std::uint64_t);
  const Prime* from[8];
  unrolled<8>([&](auto lane) __attribute__((always_inline)) {
    constexpr std::size_t k = decltype(lane)::value;
    from[k] = reinterpret_cast<const Prime*>(base(k)) + at;
  });
  lanes = lanes.template load_digits<before>(from).template widened<2>();
}

/// x (`which` = 0) or y (1) of eight bases.
template <CurveGroup G, CpuArch A, std::size_t which, class Base>
[[gnu::always_inline]] inline auto load_bases(const Base& base) noexcept {
  typename LaneGroup<G, A>::template Field<2> r;
  if constexpr (PrimeBelow<typename G::BaseField>::degree == 1) {
    load_coordinate<G, A, which>(r, base);
  } else {
    load_coordinate<G, A, 2 * which>(r.c0, base);
    load_coordinate<G, A, 2 * which + 1>(r.c1, base);
  }
  return r;
}

/// The ordinates of eight bases; negatives as modulus - y, digit by digit.
template <CurveGroup G, CpuArch A, class Base>
[[gnu::always_inline]] inline auto load_ordinates(const Base& base,
                                                  std::uint8_t negative) noexcept {
  auto r = load_bases<G, A, 1>(base);
  for_coordinates(r, [&](auto& lanes, std::size_t) {
    constexpr auto& modulus = LaneGroup<G, A>::Constants::modulus;
    ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
      lanes.limb[i] =
          _mm512_mask_sub_epi64(lanes.limb[i], negative, ifma::splat(modulus[i]), lanes.limb[i]);
    }
  });
  return r;
}

/// Brings the lines of a base into that level of the cache.
template <CacheLevel level, class Affine>
[[gnu::always_inline]] inline void prefetch_base(const Affine* base) noexcept {
  const auto* const at = reinterpret_cast<const char*>(base);
  ZKGPU_UNROLL for (std::size_t line = 0; line < sizeof(Affine); line += 64) {
    __builtin_prefetch(at + line, 0, level == CacheLevel::first ? 3 : 2);
  }
}

/// Eight elements of digits, one from each address, to lanes and back.
template <CurveGroup G, CpuArch A, class At>
[[gnu::always_inline]] inline auto gather(const At& element) noexcept {
  typename LaneGroup<G, A>::template Field<2> r;
  for_coordinates(r, [&](auto& lanes, std::size_t c) {
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      lanes.limb[k] = ifma::Vector::load_aligned(element(k).digit[c]);
    }
    ifma::transpose(lanes.limb);
  });
  return r;
}
template <class Lanes, class At>
[[gnu::always_inline]] inline void scatter(Lanes x, const At& element) noexcept {
  for_coordinates(x, [&](auto& lanes, std::size_t c) {
    ifma::transpose(lanes.limb);
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      lanes.limb[k].store_aligned(element(k).digit[c]);
    }
  });
}

/// Pairs of points, the left of which becomes the sum.
template <CurveGroup G, CpuArch A>
struct GroupOfPairs {
  static constexpr bool first_pass_upward = false;
  static constexpr std::size_t ahead = 1;
  template <unsigned Bound>
  using Field = typename LaneGroup<G, A>::template Field<Bound>;
  using Pairs = const PointPair<LanePoint<G>>*;
  Pairs pair;

  [[gnu::always_inline]] GroupOfPairs(Pairs pairs, std::size_t g) noexcept : pair(pairs + 8 * g) {}
  template <CacheLevel>
  static void prefetch(Pairs, std::size_t) noexcept {}  // they were made just before

  [[gnu::always_inline]] Field<2> abscissas(std::size_t side) const noexcept {
    return gather<G, A>([&](std::size_t k) -> const auto& { return point(side, k).x; });
  }
  [[gnu::always_inline]] Field<2> ordinates(std::size_t side) const noexcept {
    return gather<G, A>([&](std::size_t k) -> const auto& { return point(side, k).y; });
  }
  [[gnu::always_inline]] void store(const Field<2>& x, const Field<2>& y) const noexcept {
    scatter(
        x, [&](std::size_t k) -> auto& { return pair[k].left->x; });
    scatter(
        y, [&](std::size_t k) -> auto& { return pair[k].left->y; });
  }

 private:
  [[gnu::always_inline]] const LanePoint<G>& point(std::size_t side, std::size_t k) const noexcept {
    return side == 0 ? *pair[k].left : *pair[k].right;
  }
};

/// Pairs of entries: bases with signs.
template <CurveGroup G, CpuArch A>
struct GroupOfEntries {
  static constexpr bool first_pass_upward = false;
  static constexpr std::size_t ahead = 4;  // groups
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;
  template <unsigned Bound>
  using Field = typename LaneGroup<G, A>::template Field<Bound>;
  using Affine = typename G::Affine;
  const Affine* at[2][8];
  LanePoint<G>* to;
  std::uint8_t negative[2];

  [[gnu::always_inline]] GroupOfEntries(const EntryPairs<G>& pairs, std::size_t g) noexcept
      : to(pairs.to + 8 * g) {
    unsigned signs[2] = {0, 0};
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t* const entry = pairs.entries + pairs.first[8 * g + k];
      ZKGPU_UNROLL for (std::size_t side = 0; side < 2; ++side) {
        at[side][k] = pairs.bases + (entry[side] & ~sign_bit);
        signs[side] |= entry[side] >> 31 << k;
      }
    }
    for (std::size_t side = 0; side < 2; ++side)
      negative[side] = static_cast<std::uint8_t>(signs[side]);
  }
  template <CacheLevel level>
  [[gnu::always_inline]] static void prefetch(const EntryPairs<G>& pairs, std::size_t g) noexcept {
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      const std::uint32_t* const entry = pairs.entries + pairs.first[8 * g + k];
      ZKGPU_UNROLL for (std::size_t side = 0; side < 2; ++side) {
        prefetch_base<level>(pairs.bases + (entry[side] & ~sign_bit));
      }
    }
  }

  [[gnu::always_inline]] Field<2> abscissas(std::size_t side) const noexcept {
    return load_bases<G, A, 0>([&](std::size_t k) { return at[side][k]; });
  }
  [[gnu::always_inline]] Field<2> ordinates(std::size_t side) const noexcept {
    return load_ordinates<G, A>([&](std::size_t k) { return at[side][k]; }, negative[side]);
  }
  [[gnu::always_inline]] void store(const Field<2>& x, const Field<2>& y) const noexcept {
    scatter(
        x, [&](std::size_t k) -> auto& { return to[k].x; });
    scatter(
        y, [&](std::size_t k) -> auto& { return to[k].y; });
  }
};

}  // namespace zkgpu::msm_cpu
