// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/field/lanes/elements_avx512ifma_impl.hpp>

/// Square roots in lanes, for a modulus that is 3 mod 4: see field/sqrt.hpp for why they are right.
namespace zkgpu {

/// Are the products equal, lane by lane?
template <PrimeField F, CpuArch A>
[[gnu::always_inline]] inline std::uint8_t equal_mask(const Lanes<F, A, 2>& a,
                                                      const Lanes<F, A, 2>& b) noexcept {
  return (a - b).zero_mask();
}

/// a^((p - 3)/4)
template <PrimeField F, CpuArch A>
Lanes<F, A, 2> inverse_sqrt_candidate(const Lanes<F, A, 2>& a) noexcept {
  static_assert((F::modulus().limb[0] & 3) == 3, "the modulus must be 3 mod 4");
  static constexpr auto chain = PowerChain<F::limb_count>::of(shift_right(F::modulus(), 2));
  return power(a, chain);
}

/// A root of every element that is a square; which of the two is not specified.
/// @return bit k: element k is a square
template <PrimeField F, CpuArch A>
std::uint8_t sqrt(const Lanes<F, A, 2>& a, Lanes<F, A, 2>& root) noexcept {
  root = product(inverse_sqrt_candidate(a), a);
  return equal_mask(squared(root), a);
}

/// The same in the quadratic extension, from the norm.
template <PrimeField F, CpuArch A>
std::uint8_t sqrt(const Lanes2<F, A, 2>& a, Lanes2<F, A, 2>& root) noexcept {
  using L = Lanes<F, A, 2>;
  static constexpr auto half_constant = make_lane_constant([] {
    typename F::Integer n = shift_right(F::modulus(), 1);  // (p + 1)/2: p is odd
    n.limb[0] += 1;
    return F::from_integer(n);
  }());
  const auto half = broadcast<A>(half_constant);
  L s;
  std::uint8_t square = sqrt((squared(a.c0) + squared(a.c1)).partially_reduced(), s);
  L t = product(a.c0 + s, half);
  t = L::select(t.zero_mask(), product(a.c0 - s, half), t);
  const L e = inverse_sqrt_candidate(t);
  const L te = product(t, e);
  const L other = product(product(a.c1, half), e);
  const std::uint8_t t_is_square = equal_mask(squared(te), t);
  root.c0 = L::select(t_is_square, te, other);
  root.c1 = L::select(t_is_square, other, -te);
  const auto difference = (root.square().partially_reduced() - a);
  square &= difference.zero_mask();
  return square;
}

}  // namespace zkgpu
