// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/jacobian.hpp>

namespace zkgpu {

/// Σ kᵢ·Pᵢ, each by double-and-add: the textbook, and the oracle of the faster ways.
/// @pre scalars.size() == bases.size()
template <CurveGroup G>
constexpr typename G::Jacobian msm_reference(
    std::span<const typename G::ScalarField::Integer> scalars,
    std::span<const typename G::Affine> bases) noexcept {
  auto sum = G::Jacobian::infinity();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    sum += scalar_mul_double_and_add(G::Jacobian::from_affine(bases[i]), scalars[i]);
  }
  return sum;
}

}  // namespace zkgpu
