// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <type_traits>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>

#include "big_integers.hpp"
#include "support/random_points.hpp"

/// Points of the small prime orders that divide a cofactor of BLS12-381. Their multiples meet
/// infinity early, where formulas without special cases go wrong.
namespace zkgpu::test {

namespace detail {

inline cpp_int power_of_z(unsigned n) {
  const cpp_int z = -cpp_int(bls12_381::z_magnitude);
  return boost::multiprecision::pow(z, n);
}
/// The order of the curve by r, (z - 1)²/3, or that of its twist.
template <CurveParams P>
cpp_int cofactor() {
  const auto z = power_of_z;
  if constexpr (std::is_same_v<P, bls12_381::G1Params>) {
    return (z(2) - 2 * z(1) + 1) / 3;
  } else {
    return (z(8) - 4 * z(7) + 5 * z(6) - 4 * z(4) + 6 * z(3) - 4 * z(2) - 4 * z(1) + 13) / 9;
  }
}

}  // namespace detail

/// Primes that divide the cofactor.
template <CurveParams P>
std::vector<std::uint64_t> small_orders() {
  if constexpr (std::is_same_v<P, bls12_381::G1Params>) return {3, 11, 10177, 859267, 52437899};
  return {13, 23, 2713, 11953, 262069};
}

/// @throws std::out_of_range if the prime does not divide the cofactor
template <CurveParams P>
Affine<P> random_point_of_order(std::uint64_t prime, Random& random) {
  const auto times = [](const cpp_int& k, const Affine<P>& p) {
    return scalar_mul_double_and_add(Jacobian<P>::from_affine(p), to_limbs<12>(k)).to_affine();
  };
  cpp_int rest = detail::cofactor<P>() * to_cpp_int(P::ScalarField::modulus());
  if (rest % prime != 0) throw std::out_of_range("no point has this order");
  while (rest % prime == 0) rest /= prime;
  auto p = Affine<P>::infinity();
  while (p.is_infinity()) p = times(rest, random_curve_point<P>(random));
  for (auto next = times(prime, p); !next.is_infinity(); next = times(prime, p)) p = next;
  return p;
}

}  // namespace zkgpu::test
