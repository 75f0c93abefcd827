// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/curve/bls12_381.hpp>

/// What is timed, compiled for AVX-512 IFMA and called only where the processor has it.
namespace zkgpu::test {

/// `repetitions` times one multiply-add of 52 bits on each of twelve accumulators.
void lane_madd_chain(std::size_t repetitions);
/// `repetitions` times one product of F on each of six vectors.
template <class F>
void lane_product_chain(std::size_t repetitions);
template <class F>
void lane_square_chain(std::size_t repetitions);

extern template void lane_product_chain<Bls12_381::Fq>(std::size_t);
extern template void lane_product_chain<Bls12_381::Fr>(std::size_t);
extern template void lane_square_chain<Bls12_381::Fq>(std::size_t);
extern template void lane_square_chain<Bls12_381::Fr>(std::size_t);

}  // namespace zkgpu::test
