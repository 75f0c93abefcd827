// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <zkgpu/msm/cpu/lane_groups_avx512ifma_impl.hpp>
#include <zkgpu/msm/cpu/lane_sums.hpp>

namespace zkgpu::msm_cpu {

/// Running sums, limb-major, and what is added to them: bases, bases with signs, or as many other
/// sums.
template <class Sums, class Operands>
struct SumsAndOperands {
  Sums* sums;
  const Operands& operands;
};

template <CurveGroup G, CpuArch A, class Sums, class Operands>
struct GroupOfSums {
  static constexpr bool first_pass_upward = true;  // as bases stand in memory
  static constexpr std::size_t ahead = 16;         // groups
  using Group = LaneGroup<G, A>;
  using Vector = ifma::Vector;
  template <unsigned Bound>
  using Field = typename Group::template Field<Bound>;
  static constexpr std::size_t degree = PrimeBelow<typename G::BaseField>::degree;
  using Stored = std::uint64_t[degree][8][8];
  using Pairs = SumsAndOperands<Sums, Operands>;
  static constexpr bool has_signs = std::is_same_v<Operands, SignedBases<G>>;
  static constexpr bool adds_bases = has_signs || std::is_same_v<Operands, IndexedBases<G>>;
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;

  Sums& sum;
  const Operands& operands;
  std::size_t g;

  [[gnu::always_inline]] GroupOfSums(const Pairs& pairs, std::size_t group) noexcept
      : sum(pairs.sums[group]), operands(pairs.operands), g(group) {}

  [[gnu::always_inline]] static Field<2> load(const Stored& from) noexcept {
    Field<2> r;
    for_coordinates(r, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        lanes.limb[i] = Vector::load_aligned(from[c][i]);
      }
    });
    return r;
  }
  [[gnu::always_inline]] static void keep(const Field<2>& x, Stored& to) noexcept {
    for_coordinates(x, [&](const auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) lanes.limb[i].store_aligned(to[c][i]);
    });
  }
  /// The base that lane k of group g adds.
  [[gnu::always_inline]] static const typename G::Affine* base(const Operands& from, std::size_t g,
                                                               std::size_t k) noexcept {
    const std::uint32_t index = from.index[8 * g + k];
    return from.bases + (has_signs ? index & ~sign_bit : index);
  }
  [[gnu::always_inline]] static Field<2> base_abscissas(const Operands& from,
                                                        std::size_t g) noexcept {
    return load_bases<G, A, 0>([&](std::size_t k) { return base(from, g, k); });
  }
  /// Digits of negatives are signed.
  [[gnu::always_inline]] static Field<2> base_ordinates(const Operands& from,
                                                        std::size_t g) noexcept {
    const auto at = [&](std::size_t k) { return base(from, g, k); };
    if constexpr (has_signs) {
      const __m256i index =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from.index + 8 * g));
      return load_ordinates<G, A>(at, _mm256_movepi32_mask(index));
    } else {
      return load_bases<G, A, 1>(at);
    }
  }

  [[gnu::always_inline]] Field<2> abscissas(std::size_t side) const noexcept {
    if (side == 0) return load(sum.x);
    if constexpr (adds_bases) {
      return base_abscissas(operands, g);
    } else {
      return load(operands[g].x);
    }
  }
  [[gnu::always_inline]] Field<2> ordinates(std::size_t side) const noexcept {
    if (side == 0) return load(sum.y);
    if constexpr (adds_bases) {
      return base_ordinates(operands, g);
    } else {
      return load(operands[g].y);
    }
  }
  [[gnu::always_inline]] void store(const Field<2>& x, const Field<2>& y) const noexcept {
    if constexpr (!std::is_const_v<Sums>) {
      keep(x, sum.x);
      keep(y, sum.y);
    }
  }
  template <CacheLevel level>
  [[gnu::always_inline]] static void prefetch(const Pairs& pairs, std::size_t g) noexcept {
    if constexpr (adds_bases) {
      ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
        prefetch_base<level>(base(pairs.operands, g, k));
      }
    }
  }
};

template <CurveGroup G, CpuArch A, class Operands>
[[gnu::always_inline]] inline void multiply_sums(
    std::size_t groups, const LaneSums<G>* sums, const Operands& operands,
    const PairScratch<typename LaneSumKernels<G, A>::Element>& scratch,
    typename G::BaseField (&products)[8]) noexcept {
  using Source = GroupOfSums<G, A, const LaneSums<G>, Operands>;
  multiply_groups<Source, G, A>(groups, typename Source::Pairs{sums, operands}, scratch, products);
}
template <CurveGroup G, CpuArch A, class Operands>
[[gnu::always_inline]] inline void finish_sums(
    std::size_t groups, LaneSums<G>* sums, const Operands& operands,
    const PairScratch<typename LaneSumKernels<G, A>::Element>& scratch,
    const typename G::BaseField (&inverses)[8]) noexcept {
  using Source = GroupOfSums<G, A, LaneSums<G>, Operands>;
  finish_groups<Source, G, A>(groups, typename Source::Pairs{sums, operands}, scratch, inverses);
}

template <CurveGroup G, CpuArch A, class Bases>
[[gnu::always_inline]] inline void fill_sums(std::size_t groups, LaneSums<G>* sums,
                                             const Bases& bases) noexcept {
  using Source = GroupOfSums<G, A, LaneSums<G>, Bases>;
  for (std::size_t g = 0; g < groups; ++g) {
    Source::keep(Source::base_abscissas(bases, g), sums[g].x);
    auto y = Source::base_ordinates(bases, g);
    if constexpr (Source::has_signs) {
      for_coordinates(y, [](auto& lanes, std::size_t) { lanes.carry(); });
    }
    Source::keep(y, sums[g].y);
  }
}

template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::fill(std::size_t groups, Sums* sums, const Bases& bases) noexcept {
  fill_sums<G, A>(groups, sums, bases);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::fill(std::size_t groups, Sums* sums,
                                const SignedBases<G>& bases) noexcept {
  fill_sums<G, A>(groups, sums, bases);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::multiply(std::size_t groups, const Sums* sums, const Bases& operands,
                                    const PairScratch<Element>& scratch,
                                    F (&products)[width]) noexcept {
  multiply_sums<G, A>(groups, sums, operands, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::multiply(std::size_t groups, const Sums* sums,
                                    const SignedBases<G>& operands,
                                    const PairScratch<Element>& scratch,
                                    F (&products)[width]) noexcept {
  multiply_sums<G, A>(groups, sums, operands, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::multiply(std::size_t groups, const Sums* sums, const Sums* operands,
                                    const PairScratch<Element>& scratch,
                                    F (&products)[width]) noexcept {
  multiply_sums<G, A>(groups, sums, operands, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::finish(std::size_t groups, Sums* sums, const Bases& operands,
                                  const PairScratch<Element>& scratch,
                                  const F (&inverses)[width]) noexcept {
  finish_sums<G, A>(groups, sums, operands, scratch, inverses);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::finish(std::size_t groups, Sums* sums, const SignedBases<G>& operands,
                                  const PairScratch<Element>& scratch,
                                  const F (&inverses)[width]) noexcept {
  finish_sums<G, A>(groups, sums, operands, scratch, inverses);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::finish(std::size_t groups, Sums* sums, const Sums* operands,
                                  const PairScratch<Element>& scratch,
                                  const F (&inverses)[width]) noexcept {
  finish_sums<G, A>(groups, sums, operands, scratch, inverses);
}

}  // namespace zkgpu::msm_cpu
