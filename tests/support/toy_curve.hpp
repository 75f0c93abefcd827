// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/field/fp.hpp>

namespace zkgpu::test {

/// The field of 64513 elements: 64512 = 2^10 · 63, generator 5.
struct ToyFieldParams {
  ZKGPU_HD static constexpr Limbs<1> modulus() noexcept { return Limbs<1>::from_uint64(64513); }
  ZKGPU_HD static constexpr int generator() noexcept { return 5; }
};
using ToyField = Fp<ToyFieldParams>;

/// A group that is the scalars themselves: the cuspidal cubic y² = x³ without its cusp.
///
/// t ↦ (t^-2, t^-3), 0 ↦ infinity, is an isomorphism from the additive group of the field, and
/// chord and tangent, which never use b, add parameters. So all code for curves runs unchanged on a
/// group whose discrete logarithm is x/y. Two types, so that G1 and G2 cannot be mixed up.
template <int>
struct ToyParams {
  using BaseField = ToyField;
  using ScalarField = ToyField;
  ZKGPU_HD static constexpr ToyField b() noexcept { return ToyField::zero(); }
  ZKGPU_HD static constexpr ToyField multiply_by_3b(const ToyField&) noexcept {
    return ToyField::zero();
  }
  ZKGPU_HD static constexpr ToyField generator_x() noexcept { return ToyField::one(); }
  ZKGPU_HD static constexpr ToyField generator_y() noexcept { return ToyField::one(); }
};

struct ToyCurve {
  using Fq = ToyField;
  using Fr = ToyField;
  using G1 = Group<ToyParams<1>>;
  using G2 = Group<ToyParams<2>>;
};
static_assert(Curve<ToyCurve>);

/// The t with p = t · generator.
template <int group>
ToyField toy_log(const Affine<ToyParams<group>>& p) {
  return p.is_infinity() ? ToyField::zero() : p.x * p.y.inverse();
}
template <class G>
typename G::Affine toy_point(const ToyField& t) {
  const ToyField inverse = t.inverse();
  return {inverse.square(), inverse.square() * inverse};  // (0, 0) for t = 0
}

}  // namespace zkgpu::test
