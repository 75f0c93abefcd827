// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>

/// Independent points, many at a time: eight side by side where the processor has the instructions,
/// else one by one. The answers are the same.
namespace zkgpu::batch {

/// Compressed points in an array of bytes: point i begins at byte i·stride.
struct EncodedPoints {
  std::span<const std::byte> bytes;
  std::size_t stride;
};

/// `decode_compressed` for every point, all checks included.
///
/// @param in        as many encodings as there are points
/// @param points    points[i] is set only if statuses[i] is ok
/// @param statuses  as many as points
/// @throws InvalidArgument if the sizes disagree, or as `selected_cpu_level`
/// @cost   with AVX-512 IFMA about a quarter of `decode_compressed` a point
template <CurveGroup G>
void decode_compressed_points(const EncodedPoints& in, std::span<typename G::Affine> points,
                              std::span<PointStatus> statuses);

/// The index of the first point outside the subgroup of order r, or how many there are.
///
/// @param points  on the curve, or infinity
/// @throws InvalidArgument as `selected_cpu_level`
/// @cost   with AVX-512 IFMA about a quarter of `is_in_subgroup` a point
template <CurveGroup G>
[[nodiscard]] std::size_t first_outside_subgroup(std::span<const typename G::Affine> points);

extern template void decode_compressed_points<Bls12_381::G1>(const EncodedPoints&,
                                                             std::span<Bls12_381::G1::Affine>,
                                                             std::span<PointStatus>);
extern template void decode_compressed_points<Bls12_381::G2>(const EncodedPoints&,
                                                             std::span<Bls12_381::G2::Affine>,
                                                             std::span<PointStatus>);
extern template std::size_t first_outside_subgroup<Bls12_381::G1>(
    std::span<const Bls12_381::G1::Affine>);
extern template std::size_t first_outside_subgroup<Bls12_381::G2>(
    std::span<const Bls12_381::G2::Affine>);

}  // namespace zkgpu::batch
