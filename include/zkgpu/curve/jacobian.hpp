// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>

namespace zkgpu {

/// A point (X/Z², Y/Z³); Z = 0 is infinity. Additions are complete: they handle infinity, doubling
/// and cancellation. Variable time.
template <CurveParams P>
struct Jacobian {
  using F = typename P::BaseField;

  F x, y, z;

  ZKGPU_HD static constexpr Jacobian infinity() noexcept {
    return Jacobian{F::one(), F::one(), F::zero()};
  }
  ZKGPU_HD static constexpr Jacobian from_affine(const Affine<P>& p) noexcept {
    return p.is_infinity() ? infinity() : Jacobian{p.x, p.y, F::one()};
  }
  ZKGPU_HD constexpr bool is_infinity() const noexcept { return z.is_zero(); }

  /// @cost 1 inversion + 3M + 1S
  ZKGPU_HD constexpr Affine<P> to_affine() const noexcept {
    if (is_infinity()) return Affine<P>::infinity();
    const F z_inverse = z.inverse();
    const F zz_inverse = z_inverse.square();
    return Affine<P>{x * zz_inverse, y * zz_inverse * z_inverse};
  }

  ZKGPU_HD constexpr Jacobian operator-() const noexcept { return Jacobian{x, -y, z}; }

  /// EFD dbl-2009-l for a = 0: 2M + 5S
  ZKGPU_HD_NOINLINE constexpr Jacobian doubled() const noexcept {
    const F a = x.square();
    const F b = y.square();
    const F c = b.square();
    const F d = ((x + b).square() - a - c).doubled();
    const F e = a.doubled() + a;
    const F d2 = d.doubled();
    const F c8 = c.doubled().doubled().doubled();
    // Each coordinate is written where it stays: a copy right after a product would stall.
    Jacobian r{e.square() - d2,     // X3 = E² - 2D
               e * (d - r.x) - c8,  // Y3 = E(D - X3) - 8C
               (y * z).doubled()};  // Z3 = 2YZ
    return r;
  }

  /// EFD add-2007-bl: 11M + 5S
  ZKGPU_HD_NOINLINE friend constexpr Jacobian operator+(const Jacobian& p,
                                                        const Jacobian& q) noexcept {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const F z1z1 = p.z.square();
    const F z2z2 = q.z.square();
    const F u1 = p.x * z2z2;
    const F u2 = q.x * z1z1;
    const F s1 = p.y * q.z * z2z2;
    const F s2 = q.y * p.z * z1z1;
    const F h = u2 - u1;
    const F half_r = s2 - s1;
    if (h.is_zero()) return half_r.is_zero() ? p.doubled() : infinity();
    const F i = h.doubled().square();
    const F j = h * i;
    const F r = half_r.doubled();
    const F v = u1 * i;
    const F s1_2 = s1.doubled();
    Jacobian sum{r.square() - j - v.doubled(),                           // X3 = r² - J - 2V
                 detail::difference_of_products(r, v - sum.x, s1_2, j),  // Y3 = r(V - X3) - 2 S1 J
                 ((p.z + q.z).square() - z1z1 - z2z2) * h};              // Z3 = 2 Z1 Z2 H
    return sum;
  }

  /// EFD madd-2007-bl: 7M + 4S
  ZKGPU_HD_NOINLINE friend constexpr Jacobian operator+(const Jacobian& p,
                                                        const Affine<P>& q) noexcept {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return from_affine(q);
    const F z1z1 = p.z.square();
    const F u2 = q.x * z1z1;
    const F s2 = q.y * p.z * z1z1;
    const F h = u2 - p.x;
    const F half_r = s2 - p.y;
    if (h.is_zero()) return half_r.is_zero() ? p.doubled() : infinity();
    const F hh = h.square();
    const F i = hh.doubled().doubled();
    const F j = h * i;
    const F r = half_r.doubled();
    const F v = p.x * i;
    const F y1_2 = p.y.doubled();
    Jacobian sum{r.square() - j - v.doubled(),                           // X3 = r² - J - 2V
                 detail::difference_of_products(r, v - sum.x, y1_2, j),  // Y3 = r(V - X3) - 2 Y1 J
                 (p.z + h).square() - z1z1 - hh};                        // Z3 = 2 Z1 H
    return sum;
  }
  ZKGPU_HD friend constexpr Jacobian operator-(const Jacobian& p, const Jacobian& q) noexcept {
    return p + (-q);
  }
  ZKGPU_HD friend constexpr Jacobian operator-(const Jacobian& p, const Affine<P>& q) noexcept {
    return p + (-q);
  }
  ZKGPU_HD constexpr Jacobian& operator+=(const Jacobian& q) noexcept { return *this = *this + q; }
  ZKGPU_HD constexpr Jacobian& operator+=(const Affine<P>& q) noexcept { return *this = *this + q; }

  /// Equality of the points, not of their coordinates; 4M + 2S
  ZKGPU_HD friend constexpr bool operator==(const Jacobian& p, const Jacobian& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    const F z1z1 = p.z.square();
    const F z2z2 = q.z.square();
    return p.x * z2z2 == q.x * z1z1 && p.y * q.z * z2z2 == q.y * p.z * z1z1;
  }
};

/// All points to affine with one inversion.
///
/// @param scratch  at least points.size() field elements, overwritten
/// @cost  1 inversion + about 6M + 1S a point
template <CurveParams P>
constexpr void batch_to_affine(std::span<const Jacobian<P>> points, std::span<Affine<P>> out,
                               std::span<typename P::BaseField> scratch) noexcept {
  using F = typename P::BaseField;
  F product = F::one();
  for (std::size_t i = 0; i < points.size(); ++i) {
    scratch[i] = product;
    if (!points[i].is_infinity()) product = product * points[i].z;
  }
  F inverse = product.inverse();
  for (std::size_t i = points.size(); i-- > 0;) {
    if (points[i].is_infinity()) {
      out[i] = Affine<P>::infinity();
      continue;
    }
    const F z_inverse = inverse * scratch[i];
    inverse = inverse * points[i].z;
    const F zz_inverse = z_inverse.square();
    out[i] = Affine<P>{points[i].x * zz_inverse, points[i].y * zz_inverse * z_inverse};
  }
}

/// k·p by double-and-add from the top bit; variable time: the textbook, and the oracle of the
/// faster ways.
template <CurveParams P, std::size_t N>
constexpr Jacobian<P> scalar_mul_double_and_add(const Jacobian<P>& p, const Limbs<N>& k) noexcept {
  Jacobian<P> r = Jacobian<P>::infinity();
  for (std::size_t i = k.bit_length(); i-- > 0;) {
    r = r.doubled();
    if (k.bit(i)) r += p;
  }
  return r;
}

}  // namespace zkgpu
