// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/field/lanes_avx512ifma_impl.hpp>

namespace zkgpu {

/// Inverts every element of every vector in place; zero stays zero. Montgomery's trick down the
/// lanes: each lane has its own chain of products, and the eight ends are inverted by the caller's
/// function, so that this text needs no scalar arithmetic of its own.
///
/// @param elements  below 2 · modulus
/// @param scratch   as many vectors; overwritten
/// @param invert    void(F (&)[8]): each to its inverse, zero to zero
/// @cost  3M a vector, two conversions, and what `invert` takes
template <PrimeField F, CpuArch A, class Invert>
void batch_inverse(std::span<Lanes<F, A, 2>> elements, std::span<Lanes<F, A, 2>> scratch,
                   const Invert& invert) noexcept {
  using L = Lanes<F, A, 2>;
  constexpr std::size_t width = L::width;
  F ends[width];
  F* to[width];
  const F* from[width];
  for (std::size_t k = 0; k < width; ++k) from[k] = to[k] = &ends[k];

  constexpr auto one_digits = L::Constants::one;
  const L one = L::broadcast_digits(one_digits);
  L product = one;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    scratch[i] = product;
    product = product * L::select(elements[i].zero_mask(), one, elements[i]);
  }
  product.store(to);
  invert(ends);
  L inverse = L::load(from);
  for (std::size_t i = elements.size(); i-- > 0;) {
    const std::uint8_t zeros = elements[i].zero_mask();
    const L own = inverse * scratch[i];
    inverse = inverse * L::select(zeros, one, elements[i]);
    elements[i] = L::select(zeros, L::zero(), own);
  }
}

}  // namespace zkgpu
