// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// A curve y² = x³ + b over a field, with a generator of its subgroup of prime order.
template <class P>
concept CurveParams =
    Field<typename P::BaseField> && PrimeField<typename P::ScalarField> && requires {
  { P::b() } -> std::same_as<typename P::BaseField>;
  { P::generator_x() } -> std::same_as<typename P::BaseField>;
  { P::generator_y() } -> std::same_as<typename P::BaseField>;
};

namespace detail {

/// a·b + c·d and a·b - c·d, with one reduction where the field can.
template <Field F>
ZKGPU_HD constexpr F sum_of_products(const F& a, const F& b, const F& c, const F& d) noexcept {
  if constexpr (requires { F::sum_of_products(a, b, c, d); }) {
    return F::sum_of_products(a, b, c, d);
  } else {
    return a * b + c * d;
  }
}
template <Field F>
ZKGPU_HD constexpr F difference_of_products(const F& a, const F& b, const F& c,
                                            const F& d) noexcept {
  if constexpr (requires { F::difference_of_products(a, b, c, d); }) {
    return F::difference_of_products(a, b, c, d);
  } else {
    return a * b - c * d;
  }
}

}  // namespace detail

/// An affine point; (0, 0), which lies on no curve with b != 0, stands for infinity.
///
/// The memory of an array of these is the point section of a .zkey, byte for byte.
template <CurveParams P>
struct Affine {
  using F = typename P::BaseField;

  F x, y;

  ZKGPU_HD static constexpr Affine infinity() noexcept { return Affine{F::zero(), F::zero()}; }
  ZKGPU_HD constexpr bool is_infinity() const noexcept { return x.is_zero() && y.is_zero(); }

  /// Infinity counts as on the curve.
  ZKGPU_HD constexpr bool is_on_curve() const noexcept {
    return is_infinity() || y.square() == x.square() * x + P::b();
  }

  ZKGPU_HD constexpr Affine operator-() const noexcept { return Affine{x, -y}; }

  ZKGPU_HD friend constexpr bool operator==(const Affine& a, const Affine& b) noexcept {
    return a.x == b.x && a.y == b.y;
  }
};

}  // namespace zkgpu
