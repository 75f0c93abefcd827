// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <random>

#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/sqrt.hpp>

/// Random field elements and points for tests; the caller brings a generator with a fixed seed.
namespace zkgpu::test {

using Random = std::mt19937_64;

/// A random integer below F's modulus, by rejection.
template <class F>
typename F::Integer random_integer_below(Random& random) {
  for (;;) {
    typename F::Integer n{};
    for (auto& limb : n.limb) limb = random();
    const std::size_t top = 64 * F::limb_count - F::bits;
    n.limb[F::limb_count - 1] >>= top;
    if (F::is_canonical(n)) return n;
  }
}

template <PrimeFieldParams P>
void randomize(Fp<P>& out, Random& random) {
  out = Fp<P>::from_integer(random_integer_below<Fp<P>>(random));
}
template <class F>
void randomize(Fp2<F>& out, Random& random) {
  randomize(out.c0, random);
  randomize(out.c1, random);
}

template <class F>
F random_element(Random& random) {
  F r{};
  randomize(r, random);
  return r;
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
