// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// The quadratic extension F[u]/(u² + 1); -1 must be a non-residue of F.
template <PrimeField F>
struct Fp2 {
  using BaseField = F;

  F c0, c1;  // c0 + c1·u

  ZKGPU_HD static constexpr Fp2 zero() noexcept { return Fp2{F::zero(), F::zero()}; }
  ZKGPU_HD static constexpr Fp2 one() noexcept { return Fp2{F::one(), F::zero()}; }

  ZKGPU_HD friend constexpr Fp2 operator+(const Fp2& a, const Fp2& b) noexcept {
    return Fp2{a.c0 + b.c0, a.c1 + b.c1};
  }
  ZKGPU_HD friend constexpr Fp2 operator-(const Fp2& a, const Fp2& b) noexcept {
    return Fp2{a.c0 - b.c0, a.c1 - b.c1};
  }
  ZKGPU_HD constexpr Fp2 operator-() const noexcept { return Fp2{-c0, -c1}; }

  /// Two sums of two products, 2.8M; where those are dear, Karatsuba, 3M + 5A; or what the field
  /// has for it.
  ZKGPU_HD friend constexpr Fp2 operator*(const Fp2& a, const Fp2& b) noexcept {
    if constexpr (has_complex_product()) {
      return complex_product(a, b);
    } else if constexpr (F::has_fast_sum_of_products) {
      return Fp2{F::difference_of_products(a.c0, b.c0, a.c1, b.c1),
                 F::sum_of_products(a.c0, b.c1, a.c1, b.c0)};
    } else {
      const F v0 = a.c0 * b.c0;
      const F v1 = a.c1 * b.c1;
      const F cross = (a.c0 + a.c1) * (b.c0 + b.c1);
      return Fp2{v0 - v1, cross - v0 - v1};
    }
  }
  /// a·b + c·d: 1.6 products where one reduction of F serves four of its products.
  ZKGPU_HD static constexpr Fp2 sum_of_products(const Fp2& a, const Fp2& b, const Fp2& c,
                                                const Fp2& d) noexcept {
    if constexpr (has_fast_sums_of_four()) {
      const F minus_a1 = -a.c1, minus_c1 = -c.c1;
      return Fp2{F::template sum_of_products<4>({&a.c0, &minus_a1, &c.c0, &minus_c1},
                                                {&b.c0, &b.c1, &d.c0, &d.c1}),
                 F::template sum_of_products<4>({&a.c0, &a.c1, &c.c0, &c.c1},
                                                {&b.c1, &b.c0, &d.c1, &d.c0})};
    } else {
      return a * b + c * d;
    }
  }

  /// a·b - c·d: the same
  ZKGPU_HD static constexpr Fp2 difference_of_products(const Fp2& a, const Fp2& b, const Fp2& c,
                                                       const Fp2& d) noexcept {
    if constexpr (has_fast_sums_of_four()) {
      return sum_of_products(a, b, -c, d);
    } else {
      return a * b - c * d;
    }
  }

  ZKGPU_HD friend constexpr Fp2 operator*(const Fp2& a, const F& b) noexcept {
    return Fp2{a.c0 * b, a.c1 * b};
  }

  ZKGPU_HD constexpr Fp2& operator+=(const Fp2& b) noexcept {
    c0 += b.c0;
    c1 += b.c1;
    return *this;
  }
  ZKGPU_HD constexpr Fp2& operator-=(const Fp2& b) noexcept {
    c0 -= b.c0;
    c1 -= b.c1;
    return *this;
  }
  ZKGPU_HD constexpr Fp2& operator*=(const Fp2& b) noexcept { return *this = *this * b; }

  /// (c0² - c1²) + 2 c0 c1 u: 2M
  ZKGPU_HD constexpr Fp2 square() const noexcept {
    if constexpr (has_complex_product()) return complex_square(*this);
    return Fp2{F::difference_of_squares(c0, c1), F::twice_product(c0, c1)};
  }
  ZKGPU_HD constexpr Fp2 doubled() const noexcept { return *this + *this; }

  /// c0 - c1·u, which is also the Frobenius map of F[u].
  ZKGPU_HD constexpr Fp2 conjugate() const noexcept { return Fp2{c0, -c1}; }

  /// c0² + c1², an element of F.
  ZKGPU_HD constexpr F norm() const noexcept { return F::sum_of_products(c0, c0, c1, c1); }

  /// 1/this, and zero for zero: 1 inversion in F. Variable time, see Fp::inverse.
  ZKGPU_HD constexpr Fp2 inverse() const noexcept { return conjugate() * norm().inverse(); }

  /// The same in a time that does not depend on the value.
  ZKGPU_HD constexpr Fp2 inverse_constant_time() const noexcept {
    return conjugate() * norm().inverse_constant_time();
  }

  template <class Exponent>
  ZKGPU_HD constexpr Fp2 pow(const Exponent& exponent) const noexcept {
    Fp2 r = one();
    for (auto i = exponent.bit_length(); i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r *= *this;
    }
    return r;
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept { return c0.is_zero() && c1.is_zero(); }
  ZKGPU_HD friend constexpr bool operator==(const Fp2& a, const Fp2& b) noexcept {
    return a.c0 == b.c0 && a.c1 == b.c1;
  }

 private:
  ZKGPU_HD static constexpr bool has_complex_product() noexcept {
    return requires(F & r) { F::complex_product(r, r, r, r, r, r); };
  }
  // Calls with operands in registers: a device's code cache holds few products of this size.
  ZKGPU_HD_NOINLINE static constexpr Fp2 complex_product(Fp2 a, Fp2 b) noexcept {
    Fp2 r{};
    F::complex_product(r.c0, r.c1, a.c0, a.c1, b.c0, b.c1);
    return r;
  }
  ZKGPU_HD_NOINLINE static constexpr Fp2 complex_square(Fp2 a) noexcept {
    return Fp2{F::difference_of_squares(a.c0, a.c1), F::twice_product(a.c0, a.c1)};
  }
  ZKGPU_HD static constexpr bool has_fast_sums_of_four() noexcept {
    if constexpr (requires { F::max_products; }) return F::max_products >= 4;
    return false;
  }
};

/// condition ? a : b, without a branch.
template <PrimeField F>
ZKGPU_HD constexpr Fp2<F> select(bool condition, const Fp2<F>& a, const Fp2<F>& b) noexcept {
  return Fp2<F>{select(condition, a.c0, b.c0), select(condition, a.c1, b.c1)};
}

}  // namespace zkgpu
