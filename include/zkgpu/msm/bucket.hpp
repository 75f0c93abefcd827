// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/curve.hpp>

/// Bodies of the bucket method: sums of affine points whose divisions are shared by a batch.
/// @see docs/math/pippenger.md
namespace zkgpu {

// The bodies below change operands in place where a formula would name a new value: results then go
// straight to their place, and a copy right after a product costs as much as an addition.

/// p + q for points with different x, given 1/(x_q - x_p): 2M + 1S
///
/// @param difference  x_q - x_p
template <CurveParams P>
ZKGPU_HD constexpr Affine<P> chord_sum(const Affine<P>& p, const Affine<P>& q,
                                       const typename P::BaseField& difference,
                                       const typename P::BaseField& inverse) noexcept {
  using F = typename P::BaseField;
  F slope = q.y - p.y;
  slope *= inverse;
  F x = slope.square();
  x -= difference;
  x -= p.x;
  x -= p.x;  // X3 = λ² - x_p - x_q
  F y = p.x - x;
  y *= slope;
  y -= p.y;  // Y3 = λ(x_p - X3) - y_p
  return Affine<P>{x, y};
}

/// 2p for y_p != 0, given 1/(2y_p): 2M + 2S
template <CurveParams P>
ZKGPU_HD constexpr Affine<P> tangent_sum(const Affine<P>& p,
                                         const typename P::BaseField& inverse) noexcept {
  using F = typename P::BaseField;
  const F xx = p.x.square();
  F slope = xx.doubled();
  slope += xx;
  slope *= inverse;  // λ = 3x²/2y
  F x = slope.square();
  x -= p.x;
  x -= p.x;
  F y = p.x - x;
  y *= slope;
  y -= p.y;
  return Affine<P>{x, y};
}

/// What a batch of sums works in; each array has one element a pair.
template <class F>
struct PairScratch {
  F* differences;
  F* products;
  std::uint32_t* marks;
};

/// One addition of a batch: *left becomes *left + *right.
template <class Point>
struct PointPair {
  Point* left;
  const Point* right;
};

/// All additions of a batch, in ascending order, with one inversion.
///
/// Complete: infinity, doublings and cancellations may occur anywhere. A point may be the left of
/// one pair and the right of earlier ones: those take its value from before.
///
/// @cost   5M + 1S a sum, 1S more for a doubling, and 1 inversion
template <CurveParams P>
ZKGPU_HD constexpr void add_pairs(std::size_t count, const PointPair<Affine<P>>* pairs,
                                  const PairScratch<typename P::BaseField>& scratch) noexcept {
  using F = typename P::BaseField;
  // Products of all denominators that follow, so that the second pass can go upward.
  F product = F::one();
  std::size_t tangents = 0;
  for (std::size_t i = count; i-- > 0;) {
    const Affine<P>& p = *pairs[i].left;
    const Affine<P>& q = *pairs[i].right;
    if (p.is_infinity() || q.is_infinity()) continue;
    F& denominator = scratch.differences[i];
    denominator = q.x;
    denominator -= p.x;
    if (denominator.is_zero()) {
      if (!(p.y == q.y)) continue;  // p = -q
      denominator = p.y.doubled();
      if (denominator.is_zero()) continue;  // a point of order 2
      scratch.marks[tangents++] = static_cast<std::uint32_t>(i);
    }
    scratch.products[i] = product;
    product *= denominator;
  }
  F inverse = product.inverse();
  for (std::size_t i = 0; i < count; ++i) {
    Affine<P>& p = *pairs[i].left;
    const Affine<P>& q = *pairs[i].right;
    if (q.is_infinity()) continue;
    if (p.is_infinity()) {
      p = q;
      continue;
    }
    const F& denominator = scratch.differences[i];
    if (denominator.is_zero()) {
      p = Affine<P>::infinity();
      continue;
    }
    const F own = inverse * scratch.products[i];
    inverse *= denominator;
    if (tangents > 0 && scratch.marks[tangents - 1] == i) {
      --tangents;
      p = tangent_sum(p, own);
    } else {
      p = chord_sum(p, q, denominator, own);
    }
  }
}

}  // namespace zkgpu
