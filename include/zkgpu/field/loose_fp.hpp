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
  constexpr Integer twice = detail::LooseRange<P>::twice_modulus();
  limb_ops::subtract_modular(r.value, value, twice, twice);
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
  limb_ops::subtract_modular(r.value, a.value, r.value, detail::LooseRange<P>::twice_modulus());
  return r;
}
/// A negative difference is above -2p, and 2p more is below 2p.
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> operator-(const TightFp<P>& a, const TightFp<P>& b) noexcept {
  TightFp<P> r{};
  limb_ops::subtract_modular(r.value, a.value, b.value, detail::LooseRange<P>::twice_modulus());
  return r;
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr LooseFp<P> operator-(const LooseFp<P>& a, const TightFp<P>& b) noexcept {
  LooseFp<P> r{};
  limb_ops::subtract_modular(r.value, a.value, b.value, detail::LooseRange<P>::twice_modulus());
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

/// A factor w that many values are multiplied by: w as an integer, not in Montgomery form, and
/// floor(w·R/p). A product by it takes four fifths of the time of one by an Fp.
template <PrimeFieldParams P>
struct KnownFactor {
  using Integer = typename Montgomery<P>::Integer;
  Integer factor;
  Integer quotient;

  /// w·R = floor(w·R/p)·p + m, where m is the Montgomery form of w: modulo R, the quotient is
  /// -m/p.
  ZKGPU_HD static constexpr KnownFactor from(const Fp<P>& w) noexcept {
    constexpr Integer minus_inverse = [] {  // -1/p modulo R, by Newton's iteration
      Integer x{{1}};
      for (int bits = 1; bits < 256; bits *= 2) {
        // x·(2 - p·x)
        Integer t{};
        limb_ops::portable::subtract(t, Integer{{2}}, low_product(P::modulus(), x));
        x = low_product(x, t);
      }
      Integer r{};
      limb_ops::portable::subtract(r, Integer{}, x);
      return r;
    }();
    return KnownFactor{w.to_integer(), low_product(w.montgomery(), minus_inverse)};
  }

 private:
  /// a·b modulo R
  ZKGPU_HD static constexpr Integer low_product(const Integer& a, const Integer& b) noexcept {
    std::uint32_t r[8] = {};
    for (unsigned i = 0; i < 8; ++i) {
      std::uint64_t carry = 0;
      for (unsigned j = 0; i + j < 8; ++j) {
        const auto x = static_cast<std::uint32_t>(a.limb[i / 2] >> (32 * (i % 2)));
        const auto y = static_cast<std::uint32_t>(b.limb[j / 2] >> (32 * (j % 2)));
        carry += std::uint64_t{x} * y + r[i + j];
        r[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    Integer result{};
    for (unsigned k = 0; k < 4; ++k) {
      result.limb[k] = r[2 * k] | std::uint64_t{r[2 * k + 1]} << 32;
    }
    return result;
  }
};

/// a·w/1 with a < 2p is below p + 0.91p + p/2^29.
template <PrimeFieldParams P>
ZKGPU_HD constexpr TightFp<P> operator*(const TightFp<P>& a, const KnownFactor<P>& w) noexcept {
  return TightFp<P>{limb_ops::known_factor_product<Montgomery<P>>(a.value, w.factor, w.quotient)};
}

}  // namespace zkgpu
