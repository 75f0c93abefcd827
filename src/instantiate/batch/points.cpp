// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/batch/points_impl.hpp>

namespace zkgpu::batch {
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
template void decode_compressed_points<G1>(const EncodedPoints&, std::span<G1::Affine>,
                                           std::span<PointStatus>);
template void decode_compressed_points<G2>(const EncodedPoints&, std::span<G2::Affine>,
                                           std::span<PointStatus>);
template std::size_t first_outside_subgroup<G1>(std::span<const G1::Affine>);
template std::size_t first_outside_subgroup<G2>(std::span<const G2::Affine>);
}  // namespace zkgpu::batch
