// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/fp6.hpp>

namespace zkgpu {

/// The quadratic extension Fp6[w]/(w² - v), of degree 12 over the prime field F_q.
///
/// Its cyclotomic subgroup, the elements with x^(q⁴ - q² + 1) = 1, has cheaper operations: the
/// inverse is the conjugate, and cyclotomic_square() takes half of square()'s time.
template <TowerParams T>
struct Fp12 {
  using Tower = T;
  using BaseField = Fp6<T>;
  using QuadraticField = typename T::BaseField;

  BaseField c0, c1;  // c0 + c1·w

  ZKGPU_HD static constexpr Fp12 zero() noexcept { return Fp12{}; }
  ZKGPU_HD static constexpr Fp12 one() noexcept {
    return Fp12{BaseField::one(), BaseField::zero()};
  }

  ZKGPU_HD friend constexpr Fp12 operator+(const Fp12& a, const Fp12& b) noexcept {
    return Fp12{a.c0 + b.c0, a.c1 + b.c1};
  }
  ZKGPU_HD friend constexpr Fp12 operator-(const Fp12& a, const Fp12& b) noexcept {
    return Fp12{a.c0 - b.c0, a.c1 - b.c1};
  }
  ZKGPU_HD constexpr Fp12 operator-() const noexcept { return Fp12{-c0, -c1}; }

  /// Karatsuba: 3M in Fp6
  ZKGPU_HD_NOINLINE friend constexpr Fp12 operator*(const Fp12& a, const Fp12& b) noexcept {
    const BaseField v0 = a.c0 * b.c0;
    const BaseField v1 = a.c1 * b.c1;
    const BaseField cross = (a.c0 + a.c1) * (b.c0 + b.c1);
    return Fp12{v0 + v1.multiply_by_v(), cross - v0 - v1};
  }
  ZKGPU_HD constexpr Fp12& operator+=(const Fp12& b) noexcept { return *this = *this + b; }
  ZKGPU_HD constexpr Fp12& operator-=(const Fp12& b) noexcept { return *this = *this - b; }
  ZKGPU_HD constexpr Fp12& operator*=(const Fp12& b) noexcept { return *this = *this * b; }

  /// this·(l0 + l1·v + l4·v·w), the form of a line function: six sums of three products, else 13M
  /// in the quadratic field
  ZKGPU_HD_NOINLINE constexpr Fp12 multiply_by_line(const QuadraticField& l0,
                                                    const QuadraticField& l1,
                                                    const QuadraticField& l4) const noexcept {
    if constexpr (detail::has_fast_sums_of_three<QuadraticField>()) {
      const detail::SumFactors<QuadraticField> line{l0, l1, l4};
      const QuadraticField xi_a2 = T::multiply_by_xi(c0.c2);
      const QuadraticField xi_b1 = T::multiply_by_xi(c1.c1);
      const QuadraticField xi_b2 = T::multiply_by_xi(c1.c2);
      return Fp12{{line.times(c0.c0, xi_a2, xi_b1), line.times(c0.c1, c0.c0, xi_b2),
                   line.times(c0.c2, c0.c1, c1.c0)},
                  {line.times(c1.c0, xi_b2, xi_a2), line.times(c1.c1, c1.c0, c0.c0),
                   line.times(c1.c2, c1.c1, c0.c1)}};
    } else {
      const BaseField v0 = c0.multiply_by_01(l0, l1);
      const BaseField v1 = c1.multiply_by_1(l4);
      const BaseField cross = (c0 + c1).multiply_by_01(l0, l1 + l4);
      return Fp12{v0 + v1.multiply_by_v(), cross - v0 - v1};
    }
  }

  /// (c0 + c1)(c0 + v·c1) - (1 + v)·c0c1, and 2c0c1: 2M in Fp6
  ZKGPU_HD_NOINLINE constexpr Fp12 square() const noexcept {
    const BaseField product = c0 * c1;
    const BaseField sum = (c0 + c1) * (c0 + c1.multiply_by_v());
    return Fp12{sum - product - product.multiply_by_v(), product.doubled()};
  }
  ZKGPU_HD constexpr Fp12 doubled() const noexcept { return *this + *this; }

  /// 1/this, and zero for zero: the conjugate by the norm c0² - v·c1²; 1 inversion in Fp6
  ZKGPU_HD constexpr Fp12 inverse() const noexcept {
    const BaseField norm = c0.square() - c1.square().multiply_by_v();
    const BaseField norm_inverse = norm.inverse();
    return Fp12{c0 * norm_inverse, -(c1 * norm_inverse)};
  }

  /// c0 - c1·w = this^(q⁶); the inverse in the cyclotomic subgroup
  ZKGPU_HD constexpr Fp12 conjugate() const noexcept { return Fp12{c0, -c1}; }

  /// this^q: 5M in the quadratic field
  ZKGPU_HD_NOINLINE constexpr Fp12 frobenius() const noexcept {
    constexpr QuadraticField w = T::frobenius_w();
    return Fp12{c0.frobenius(), c1.frobenius() * w};
  }

  /// this² for an element of the cyclotomic subgroup: 9S in the quadratic field.
  ///
  /// Three squarings in the quadratic extension F4 = F2[s]/(s² - ξ), s = v·w.
  /// @see R. Granger, M. Scott, "Faster squaring in the cyclotomic subgroup of sixth degree
  ///      extensions", eprint 2009/565 §3.2
  ZKGPU_HD_NOINLINE constexpr Fp12 cyclotomic_square() const noexcept {
    const Quartic a = Quartic::square(c0.c0, c1.c1);  // the coefficients of 1 and s
    const Quartic b = Quartic::square(c1.c0, c0.c2);  // w and s·w = v²
    const Quartic c = Quartic::square(c0.c1, c1.c2);  // v and s·v = v²w
    const QuadraticField c1_shifted = T::multiply_by_xi(c.c1);
    return Fp12{BaseField{three_minus_two(a.c0, c0.c0), three_minus_two(b.c0, c0.c1),
                          three_minus_two(c.c0, c0.c2)},
                BaseField{three_plus_two(c1_shifted, c1.c0), three_plus_two(a.c1, c1.c1),
                          three_plus_two(b.c1, c1.c2)}};
  }

  /// this^exponent, variable time in the exponent.
  template <std::size_t L>
  ZKGPU_HD constexpr Fp12 pow(const Limbs<L>& exponent) const noexcept {
    Fp12 r = one();
    for (std::size_t i = exponent.bit_length(); i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r *= *this;
    }
    return r;
  }

  /// this^exponent for an element of the cyclotomic subgroup, variable time in the exponent.
  template <std::size_t L>
  ZKGPU_HD constexpr Fp12 cyclotomic_pow(const Limbs<L>& exponent) const noexcept {
    const std::size_t length = exponent.bit_length();
    if (length == 0) return one();
    Fp12 r = *this;
    for (std::size_t i = length - 1; i-- > 0;) {
      r = r.cyclotomic_square();
      if (exponent.bit(i)) r *= *this;
    }
    return r;
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero(); }
  ZKGPU_HD friend constexpr bool operator==(const Fp12& a, const Fp12& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1;
  }

 private:
  /// An element of F2[s]/(s² - ξ).
  struct Quartic {
    QuadraticField c0, c1;
    /// (a + b·s)²: 3S
    ZKGPU_HD static constexpr Quartic square(const QuadraticField& a,
                                             const QuadraticField& b) noexcept {
      const QuadraticField aa = a.square();
      const QuadraticField bb = b.square();
      return Quartic{T::multiply_by_xi(bb) + aa, (a + b).square() - aa - bb};
    }
  };
  ZKGPU_HD static constexpr QuadraticField three_minus_two(const QuadraticField& a,
                                                           const QuadraticField& b) noexcept {
    return (a - b).doubled() + a;
  }
  ZKGPU_HD static constexpr QuadraticField three_plus_two(const QuadraticField& a,
                                                          const QuadraticField& b) noexcept {
    return (a + b).doubled() + a;
  }
};

}  // namespace zkgpu
