// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/curve/bls12_381.hpp>

/// Loops compiled for AVX-512 IFMA or AVX2; called only where the processor has it.
namespace zkgpu::bench {

inline constexpr std::size_t elements_a_step = 6 * 8;

/// The same number of elements in vectors of four of AVX2: Montgomery's products, and products by a
/// known factor, in Fr.
void avx2_products(std::size_t steps);
void avx2_known_products(std::size_t steps);

template <class F>
void lane_products(std::size_t steps);
template <class F>
void lane_squares(std::size_t steps);

extern template void lane_products<Bls12_381::Fq>(std::size_t);
extern template void lane_products<Bls12_381::Fr>(std::size_t);
extern template void lane_squares<Bls12_381::Fq>(std::size_t);
extern template void lane_squares<Bls12_381::Fr>(std::size_t);

}  // namespace zkgpu::bench
