// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/core/env.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/projective.hpp>
#include <zkgpu/curve/scalar_mul.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// k·p for a secret k: no branch and no address depends on k.
///
/// By the curve's endomorphism where it has one, else by one doubling and one complete addition a
/// bit.
template <CurveGroup G>
[[nodiscard]] typename G::Jacobian secret_multiple(const typename G::Affine& p,
                                                   const typename G::ScalarField& k) noexcept {
  using Params = typename G::Params;
  using F = typename G::ScalarField;
  typename F::Integer integer = k.to_integer();
  typename G::Jacobian product{};
  if constexpr (Bls12Params<Params>) {
    product = scalar_mul_constant_time(p, integer);
  } else {
    using Point = Projective<Params>;
    const Point base = Point::from_affine(p);
    Point sum = Point::infinity();
    for (std::size_t i = F::bits; i-- > 0;) {
      sum = sum.doubled();
      sum = select(integer.bit(i), sum + base, sum);
    }
    product = sum.to_jacobian();
  }
  secure_wipe(integer);
  return product;
}

}  // namespace zkgpu
