// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/batch/multiples_impl.hpp>

namespace zkgpu::batch {
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
template void multiples<G1>(const FixedBaseTable<G1>&, std::span<const FixedBaseTable<G1>::Scalar>,
                            std::span<G1::Affine>);
template void multiples<G2>(const FixedBaseTable<G2>&, std::span<const FixedBaseTable<G2>::Scalar>,
                            std::span<G2::Affine>);
}  // namespace zkgpu::batch
