// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/curve/projective.hpp>

/// Multiplication of one point by one scalar.
///
///     scalar_mul                 variable time, the endomorphism's parts by interleaved w-NAF
///     scalar_mul_constant_time   for secret scalars: fixed windows, no branch or address depends
///                                on k
///     scalar_mul_double_and_add  the textbook (jacobian.hpp), also for points outside the subgroup
///
/// For many multiples of one point see fixed_base.hpp, for sums of products msm/.
namespace zkgpu {

/// The parts of a scalar for the endomorphism of P's group: k = Σ ±magnitude[i]·cⁱ mod r, where the
/// endomorphism multiplies by c. Two parts of 127 bits on G1, four of 63 bits on G2.
template <Bls12Params P>
struct ScalarParts {
  static constexpr std::size_t count = Bls12G1Params<P> ? 2 : 4;
  static constexpr std::size_t bits = Bls12G1Params<P> ? 127 : 63;
  using Magnitude = Limbs<(bits + 63) / 64>;

  Magnitude magnitude[count];
  bool negative[count];

  /// @param k  canonical, below r. Branch-free.
  ZKGPU_HD static constexpr ScalarParts of(const typename P::ScalarField::Integer& k) noexcept {
    ZKGPU_ASSERT(P::ScalarField::is_canonical(k));
    ScalarParts parts{};
    if constexpr (Bls12G1Params<P>) {
      const BaseZSquaredDigits digits = base_z_squared_digits<P>(k);
      for (std::size_t i = 0; i < count; ++i) {
        parts.magnitude[i] = digits.magnitude[i];
        parts.negative[i] = digits.negative[i];
      }
    } else {
      const BaseZDigits digits = base_z_digits<P>(k);
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<std::uint64_t>(digits.digit[i]);
        const std::uint64_t sign = std::uint64_t{0} - (value >> 63);
        parts.magnitude[i] = Magnitude::from_uint64((value ^ sign) - sign);
        parts.negative[i] = sign != 0;
      }
    }
    return parts;
  }

  /// The endomorphism that the parts belong to.
  template <class Point>
  ZKGPU_HD static constexpr Point endomorphism(const Point& p) noexcept {
    if constexpr (Bls12G1Params<P>) {
      return multiply_by_z_squared(p);
    } else {
      return psi(p);
    }
  }
};

/// Width-w non-adjacent form: n = Σ digit[i]·2^i, every nonzero digit odd, |digit| < 2^(w-1), and
/// at least w - 1 zeros between two of them.
template <unsigned window_bits, std::size_t bits>
struct WindowedNaf {
  static_assert(window_bits >= 2 && window_bits <= 8);
  static constexpr std::size_t length = bits + 1;

  std::int16_t digit[length];

  /// @param n  below 2^bits; @param negative  give the form of -n
  template <std::size_t N>
  ZKGPU_HD static constexpr WindowedNaf of(const Limbs<N>& n, bool negative) noexcept {
    WindowedNaf r{};
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < length;) {
      if (n.bits(i, 1) == carry) {
        ++i;
        continue;
      }
      const auto value = static_cast<int>(n.bits(i, window_bits) + carry);
      const int window = 1 << window_bits;
      carry = value > window / 2 ? 1 : 0;
      const int digit = value - (carry != 0 ? window : 0);
      r.digit[i] = static_cast<std::int16_t>(negative ? -digit : digit);
      i += window_bits;
    }
    return r;
  }
};

namespace detail {

/// p, 3p, 5p, ... as affine points: one inversion.
template <CurveParams P, std::size_t n>
constexpr void odd_multiples(const Affine<P>& p, Affine<P> (&out)[n]) noexcept {
  Jacobian<P> multiples[n];
  multiples[0] = Jacobian<P>::from_affine(p);
  const Jacobian<P> twice = multiples[0].doubled();
  for (std::size_t i = 1; i < n; ++i) multiples[i] = multiples[i - 1] + twice;
  typename P::BaseField scratch[n];
  batch_to_affine<P>(std::span<const Jacobian<P>>(multiples), std::span<Affine<P>>(out),
                     std::span<typename P::BaseField>(scratch));
}

}  // namespace detail

/// k·p, variable time.
///
/// @param p  in the subgroup of order r, or infinity
/// @param k  canonical, below r
/// @cost  G1: 127 doublings, about 50 additions, 1 inversion; G2: 63, about 58, 1; less where all
///        parts of k are short
/// @see   docs/math/endomorphisms.md; D. Hankerson et al., "Guide to Elliptic Curve Cryptography",
///        algorithms 3.35 (w-NAF) and 3.51 (interleaving)
template <Bls12Params P>
constexpr Jacobian<P> scalar_mul(const Affine<P>& p,
                                 const typename P::ScalarField::Integer& k) noexcept {
  using Parts = ScalarParts<P>;
  constexpr unsigned window_bits = Bls12G1Params<P> ? 5 : 4;
  constexpr std::size_t table_size = std::size_t{1} << (window_bits - 2);
  using Naf = WindowedNaf<window_bits, Parts::bits>;
  if (p.is_infinity()) return Jacobian<P>::infinity();

  const Parts parts = Parts::of(k);
  Affine<P> table[Parts::count][table_size];
  Naf naf[Parts::count];
  detail::odd_multiples(p, table[0]);
  for (std::size_t i = 0; i < Parts::count; ++i) {
    naf[i] = Naf::of(parts.magnitude[i], parts.negative[i]);
    if (i == 0) continue;
    for (std::size_t j = 0; j < table_size; ++j) {
      table[i][j] = Parts::endomorphism(table[i - 1][j]);
    }
  }
  Jacobian<P> r = Jacobian<P>::infinity();
  for (std::size_t bit = Naf::length; bit-- > 0;) {
    if (!r.is_infinity()) r = r.doubled();  // short parts begin late
    for (std::size_t i = 0; i < Parts::count; ++i) {
      const int digit = naf[i].digit[bit];
      if (digit > 0) r += table[i][digit / 2];
      if (digit < 0) r += -table[i][-digit / 2];
    }
  }
  return r;
}

/// k·p for a secret k: no branch and no address depends on k, nor on a point that is not infinity.
///
/// Signed 4-bit windows of the endomorphism's parts; every table entry is read at every step. The
/// result has Z = 1 (0 for infinity), by an inversion of constant time: its coordinates, which
/// later steps may treat in variable time, tell no more of k than the point does.
///
/// @param p  in the subgroup of order r, or infinity
/// @param k  canonical, below r
/// @cost  G1: 128 doublings and 64 additions of Projective; G2: 64 and 64; 1 exponentiation
/// @see   D. Naccache, N. Smart, J. Stern, "Projective coordinates leak", eprint 2003/191
template <Bls12Params P>
constexpr Jacobian<P> scalar_mul_constant_time(const Affine<P>& p,
                                               const typename P::ScalarField::Integer& k) noexcept {
  using Parts = ScalarParts<P>;
  using Point = Projective<P>;
  constexpr unsigned window_bits = 4;
  constexpr std::size_t windows = (Parts::bits + window_bits - 1) / window_bits;
  constexpr std::size_t table_size = std::size_t{1} << (window_bits - 1);

  Parts parts = Parts::of(k);
  Point table[Parts::count][table_size];  // table[i][j] = (j + 1)·cⁱ·p, signs of the parts applied
  std::int16_t digits[Parts::count][windows];
  table[0][0] = Point::from_affine(p);
  for (std::size_t j = 1; j < table_size; ++j) table[0][j] = table[0][j - 1] + table[0][0];
  for (std::size_t i = 1; i < Parts::count; ++i) {
    for (std::size_t j = 0; j < table_size; ++j) {
      table[i][j] = Parts::endomorphism(table[i - 1][j]);
    }
  }
  for (std::size_t i = 0; i < Parts::count; ++i) {
    for (auto& entry : table[i]) entry = select(parts.negative[i], -entry, entry);
    // Digits in [-8, 7]; the top one, of at most three bits and a carry, may be 8.
    int carry = 0;
    for (std::size_t w = 0; w < windows; ++w) {
      const int value =
          static_cast<int>(parts.magnitude[i].bits(window_bits * w, window_bits)) + carry;
      carry = w + 1 < windows ? (value + 8) >> window_bits : 0;
      digits[i][w] = static_cast<std::int16_t>(value - (carry << window_bits));
    }
  }
  Point r = Point::infinity();
  for (std::size_t w = windows; w-- > 0;) {
    for (unsigned i = 0; i < window_bits; ++i) r = r.doubled();
    for (std::size_t i = 0; i < Parts::count; ++i) {
      const int digit = digits[i][w];
      const int sign = digit >> 31;  // 0 or -1
      const int magnitude = (digit ^ sign) - sign;
      Point term = Point::infinity();
      for (std::size_t j = 0; j < table_size; ++j) {
        term = select(magnitude == static_cast<int>(j) + 1, table[i][j], term);
      }
      r = r + select(sign != 0, -term, term);
    }
  }
  if (!__builtin_is_constant_evaluated()) {  // the scalar in another base
    secure_wipe(parts);
    secure_wipe(static_cast<void*>(digits), sizeof digits);
  }
  const auto z_inverse = r.z.inverse_constant_time();
  return Jacobian<P>{r.x * z_inverse, r.y * z_inverse, r.z * z_inverse};
}

}  // namespace zkgpu
