// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/fixed_base.hpp>

namespace zkgpu::batch {

/// out[i] = scalars[i]·(the base of the table): eight side by side where the processor has the
/// instructions, else as `FixedBaseTable::multiply`. The answers are the same.
///
/// Scalars may be secrets: what is derived of them is wiped, but time depends on them, and the
/// calling thread's stack is its owner's to wipe.
///
/// @param scalars  canonical, below r
/// @throws InvalidArgument if the sizes differ, or as `selected_cpu_level`; ResourceExhausted if
///         there is no memory for the sums, half a megabyte
/// @cost   with AVX-512 IFMA about a quarter of `FixedBaseTable::multiply`, for thousands of
///   scalars
template <CurveGroup G>
void multiples(const FixedBaseTable<G>& table,
               std::span<const typename FixedBaseTable<G>::Scalar> scalars,
               std::span<typename G::Affine> out);

extern template void multiples<Bls12_381::G1>(
    const FixedBaseTable<Bls12_381::G1>&, std::span<const FixedBaseTable<Bls12_381::G1>::Scalar>,
    std::span<Bls12_381::G1::Affine>);
extern template void multiples<Bls12_381::G2>(
    const FixedBaseTable<Bls12_381::G2>&, std::span<const FixedBaseTable<Bls12_381::G2>::Scalar>,
    std::span<Bls12_381::G2::Affine>);

}  // namespace zkgpu::batch
