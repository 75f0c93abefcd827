// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/sqrt.hpp>

#include "random_fields.hpp"

/// Random points for tests; the caller brings a generator with a fixed seed.
namespace zkgpu::test {

/// A random canonical integer of the prime field F.
template <PrimeField F>
typename F::Integer random_integer_below(Random& random) {
  return random_below(random, F::modulus());
}

/// A point of the curve, hardly ever in the subgroup.
template <CurveParams P>
Affine<P> random_curve_point(Random& random) {
  for (;;) {
    Affine<P> p{};
    p.x = random_element<typename P::BaseField>(random);
    if (!sqrt(p.x.square() * p.x + P::b(), p.y)) continue;
    return random() % 2 == 0 ? p : -p;
  }
}

/// k·generator for a random k.
template <CurveParams P>
Affine<P> random_subgroup_point(Random& random) {
  const Affine<P> g{P::generator_x(), P::generator_y()};
  const auto k = random_integer_below<typename P::ScalarField>(random);
  return scalar_mul_double_and_add(Jacobian<P>::from_affine(g), k).to_affine();
}

}  // namespace zkgpu::test
