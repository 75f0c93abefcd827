// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/cpu/lane_engine.hpp>

/// Sums of bases without scalars in SIMD lanes.
///
/// Coordinates are those of lane_engine.hpp: bases enter and sums leave without a product.
namespace zkgpu::msm_cpu {

/// Eight sums side by side, limb-major; coordinates below twice the modulus. Infinity is the point
/// whose x has no digit but zeros.
template <CurveGroup G>
struct alignas(64) LaneSums {
  static constexpr std::size_t degree = PrimeBelow<typename G::BaseField>::degree;
  std::uint64_t x[degree][8][8], y[degree][8][8];
};

/// Operands of a batch: base number index[8g + k] for lane k of group g.
template <CurveGroup G>
struct IndexedBases {
  const typename G::Affine* bases;
  const std::uint32_t* index;
};

/// The same with signs: of bit 31 of an index, that the base's negative is meant.
template <CurveGroup G>
struct SignedBases {
  const typename G::Affine* bases;
  const std::uint32_t* index;
};

/// The loops over groups of eight sums. Group g of the scratch has elements 8g..8g + 7, and room
/// for one more group follows.
template <CurveGroup G, CpuArch A>
struct LaneSumKernels {
  using F = typename G::BaseField;
  using Sums = LaneSums<G>;
  using Bases = IndexedBases<G>;
  using Element = LaneElement<PrimeBelow<F>::degree>;
  static constexpr std::size_t width = 8;

  /// sums[g] = the bases of group g
  static void fill(std::size_t groups, Sums* sums, const Bases& bases) noexcept;
  static void fill(std::size_t groups, Sums* sums, const SignedBases<G>& bases) noexcept;
  /// First pass of sums[g] += operand: differences, products of those before, and the marks.
  /// @param products  of all denominators of a lane, not zero
  static void multiply(std::size_t groups, const Sums* sums, const Bases& operands,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  static void multiply(std::size_t groups, const Sums* sums, const SignedBases<G>& operands,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  static void multiply(std::size_t groups, const Sums* sums, const Sums* operands,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  /// Second pass.
  /// @param inverses  of `products`
  static void finish(std::size_t groups, Sums* sums, const Bases& operands,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
  static void finish(std::size_t groups, Sums* sums, const SignedBases<G>& operands,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
  static void finish(std::size_t groups, Sums* sums, const Sums* operands,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
};

/// sums[g] += operand, both passes with the inversion between them.
template <CurveGroup G, CpuArch A, class Operands>
void add_to_lane_sums(std::size_t groups, LaneSums<G>* sums, const Operands& operands,
                      const PairScratch<typename LaneSumKernels<G, A>::Element>& scratch) noexcept {
  if (groups == 0) return;
  using Kernels = LaneSumKernels<G, A>;
  using F = typename G::BaseField;
  F products[Kernels::width];
  F helper[Kernels::width];
  Kernels::multiply(groups, sums, operands, scratch, products);
  batch_inverse(std::span<F>(products), std::span<F>(helper));
  Kernels::finish(groups, sums, operands, scratch, products);
}

/// One of eight sums.
template <CurveGroup G>
typename G::Affine lane_sum(const LaneSums<G>& sums, std::size_t lane) noexcept {
  using F = typename G::BaseField;
  // Digits below 2·modulus are those of a Montgomery form for 2^384.
  const auto prime = [lane](const std::uint64_t(&limbs)[8][8]) {
    return prime_of_digits<typename PrimeBelow<F>::Type>(
        [&](std::size_t i) { return limbs[i][lane]; });
  };
  const auto coordinate = [&prime](const auto& limbs) {
    if constexpr (LaneSums<G>::degree == 1) {
      return prime(limbs[0]);
    } else {
      return F{prime(limbs[0]), prime(limbs[1])};
    }
  };
  std::uint64_t any = 0;  // of infinity, y may be anything
  for (const auto& digits : sums.x) {
    for (const auto& limb : digits) any |= limb[lane];
  }
  if (any == 0) return G::Affine::infinity();
  return {coordinate(sums.x), coordinate(sums.y)};
}

template <CurveGroup G, CpuArch A>
struct RunningSums;

/// Running sums in lanes: see the form for any architecture, in sparse_impl.hpp.
template <CurveGroup G, CpuArch A>
requires std::derived_from<A, arch::avx512ifma> &&
    std::same_as<typename PrimeBelow<typename G::BaseField>::Type, Bls12_381::Fq>
struct RunningSums<G, A> {
  using Affine = typename G::Affine;
  using Kernels = LaneSumKernels<G, A>;
  using Sums = typename Kernels::Sums;
  static constexpr std::size_t width = Kernels::width;

  /// In the memory of a worker: sums in place of its points, of which there is room for `count`.
  template <class Scratch>
  RunningSums(const Scratch& scratch, std::span<const Affine> bases) noexcept
      : sums_(reinterpret_cast<Sums*>(scratch.points)), scratch_(scratch.batch), bases_(bases) {
    static_assert(sizeof(Sums) == width * sizeof(typename Scratch::Point));
  }

  void fill(std::size_t count, const std::uint32_t* index) noexcept {
    Kernels::fill(count / width, sums_, IndexedBases<G>{bases_.data(), index});
  }
  void add(std::size_t count, const std::uint32_t* index) noexcept {
    add_to_lane_sums<G, A>(count / width, sums_, IndexedBases<G>{bases_.data(), index}, scratch_);
  }
  /// Adds the upper half of `count` sums to the lower one; returns how many are left.
  std::size_t halve(std::size_t count) noexcept {
    const std::size_t groups = count / width, half = (groups + 1) / 2;
    const Sums* const upper = sums_ + half;
    add_to_lane_sums<G, A>(groups - half, sums_, upper, scratch_);
    return half * width;
  }
  [[nodiscard]] Affine at(std::size_t i) const noexcept {
    return lane_sum<G>(sums_[i / width], i % width);
  }

 private:
  Sums* sums_;
  PairScratch<typename Kernels::Element> scratch_;
  std::span<const Affine> bases_;
};

extern template struct LaneSumKernels<Bls12_381::G1, arch::avx512ifma>;
extern template struct LaneSumKernels<Bls12_381::G2, arch::avx512ifma>;

}  // namespace zkgpu::msm_cpu
