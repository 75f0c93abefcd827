// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// Products in the lanes of AVX2 as functions of words in memory; a test calls them only where the
/// processor has AVX2 and FMA.
namespace zkgpu::test {

inline constexpr std::size_t fma_width = 4;
inline constexpr std::size_t fma_limbs = 5;

/// Four numbers, limb-major.
struct alignas(32) FmaBlock {
  std::uint64_t digit[fma_limbs][fma_width];
};

/// The halves of x·y, digit by digit of 52 bits; what stands above bit 52 of x and y is ignored.
void fma_halves(const FmaBlock& x, const FmaBlock& y, FmaBlock& high, FmaBlock& low);

// Column sums, not carried, for the scalar field of BLS12-381.
void fma_multiply_known(const FmaBlock& x, const FmaBlock& w, const FmaBlock& quotient,
                        FmaBlock& r);
void fma_multiply_low(const FmaBlock& x, const FmaBlock& y, FmaBlock& r);
/// Montgomery's product.
void fma_multiply(const FmaBlock& x, const FmaBlock& y, FmaBlock& r);
/// The same, less the modulus.
void fma_multiply_less(const FmaBlock& x, const FmaBlock& y, FmaBlock& r);

/// What 1/10 is while `RoundTowardZero` lives, and after.
void fma_tenth(double& during, double& after);

}  // namespace zkgpu::test
