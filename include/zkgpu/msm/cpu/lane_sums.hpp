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
  /// First pass of sums[g] += operand: differences, products of those before, and the marks.
  /// @param products  of all denominators of a lane, not zero
  static void multiply(std::size_t groups, const Sums* sums, const Bases& operands,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  static void multiply(std::size_t groups, const Sums* sums, const Sums* operands,
                       const PairScratch<Element>& scratch, F (&products)[width]) noexcept;
  /// Second pass.
  /// @param inverses  of `products`
  static void finish(std::size_t groups, Sums* sums, const Bases& operands,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
  static void finish(std::size_t groups, Sums* sums, const Sums* operands,
                     const PairScratch<Element>& scratch, const F (&inverses)[width]) noexcept;
};

template <CurveGroup G, CpuArch A>
struct RunningSums;

/// Running sums in lanes: see the form for any architecture, in sparse_impl.hpp.
template <CurveGroup G, CpuArch A>
requires std::derived_from<A, arch::avx512ifma> &&
    std::same_as<typename PrimeBelow<typename G::BaseField>::Type, Bls12_381::Fq>
struct RunningSums<G, A> {
  using Affine = typename G::Affine;
  using F = typename G::BaseField;
  using Prime = typename PrimeBelow<F>::Type;
  using Kernels = LaneSumKernels<G, A>;
  using Sums = typename Kernels::Sums;
  static constexpr std::size_t width = Kernels::width;
  static constexpr std::size_t degree = PrimeBelow<F>::degree;

  /// In the memory of a worker: sums in place of its points, of which there is room for `count`.
  template <class Scratch>
  RunningSums(const Scratch& scratch, std::span<const Affine> bases) noexcept
      : sums_(reinterpret_cast<Sums*>(scratch.points)), scratch_(scratch.batch), bases_(bases) {
    static_assert(sizeof(Sums) == width * sizeof(typename Scratch::Point));
  }

  void fill(std::size_t count, const std::uint32_t* index) noexcept {
    Kernels::fill(count / width, sums_, {bases_.data(), index});
  }
  void add(std::size_t count, const std::uint32_t* index) noexcept {
    add(count / width, sums_, IndexedBases<G>{bases_.data(), index});
  }
  /// Adds the upper half of `count` sums to the lower one; returns how many are left.
  std::size_t halve(std::size_t count) noexcept {
    const std::size_t groups = count / width, half = (groups + 1) / 2;
    add(groups - half, sums_, static_cast<const Sums*>(sums_ + half));
    return half * width;
  }
  [[nodiscard]] Affine at(std::size_t i) const noexcept {
    const Sums& group = sums_[i / width];
    std::uint64_t any = 0;  // of infinity, y may be anything
    for (const auto& digits : group.x) {
      for (const auto& limb : digits) any |= limb[i % width];
    }
    if (any == 0) return Affine::infinity();
    return Affine{coordinate(group.x, i % width), coordinate(group.y, i % width)};
  }

 private:
  template <class Operands>
  void add(std::size_t groups, Sums* sums, const Operands& operands) noexcept {
    if (groups == 0) return;
    F products[width];
    F helper[width];
    Kernels::multiply(groups, sums, operands, scratch_, products);
    batch_inverse(std::span<F>(products), std::span<F>(helper));
    Kernels::finish(groups, sums, operands, scratch_, products);
  }
  /// Digits below 2·modulus are those of a Montgomery form for 2^384.
  static Prime element(const std::uint64_t (&limbs)[8][8], std::size_t lane) noexcept {
    return prime_of_digits<Prime>([&](std::size_t i) { return limbs[i][lane]; });
  }
  static F coordinate(const std::uint64_t (&limbs)[degree][8][8], std::size_t lane) noexcept {
    if constexpr (degree == 1) {
      return element(limbs[0], lane);
    } else {
      return F{element(limbs[0], lane), element(limbs[1], lane)};
    }
  }

  Sums* sums_;
  PairScratch<typename Kernels::Element> scratch_;
  std::span<const Affine> bases_;
};

extern template struct LaneSumKernels<Bls12_381::G1, arch::avx512ifma>;
extern template struct LaneSumKernels<Bls12_381::G2, arch::avx512ifma>;

}  // namespace zkgpu::msm_cpu
