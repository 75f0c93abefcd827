// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/divsteps.hpp>
#include <zkgpu/arith/lazy_ops.hpp>
#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/fp.hpp>

namespace zkgpu {

/// An element of the prime field with modulus p, kept in [0, 2p) and in Montgomery form: what point
/// formulas compute with on the device. Every element has two representations there.
///
/// A product of factors below 2p is below p + 4p²/R, which stays below 2p while 4p <= R: no product
/// ends in a subtraction. An `Fp` is also a `LazyFp` of the same memory; `canonical()` goes back.
template <PrimeFieldParams P>
class LazyFp {
  using M = Montgomery<P>;

 public:
  using Params = P;
  using Canonical = Fp<P>;
  using Integer = typename M::Integer;
  static constexpr std::size_t limb_count = M::limb_count;
  static constexpr std::size_t bits = M::bits;
  static_assert(M::bits + 3 <= 64 * M::limb_count, "sums of two products need three free bits");

  LazyFp() = default;
  ZKGPU_HD explicit constexpr LazyFp(const Canonical& a) noexcept : value_(a.montgomery()) {}

  ZKGPU_HD static constexpr LazyFp zero() noexcept { return LazyFp{}; }
  ZKGPU_HD static constexpr LazyFp one() noexcept { return LazyFp(Canonical::one()); }
  ZKGPU_HD static constexpr Integer modulus() noexcept { return M::modulus(); }
  ZKGPU_HD static constexpr LazyFp from_integer(const Integer& n) noexcept {
    return LazyFp(Canonical::from_integer(n));
  }
  ZKGPU_HD constexpr Integer to_integer() const noexcept { return canonical().to_integer(); }

  /// The representative in [0, p).
  ZKGPU_HD constexpr Canonical canonical() const noexcept {
    Integer reduced{};
    const bool below = limb_ops::subtract(reduced, value_, M::modulus()) != 0;
    return Canonical::from_montgomery(limb_ops::select(below, value_, reduced));
  }
  /// What is in memory, below 2p.
  ZKGPU_HD constexpr const Integer& representative() const noexcept { return value_; }
  /// @param n  below 2p
  ZKGPU_HD static constexpr LazyFp from_representative(const Integer& n) noexcept {
    LazyFp r{};
    r.value_ = n;
    return r;
  }

  ZKGPU_HD friend constexpr LazyFp operator+(const LazyFp& a, const LazyFp& b) noexcept {
    LazyFp r{};  // a + b < 4p, less 2p where that is not negative
    limb_ops::add(r.value_, a.value_, b.value_);
    const std::uint64_t below = limb_ops::subtract(r.value_, r.value_, twice_modulus());
    limb_ops::add_if(r.value_, twice_modulus(), below);
    return r;
  }
  ZKGPU_HD friend constexpr LazyFp operator-(const LazyFp& a, const LazyFp& b) noexcept {
    LazyFp r{};
    const std::uint64_t below = limb_ops::subtract(r.value_, a.value_, b.value_);
    limb_ops::add_if(r.value_, twice_modulus(), below);
    return r;
  }
  ZKGPU_HD constexpr LazyFp operator-() const noexcept { return zero() - *this; }
  ZKGPU_HD friend constexpr LazyFp operator*(const LazyFp& a, const LazyFp& b) noexcept {
    return from_representative(limb_ops::montgomery_product_lazy<M>(a.value_, b.value_));
  }
  ZKGPU_HD constexpr LazyFp& operator+=(const LazyFp& b) noexcept { return *this = *this + b; }
  ZKGPU_HD constexpr LazyFp& operator-=(const LazyFp& b) noexcept { return *this = *this - b; }
  ZKGPU_HD constexpr LazyFp& operator*=(const LazyFp& b) noexcept { return *this = *this * b; }

  ZKGPU_HD constexpr LazyFp square() const noexcept {
    return from_representative(limb_ops::montgomery_square_lazy<M>(value_));
  }
  ZKGPU_HD constexpr LazyFp doubled() const noexcept { return *this + *this; }

  /// r = a·b, s = c·d
  ZKGPU_HD static constexpr void product_pair(LazyFp& r, LazyFp& s, const LazyFp& a,
                                              const LazyFp& b, const LazyFp& c,
                                              const LazyFp& d) noexcept {
    Integer x{};  // r and s may be among the factors
    Integer y{};
    limb_ops::montgomery_product_pair_lazy<M>(x, y, a.value_, b.value_, c.value_, d.value_);
    r.value_ = x;
    s.value_ = y;
  }

  /// a·b - c·d by one reduction; below p + 8p²/R, which is below 2p.
  ZKGPU_HD static constexpr LazyFp difference_of_products(const LazyFp& a, const LazyFp& b,
                                                          const LazyFp& c,
                                                          const LazyFp& d) noexcept {
    Integer negated{};  // 2p - c, in (0, 2p]
    limb_ops::subtract(negated, twice_modulus(), c.value_);
    return from_representative(
        limb_ops::montgomery_sum_of_products_lazy<M>(a.value_, b.value_, negated, d.value_));
  }
  /// a·b + c·d by one reduction; below p + 8p²/R, which is below 2p.
  ZKGPU_HD static constexpr LazyFp sum_of_products(const LazyFp& a, const LazyFp& b,
                                                   const LazyFp& c, const LazyFp& d) noexcept {
    return from_representative(
        limb_ops::montgomery_sum_of_products_lazy<M>(a.value_, b.value_, c.value_, d.value_));
  }

  /// a² - b²; the sum stays below 4p, the product below p + 8p²/R.
  ZKGPU_HD static constexpr LazyFp difference_of_squares(const LazyFp& a,
                                                         const LazyFp& b) noexcept {
    return from_representative(
        limb_ops::montgomery_product_lazy<M>(unreduced_sum(a, b), (a - b).value_));
  }
  /// 2·a·b
  ZKGPU_HD static constexpr LazyFp twice_product(const LazyFp& a, const LazyFp& b) noexcept {
    return from_representative(limb_ops::montgomery_product_lazy<M>(unreduced_sum(a, a), b.value_));
  }
  /// r0 + r1·u = (a0 + a1·u)·(b0 + b1·u) for u² = -1: Karatsuba on products of double width, three
  /// of them for two reductions.
  ZKGPU_HD static constexpr void complex_product(LazyFp& r0, LazyFp& r1, const LazyFp& a0,
                                                 const LazyFp& a1, const LazyFp& b0,
                                                 const LazyFp& b1) noexcept {
    limb_ops::montgomery_complex_product_lazy<M>(r0.value_, r1.value_, a0.value_, a1.value_,
                                                 b0.value_, b1.value_);
  }
  static constexpr bool has_fast_sum_of_products = true;

  /// 1/this, and zero for zero. The same instructions for every value but for their number.
  /// @cost  about 30 products' time on a device, most of it beside the multipliers
  ZKGPU_HD constexpr LazyFp inverse() const noexcept {
    const Integer x = divsteps::inverse<M>(canonical().montgomery());  // 1/(x·R)
    return from_representative(limb_ops::montgomery_product_lazy<M>(x, M::r_cubed()));
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept {
    if (value_.limb[0] != 0 && value_.limb[0] != M::modulus().limb[0]) return false;  // most
    return value_.is_zero() || value_ == M::modulus();
  }
  ZKGPU_HD friend constexpr bool operator==(const LazyFp& a, const LazyFp& b) noexcept {
    return (a - b).is_zero();
  }

 private:
  ZKGPU_HD static constexpr Integer twice_modulus() noexcept {
    constexpr Integer value = [] {
      Integer twice{};
      limb_ops::portable::add(twice, P::modulus(), P::modulus());
      return twice;
    }();
    return value;
  }
  /// Below 4p.
  ZKGPU_HD static constexpr Integer unreduced_sum(const LazyFp& a, const LazyFp& b) noexcept {
    Integer sum{};
    limb_ops::add(sum, a.value_, b.value_);
    return sum;
  }
  Integer value_;
};

template <PrimeFieldParams P>
ZKGPU_HD constexpr LazyFp<P> select(bool condition, const LazyFp<P>& a,
                                    const LazyFp<P>& b) noexcept {
  return LazyFp<P>::from_representative(
      limb_ops::select(condition, a.representative(), b.representative()));
}

}  // namespace zkgpu
