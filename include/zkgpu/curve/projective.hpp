// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>

namespace zkgpu {

/// A curve y² = x³ + b of odd order over its field, with a cheap product by 3b.
/// Law: multiply_by_3b(a) == 3·b()·a.
template <class P>
concept CompleteCurveParams = CurveParams<P> && requires(const typename P::BaseField a) {
  { P::multiply_by_3b(a) } -> std::same_as<typename P::BaseField>;
};

/// A point (X/Z, Y/Z); Z = 0 is infinity, (0 : 1 : 0).
///
/// Its formulas have no exceptions and no branches: the form for secret scalars. For speed alone
/// the Jacobian form is better.
/// @see J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic
///      curves", eprint 2015/1060, algorithms 7 and 9
template <CompleteCurveParams P>
struct Projective {
  using F = typename P::BaseField;

  F x, y, z;

  ZKGPU_HD static constexpr Projective infinity() noexcept {
    return Projective{F::zero(), F::one(), F::zero()};
  }
  /// Branch-free; infinity maps to infinity.
  ZKGPU_HD static constexpr Projective from_affine(const Affine<P>& p) noexcept {
    const bool at_infinity = p.is_infinity();
    return Projective{p.x, select(at_infinity, F::one(), p.y),
                      select(at_infinity, F::zero(), F::one())};
  }
  /// (X·Z, Y·Z², Z) in Jacobian coordinates; 2M + 1S
  ZKGPU_HD constexpr Jacobian<P> to_jacobian() const noexcept {
    return Jacobian<P>{x * z, y * z.square(), z};
  }
  ZKGPU_HD constexpr bool is_infinity() const noexcept { return z.is_zero(); }

  ZKGPU_HD constexpr Projective operator-() const noexcept { return Projective{x, -y, z}; }

  /// Algorithm 9: 6M + 2S
  ZKGPU_HD_NOINLINE constexpr Projective doubled() const noexcept {
    const F yy = y.square();
    const F yy8 = yy.doubled().doubled().doubled();
    const F b3zz = P::multiply_by_3b(z.square());
    const F difference = yy - b3zz.doubled() - b3zz;
    const F xy = x * y;
    const F yz = y * z;
    // X3 = 2XY(Y² - 9bZ²), Y3 = (Y² - 9bZ²)(Y² + 3bZ²) + 24bY²Z², Z3 = 8Y³Z
    return Projective{(difference * xy).doubled(),
                      detail::sum_of_products(difference, yy + b3zz, b3zz, yy8), yz * yy8};
  }

  /// Algorithm 7: 12M
  ZKGPU_HD_NOINLINE friend constexpr Projective operator+(const Projective& p,
                                                          const Projective& q) noexcept {
    const F xx = p.x * q.x;
    const F yy = p.y * q.y;
    const F zz = p.z * q.z;
    const F xy = (p.x + p.y) * (q.x + q.y) - xx - yy;  // X1Y2 + X2Y1
    const F yz = (p.y + p.z) * (q.y + q.z) - yy - zz;  // Y1Z2 + Y2Z1
    const F xz = (p.x + p.z) * (q.x + q.z) - xx - zz;  // X1Z2 + X2Z1
    const F xx3 = xx.doubled() + xx;
    const F b3zz = P::multiply_by_3b(zz);
    const F b3xz = P::multiply_by_3b(xz);
    const F sum = yy + b3zz;
    const F difference = yy - b3zz;
    // X3 = (X1Y2 + X2Y1)(Y1Y2 - 3bZ1Z2) - 3b(Y1Z2 + Y2Z1)(X1Z2 + X2Z1)
    // Y3 = (Y1Y2 + 3bZ1Z2)(Y1Y2 - 3bZ1Z2) + 9bX1X2(X1Z2 + X2Z1)
    // Z3 = (Y1Z2 + Y2Z1)(Y1Y2 + 3bZ1Z2) + 3X1X2(X1Y2 + X2Y1)
    return Projective{detail::difference_of_products(xy, difference, yz, b3xz),
                      detail::sum_of_products(sum, difference, b3xz, xx3),
                      detail::sum_of_products(yz, sum, xx3, xy)};
  }

  /// Equality of the points, not of their coordinates; 4M
  ZKGPU_HD friend constexpr bool operator==(const Projective& p, const Projective& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    return p.x * q.z == q.x * p.z && p.y * q.z == q.y * p.z;
  }
};

/// condition ? p : q, without a branch.
template <CompleteCurveParams P>
ZKGPU_HD constexpr Projective<P> select(bool condition, const Projective<P>& p,
                                        const Projective<P>& q) noexcept {
  return Projective<P>{select(condition, p.x, q.x), select(condition, p.y, q.y),
                       select(condition, p.z, q.z)};
}

/// φ and ψ of endomorphism.hpp act on projective points by the same formulas.
template <class P>
requires CompleteCurveParams<P> && requires { P::beta(); }
ZKGPU_HD constexpr Projective<P> multiply_by_z_squared(const Projective<P>& p) noexcept {
  constexpr typename P::BaseField beta_squared = P::beta().square();
  return Projective<P>{p.x * beta_squared, -p.y, p.z};
}
template <class P>
requires CompleteCurveParams<P> && requires { P::Tower::frobenius_vw_inverse(); }
ZKGPU_HD constexpr Projective<P> psi(const Projective<P>& p) noexcept {
  return Projective<P>{p.x.conjugate() * P::Tower::frobenius_v_inverse(),
                       p.y.conjugate() * P::Tower::frobenius_vw_inverse(), p.z.conjugate()};
}

}  // namespace zkgpu
