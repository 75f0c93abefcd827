// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/field/lanes/elements_avx512ifma_impl.hpp>

/// Lanes of Fq6 = Fq2[v]/(v³ - ξ) and Fq12 = Fq6[w]/(w² - v) for ξ = 1 + u: formulas of fp6.hpp and
/// fp12.hpp. The bounds of results do not depend on those of operands, so nothing is ever reduced.
namespace zkgpu {

/// Is ξ of this tower 1 + u? The formulas below hold in no other: who uses them asserts it.
template <class T>
inline constexpr bool xi_is_one_plus_u = T::multiply_by_xi(T::BaseField::one()) ==
                                         typename T::BaseField{T::BaseField::one().c0,
                                                               T::BaseField::one().c0};

/// ξ·a
template <PrimeField F, CpuArch A, unsigned Bound>
[[gnu::always_inline]] inline Lanes2<F, A, 2 * Bound> multiply_by_xi(
    const Lanes2<F, A, Bound>& a) noexcept {
  return {a.c0 - a.c1, a.c0 + a.c1};
}

template <PrimeField F, CpuArch A, unsigned Bound>
struct Lanes6 {
  Lanes2<F, A, Bound> c0, c1, c2;
  static constexpr unsigned product_bound = 42, sparse_bound = 18;

  template <unsigned Wider>
  [[gnu::always_inline]] Lanes6<F, A, Wider> widened() const noexcept {
    return {c0.template widened<Wider>(), c1.template widened<Wider>(),
            c2.template widened<Wider>()};
  }
  template <unsigned Other>
  [[gnu::always_inline]] Lanes6<F, A, Bound + Other> operator+(
      const Lanes6<F, A, Other>& b) const noexcept {
    return {c0 + b.c0, c1 + b.c1, c2 + b.c2};
  }
  template <unsigned Other>
  [[gnu::always_inline]] Lanes6<F, A, Bound + Other> operator-(
      const Lanes6<F, A, Other>& b) const noexcept {
    return {c0 - b.c0, c1 - b.c1, c2 - b.c2};
  }

  /// Karatsuba on each pair of coefficients: 6M in Fq2
  template <unsigned Other>
  [[gnu::noinline]] Lanes6<F, A, product_bound> operator*(
      const Lanes6<F, A, Other>& b) const noexcept {
    const auto v0 = c0 * b.c0;
    const auto v1 = c1 * b.c1;
    const auto v2 = c2 * b.c2;
    const auto x12 = (c1 + c2) * (b.c1 + b.c2) - (v1 + v2);  // a1b2 + a2b1
    const auto x01 = (c0 + c1) * (b.c0 + b.c1) - (v0 + v1);  // a0b1 + a1b0
    const auto x02 = (c0 + c2) * (b.c0 + b.c2) - (v0 + v2);  // a0b2 + a2b0
    return {v0 + multiply_by_xi(x12), (x01 + multiply_by_xi(v2)).template widened<product_bound>(),
            (x02 + v1).template widened<product_bound>()};
  }
  /// this·(b0 + b1·v): 5M
  template <unsigned B0, unsigned B1>
  [[gnu::noinline]] Lanes6<F, A, sparse_bound> multiply_by_01(
      const Lanes2<F, A, B0>& b0, const Lanes2<F, A, B1>& b1) const noexcept {
    const auto v0 = c0 * b0;
    const auto v1 = c1 * b1;
    const auto x01 = (c0 + c1) * (b0 + b1) - (v0 + v1);  // a0b1 + a1b0
    return {v0 + multiply_by_xi(c2 * b1), x01, (c2 * b0 + v1).template widened<sparse_bound>()};
  }
  /// this·b1·v: 3M
  template <unsigned B1>
  [[gnu::noinline]] Lanes6<F, A, sparse_bound> multiply_by_1(
      const Lanes2<F, A, B1>& b1) const noexcept {
    return {multiply_by_xi(c2 * b1).template widened<sparse_bound>(),
            (c0 * b1).template widened<sparse_bound>(), (c1 * b1).template widened<sparse_bound>()};
  }
  [[gnu::always_inline]] Lanes6<F, A, 2 * Bound> multiply_by_v() const noexcept {
    return {multiply_by_xi(c2), c0.template widened<2 * Bound>(), c1.template widened<2 * Bound>()};
  }
};

template <PrimeField F, CpuArch A>
struct Lanes12 {
  static constexpr unsigned bound = 4 * Lanes6<F, A, 1>::product_bound;  // of a square
  Lanes6<F, A, bound> c0, c1;

  /// (c0 + c1)(c0 + v·c1) - (1 + v)·c0c1, and 2c0c1: 2M in Fq6
  [[gnu::noinline]] void square_in_place() noexcept {
    const auto product = c0 * c1;
    const auto sum = (c0 + c1) * (c0 + c1.multiply_by_v());
    c0 = sum - product - product.multiply_by_v();
    c1 = (product + product).template widened<bound>();
  }

  /// this *= l0 + l1·v + l4·v·w, the form of a line: 13M in Fq2
  template <unsigned B0, unsigned B1, unsigned B4>
  [[gnu::noinline]] void multiply_by_line(const Lanes2<F, A, B0>& l0, const Lanes2<F, A, B1>& l1,
                                          const Lanes2<F, A, B4>& l4) noexcept {
    const auto v0 = c0.multiply_by_01(l0, l1);
    const auto v1 = c1.multiply_by_1(l4);
    const auto cross = (c0 + c1).multiply_by_01(l0, l1 + l4);
    c0 = (v0 + v1.multiply_by_v()).template widened<bound>();
    c1 = (cross - (v0 + v1)).template widened<bound>();
  }
};

}  // namespace zkgpu
