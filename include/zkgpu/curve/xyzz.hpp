// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>

namespace zkgpu {

/// A point (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ²; ZZ = 0 is infinity. The cheapest form to add affine
/// points to. Additions are complete. Variable time.
template <CurveParams P>
struct Xyzz {
  using F = typename P::BaseField;

  F x, y, zz, zzz;

  ZKGPU_HD static constexpr Xyzz infinity() noexcept {
    return Xyzz{F::zero(), F::zero(), F::zero(), F::zero()};
  }
  ZKGPU_HD static constexpr Xyzz from_affine(const Affine<P>& p) noexcept {
    return p.is_infinity() ? infinity() : Xyzz{p.x, p.y, F::one(), F::one()};
  }
  ZKGPU_HD constexpr bool is_infinity() const noexcept { return zz.is_zero(); }

  /// Jacobian with Z = ZZZ/ZZ up to scaling: X·ZZ, Y·ZZZ, Z = ZZ works since ZZ³ = ZZZ².
  ZKGPU_HD constexpr Jacobian<P> to_jacobian() const noexcept {
    if (is_infinity()) return Jacobian<P>::infinity();
    return Jacobian<P>{x * zz, y * zzz, zz};
  }

  /// @cost 1 inversion + 3M + 1S
  ZKGPU_HD constexpr Affine<P> to_affine() const noexcept {
    if (is_infinity()) return Affine<P>::infinity();
    const F zzz_inverse = zzz.inverse();
    const F zz_inverse = (zzz_inverse * zz).square();  // (ZZ/ZZZ)² = 1/ZZ
    return Affine<P>{x * zz_inverse, y * zzz_inverse};
  }

  ZKGPU_HD constexpr Xyzz operator-() const noexcept { return Xyzz{x, -y, zz, zzz}; }

  /// EFD dbl-2008-s-1 for a = 0: 6M + 3S
  ZKGPU_HD_NOINLINE constexpr Xyzz doubled() const noexcept {
    if (is_infinity()) return infinity();
    const F u = y.doubled();
    const F v = u.square();
    const F w = u * v;
    const F s = x * v;
    const F xx = x.square();
    const F m = xx.doubled() + xx;
    // Each coordinate is written where it stays: a copy right after a product would stall.
    Xyzz r{m.square() - s.doubled(),                          // X3 = M² - 2S
           detail::difference_of_products(m, s - r.x, w, y),  // Y3 = M(S - X3) - W·Y
           v * zz, w * zzz};
    return r;
  }

  /// 2·p for an affine p, EFD mdbl-2008-s-1: 4M + 3S
  ZKGPU_HD_NOINLINE static constexpr Xyzz doubled(const Affine<P>& p) noexcept {
    if (p.is_infinity()) return infinity();
    const F u = p.y.doubled();
    const F v = u.square();
    const F w = u * v;
    const F s = p.x * v;
    const F xx = p.x.square();
    const F m = xx.doubled() + xx;
    Xyzz r{m.square() - s.doubled(), detail::difference_of_products(m, s - r.x, w, p.y), v, w};
    return r;
  }

  /// EFD madd-2008-s: 8M + 2S
  ZKGPU_HD_NOINLINE friend constexpr Xyzz operator+(const Xyzz& p, const Affine<P>& q) noexcept {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return from_affine(q);
    const F u2 = q.x * p.zz;
    const F s2 = q.y * p.zzz;
    const F h = u2 - p.x;
    const F r = s2 - p.y;
    if (h.is_zero()) return r.is_zero() ? doubled(q) : infinity();
    const F hh = h.square();
    const F hhh = h * hh;
    const F v = p.x * hh;
    Xyzz sum{r.square() - hhh - v.doubled(),                          // X3 = R² - P³ - 2Q
             detail::difference_of_products(r, v - sum.x, p.y, hhh),  // Y3 = R(Q - X3) - Y1·P³
             p.zz * hh, p.zzz * hhh};
    return sum;
  }

  /// EFD add-2008-s: 12M + 2S
  ZKGPU_HD_NOINLINE friend constexpr Xyzz operator+(const Xyzz& p, const Xyzz& q) noexcept {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const F u1 = p.x * q.zz;
    const F u2 = q.x * p.zz;
    const F s1 = p.y * q.zzz;
    const F s2 = q.y * p.zzz;
    const F h = u2 - u1;
    const F r = s2 - s1;
    if (h.is_zero()) return r.is_zero() ? p.doubled() : infinity();
    const F hh = h.square();
    const F hhh = h * hh;
    const F v = u1 * hh;
    const F zz12 = p.zz * q.zz;
    const F zzz12 = p.zzz * q.zzz;
    Xyzz sum{r.square() - hhh - v.doubled(), detail::difference_of_products(r, v - sum.x, s1, hhh),
             zz12 * hh, zzz12 * hhh};
    return sum;
  }
  ZKGPU_HD constexpr Xyzz& operator+=(const Affine<P>& q) noexcept { return *this = *this + q; }
  ZKGPU_HD constexpr Xyzz& operator+=(const Xyzz& q) noexcept { return *this = *this + q; }

  /// Equality of the points, not of their coordinates; 4M
  ZKGPU_HD friend constexpr bool operator==(const Xyzz& p, const Xyzz& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    return p.x * q.zz == q.x * p.zz && p.y * q.zzz == q.y * p.zzz;
  }
};

}  // namespace zkgpu
