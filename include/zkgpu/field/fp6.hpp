// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// What a tower v³ = ξ, w² = v over a quadratic extension of F_q is made of.
/// Laws: ξ is neither a square nor a cube; frobenius_v() = ξ^((q-1)/3), frobenius_w() =
/// ξ^((q-1)/6); multiply_by_xi(a) == ξ·a; the base field has conjugate(), its Frobenius map.
template <class T>
concept TowerParams = Field<typename T::BaseField> && requires(const typename T::BaseField a) {
  { T::multiply_by_xi(a) } -> std::same_as<typename T::BaseField>;
  { T::frobenius_v() } -> std::same_as<typename T::BaseField>;
  { T::frobenius_w() } -> std::same_as<typename T::BaseField>;
  { a.conjugate() } -> std::same_as<typename T::BaseField>;
};

namespace detail {

/// Does one reduction of the prime field under F2 serve the six products of a sum a0·b0 + a1·b1 +
/// a2·b2?
template <class F2>
constexpr bool has_fast_sums_of_three() noexcept {
  if constexpr (requires { F2::BaseField::max_products; }) return F2::BaseField::max_products >= 6;
  return false;
}

/// The left factors of such sums, with their negated imaginary parts.
template <class F2>
struct SumFactors {
  const F2 &a0, &a1, &a2;
  typename F2::BaseField minus_a0 = -a0.c1, minus_a1 = -a1.c1, minus_a2 = -a2.c1;

  /// a0·b0 + a1·b1 + a2·b2
  ZKGPU_HD constexpr F2 times(const F2& b0, const F2& b1, const F2& b2) const noexcept {
    using F = typename F2::BaseField;
    return F2{
        F::template sum_of_products<6>({&a0.c0, &minus_a0, &a1.c0, &minus_a1, &a2.c0, &minus_a2},
                                       {&b0.c0, &b0.c1, &b1.c0, &b1.c1, &b2.c0, &b2.c1}),
        F::template sum_of_products<6>({&a0.c0, &a0.c1, &a1.c0, &a1.c1, &a2.c0, &a2.c1},
                                       {&b0.c1, &b0.c0, &b1.c1, &b1.c0, &b2.c1, &b2.c0})};
  }
};

}  // namespace detail

/// The cubic extension F2[v]/(v³ - ξ).
template <TowerParams T>
struct Fp6 {
  using Tower = T;
  using BaseField = typename T::BaseField;

  BaseField c0, c1, c2;  // c0 + c1·v + c2·v²

  ZKGPU_HD static constexpr Fp6 zero() noexcept { return Fp6{}; }
  ZKGPU_HD static constexpr Fp6 one() noexcept {
    return Fp6{BaseField::one(), BaseField::zero(), BaseField::zero()};
  }

  ZKGPU_HD friend constexpr Fp6 operator+(const Fp6& a, const Fp6& b) noexcept {
    return Fp6{a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  ZKGPU_HD friend constexpr Fp6 operator-(const Fp6& a, const Fp6& b) noexcept {
    return Fp6{a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  ZKGPU_HD constexpr Fp6 operator-() const noexcept { return Fp6{-c0, -c1, -c2}; }

  /// Three sums of three products, where six products of the prime field share a reduction; else
  /// Karatsuba on each pair of coefficients, 6M
  ZKGPU_HD_NOINLINE friend constexpr Fp6 operator*(const Fp6& a, const Fp6& b) noexcept {
    if constexpr (detail::has_fast_sums_of_three<BaseField>()) {
      const detail::SumFactors<BaseField> sums{a.c0, a.c1, a.c2};
      const BaseField xi_b1 = T::multiply_by_xi(b.c1);
      const BaseField xi_b2 = T::multiply_by_xi(b.c2);
      return Fp6{sums.times(b.c0, xi_b2, xi_b1), sums.times(b.c1, b.c0, xi_b2),
                 sums.times(b.c2, b.c1, b.c0)};
    } else {
      const BaseField v0 = a.c0 * b.c0;
      const BaseField v1 = a.c1 * b.c1;
      const BaseField v2 = a.c2 * b.c2;
      const BaseField x12 = (a.c1 + a.c2) * (b.c1 + b.c2) - v1 - v2;  // a1b2 + a2b1
      const BaseField x01 = (a.c0 + a.c1) * (b.c0 + b.c1) - v0 - v1;  // a0b1 + a1b0
      const BaseField x02 = (a.c0 + a.c2) * (b.c0 + b.c2) - v0 - v2;  // a0b2 + a2b0
      return Fp6{v0 + T::multiply_by_xi(x12), x01 + T::multiply_by_xi(v2), x02 + v1};
    }
  }
  ZKGPU_HD friend constexpr Fp6 operator*(const Fp6& a, const BaseField& b) noexcept {
    return Fp6{a.c0 * b, a.c1 * b, a.c2 * b};
  }

  ZKGPU_HD constexpr Fp6& operator+=(const Fp6& b) noexcept { return *this = *this + b; }
  ZKGPU_HD constexpr Fp6& operator-=(const Fp6& b) noexcept { return *this = *this - b; }
  ZKGPU_HD constexpr Fp6& operator*=(const Fp6& b) noexcept { return *this = *this * b; }

  /// this·(b0 + b1·v): 5M
  ZKGPU_HD_NOINLINE constexpr Fp6 multiply_by_01(const BaseField& b0,
                                                 const BaseField& b1) const noexcept {
    const BaseField v0 = c0 * b0;
    const BaseField v1 = c1 * b1;
    const BaseField x01 = (c0 + c1) * (b0 + b1) - v0 - v1;  // a0b1 + a1b0
    return Fp6{v0 + T::multiply_by_xi(c2 * b1), x01, c2 * b0 + v1};
  }

  /// this·b1·v: 3M
  ZKGPU_HD constexpr Fp6 multiply_by_1(const BaseField& b1) const noexcept {
    return Fp6{T::multiply_by_xi(c2 * b1), c0 * b1, c1 * b1};
  }

  /// this·v
  ZKGPU_HD constexpr Fp6 multiply_by_v() const noexcept {
    return Fp6{T::multiply_by_xi(c2), c0, c1};
  }

  /// Chung–Hasan SQR2: 2M + 3S
  /// @see J. Chung, M. A. Hasan, "Asymmetric squaring formulae", ARITH 2007
  ZKGPU_HD_NOINLINE constexpr Fp6 square() const noexcept {
    const BaseField s0 = c0.square();
    const BaseField s1 = (c0 * c1).doubled();
    const BaseField s2 = (c0 - c1 + c2).square();  // a0² + a1² + a2² - 2a0a1 - 2a1a2 + 2a0a2
    const BaseField s3 = (c1 * c2).doubled();
    const BaseField s4 = c2.square();
    return Fp6{s0 + T::multiply_by_xi(s3), s1 + T::multiply_by_xi(s4), s1 + s2 + s3 - s0 - s4};
  }
  ZKGPU_HD constexpr Fp6 doubled() const noexcept { return *this + *this; }

  /// 1/this, and zero for zero: the adjoint by the norm; 1 inversion + 9M + 3S in the base field
  ZKGPU_HD constexpr Fp6 inverse() const noexcept {
    const BaseField t0 = c0.square() - T::multiply_by_xi(c1 * c2);
    const BaseField t1 = T::multiply_by_xi(c2.square()) - c0 * c1;
    const BaseField t2 = c1.square() - c0 * c2;
    const BaseField norm = c0 * t0 + T::multiply_by_xi(c2 * t1 + c1 * t2);
    const BaseField norm_inverse = norm.inverse();
    return Fp6{t0 * norm_inverse, t1 * norm_inverse, t2 * norm_inverse};
  }

  /// this^q, q the order of the prime field: 2M
  ZKGPU_HD constexpr Fp6 frobenius() const noexcept {
    constexpr BaseField v = T::frobenius_v();
    constexpr BaseField vv = v.square();
    return Fp6{c0.conjugate(), c1.conjugate() * v, c2.conjugate() * vv};
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept {
    return c0.is_zero() && c1.is_zero() && c2.is_zero();
  }
  ZKGPU_HD friend constexpr bool operator==(const Fp6& a, const Fp6& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1 && a.c2 == b.c2;
  }
};

}  // namespace zkgpu
