// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/curve/curve.hpp>

namespace zkgpu {

/// A Groth16 proof: e(A, B) = e(alpha, beta) · e(Σ z_i IC_i, gamma) · e(C, delta).
///
/// 192 bytes compressed on BLS12-381. No point is infinity, and all lie in the subgroups: readers
/// refuse others. (−A, −B, C) is another proof of the same statement: Groth16 is malleable.
template <Curve C>
struct Proof {
  typename C::G1::Affine a;
  typename C::G2::Affine b;
  typename C::G1::Affine c;
  friend bool operator==(const Proof&, const Proof&) = default;
};

}  // namespace zkgpu
