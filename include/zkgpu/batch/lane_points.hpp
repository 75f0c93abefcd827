// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>

namespace zkgpu::batch {

/// What is decided of eight points; bit k is point k's.
struct PointMasks {
  std::uint8_t on_curve;
  std::uint8_t in_subgroup;
  /// Membership is not decided: the point, or a small multiple of it, is infinity. No point of
  /// order r is among these.
  std::uint8_t undecided;
};

/// Eight points side by side. Defined in `lane_points_<arch>_impl.hpp`, which only units of that
/// architecture include.
template <CurveGroup G, CpuArch A>
struct PointLanes {
  using F = typename G::BaseField;
  using Affine = typename G::Affine;
  static constexpr std::size_t width = 8;

  /// Solves y² = x³ + b. Which of the two roots y[k] gets is not specified; nothing, where x[k] is
  /// no point's.
  static PointMasks decompress(const F* const (&x)[width], F* const (&y)[width]) noexcept;
  /// @param points  on the curve
  static PointMasks check(const Affine* const (&points)[width]) noexcept;
};

/// Which groups have kernels on which architectures: those of the library. Other groups take scalar
/// code.
template <class G, class A>
inline constexpr bool has_point_lanes = false;
#if defined(__x86_64__)
template <>
inline constexpr bool has_point_lanes<Bls12_381::G1, arch::avx512ifma> = true;
template <>
inline constexpr bool has_point_lanes<Bls12_381::G2, arch::avx512ifma> = true;

extern template struct PointLanes<Bls12_381::G1, arch::avx512ifma>;
extern template struct PointLanes<Bls12_381::G2, arch::avx512ifma>;
#endif

}  // namespace zkgpu::batch
