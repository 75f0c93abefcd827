// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>

#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/curve/xyzz.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// One group of a curve: the parameters, and the point types that belong to them.
///
/// `Bucket` is the form in which Pippenger's buckets are summed.
template <CurveParams P>
struct Group : P {
  using Params = P;
  using Affine = zkgpu::Affine<P>;
  using Jacobian = zkgpu::Jacobian<P>;
  using Bucket = zkgpu::Xyzz<P>;

  ZKGPU_HD static constexpr Affine generator() noexcept {
    return Affine{P::generator_x(), P::generator_y()};
  }
};

/// G1 or G2 of one curve: the points of prime order on y² = x³ + b.
template <class G>
concept CurveGroup = requires {
  typename G::Affine;
  typename G::Jacobian;
  typename G::Bucket;
  { G::b() } -> std::same_as<typename G::BaseField>;
  { G::generator() } -> std::same_as<typename G::Affine>;
}
&&Field<typename G::BaseField>&& PrimeField<typename G::ScalarField>;

/// A pairing-friendly curve with an NTT-friendly scalar field.
template <class C>
concept Curve = CurveGroup<typename C::G1> && CurveGroup<typename C::G2> &&
    PrimeField<typename C::Fq> && NttField<typename C::Fr>;

}  // namespace zkgpu
