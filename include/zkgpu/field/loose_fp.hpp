// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/lazy_ops.hpp>
#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/fp.hpp>

namespace zkgpu {

/// Elements of a prime field whose modulus p is below R/2 but above R/4 (R = 2^(64N)), for
/// transforms: the range of a value is its type, and an operation exists only where its result
/// stays in range.
///
///   TightFp  in [0, 2p)     what a product by a reduced factor gives
///   LooseFp  in [0, R)      what a sum of two gives; any N limbs are one
///
/// tight + tight, loose + tight -> loose;  tight - tight, tight_sum -> tight;  loose - tight ->
/// loose; either · Fp -> tight. Each correction is one predicated addition, never a comparison.
template <PrimeFieldParams P>
struct TightFp {
  using Integer = typename Montgomery<P>::Integer;
  Integer value;

  ZKGPU_HD static constexpr TightFp from_canonical(const Fp<P>& a) noexcept {
    return TightFp{a.montgomery()};
  }
  ZKGPU_HD constexpr Fp<P> canonical() const noexcept {
    Integer reduced{};
    const bool below = limb_ops::subtract(reduced, value, Montgomery<P>::modulus()) != 0;
    return Fp<P>::from_montgomery(limb_ops::select(below, value, reduced));
  }
};

template <PrimeFieldParams P>
struct LooseFp {
  using Integer = typename Montgomery<P>::Integer;
  Integer value;

  LooseFp() = default;
  ZKGPU_HD explicit constexpr LooseFp(const Integer& v) noexcept : value(v) {}
  ZKGPU_HD constexpr LooseFp(const TightFp<P>& a) noexcept : value(a.value) {}  // NOLINT: widening

  /// @cost one comparison
  ZKGPU_HD constexpr TightFp<P> tightened() const noexcept;
};

namespace detail {

template <PrimeFieldParams P>
struct LooseRange {
  using M = Montgomery<P>;
  using Integer = typename M::Integer;
  static_assert(M::bits + 1 == 64 * M::limb_count, "ranges are written for R/4 < p < R/2");

  ZKGPU_HD static constexpr Integer twice_modulus() noexcept {
    constexpr Integer value = [] {
      Integer twice{};
      limb_ops::portable::add(twice, P::modulus(), P::modulus());
      return twice;
    }();
    return value;
  }
  /// R - 2p
  ZKGPU_HD static constexpr Integer minus_twice_modulus() noexcept {
    constexpr Integer value = [] {
      Integer negated{};
      limb_ops::portable::subtract(negated, Integer{}, twice_modulus());
      return negated;
    }();
    return value;
  }
};

}  // namespace detail

template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> LooseFp<P>::tightened() const noexcept {
  TightFp<P> r{};  // R < 4p
  const std::uint64_t below =
      limb_ops::subtract(r.value, value, detail::LooseRange<P>::twice_modulus());
  limb_ops::add_if(r.value, detail::LooseRange<P>::twice_modulus(), below);
  return r;
}

/// A sum of at least R is below R + 2p, so 2p less brings it below R.
template <PrimeFieldParams P>
ZKGPU_HD constexpr LooseFp<P> operator+(const LooseFp<P>& a, const TightFp<P>& b) noexcept {
  LooseFp<P> r{};
  const std::uint64_t carry = limb_ops::add(r.value, a.value, b.value);
  limb_ops::add_if(r.value, detail::LooseRange<P>::minus_twice_modulus(), carry);
  return r;
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr LooseFp<P> operator+(const TightFp<P>& a, const TightFp<P>& b) noexcept {
  return LooseFp<P>(a) + b;
}
/// a + b less 2p if that is not negative: a - (2p - b).
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> tight_sum(const TightFp<P>& a, const TightFp<P>& b) noexcept {
  TightFp<P> r{};
  limb_ops::subtract(r.value, detail::LooseRange<P>::twice_modulus(), b.value);
  const std::uint64_t borrow = limb_ops::subtract(r.value, a.value, r.value);
  limb_ops::add_if(r.value, detail::LooseRange<P>::twice_modulus(), borrow);
  return r;
}
/// A negative difference is above -2p, and 2p more is below 2p.
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> operator-(const TightFp<P>& a, const TightFp<P>& b) noexcept {
  TightFp<P> r{};
  const std::uint64_t borrow = limb_ops::subtract(r.value, a.value, b.value);
  limb_ops::add_if(r.value, detail::LooseRange<P>::twice_modulus(), borrow);
  return r;
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr LooseFp<P> operator-(const LooseFp<P>& a, const TightFp<P>& b) noexcept {
  LooseFp<P> r{};
  const std::uint64_t borrow = limb_ops::subtract(r.value, a.value, b.value);
  limb_ops::add_if(r.value, detail::LooseRange<P>::twice_modulus(), borrow);
  return r;
}
/// a·b/R + p with a < R and b < p is below 2p.
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> operator*(const LooseFp<P>& a, const Fp<P>& b) noexcept {
  return TightFp<P>{limb_ops::montgomery_product_lazy<Montgomery<P>>(a.value, b.montgomery())};
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> operator*(const TightFp<P>& a, const Fp<P>& b) noexcept {
  return LooseFp<P>(a) * b;
}

}  // namespace zkgpu
