// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/jacobian.hpp>

/// Endomorphisms of the curves of the BLS12 family, the scalar decompositions and the subgroup
/// checks that follow from them.
///
/// On the subgroup of order r = z⁴ - z² + 1 the map φ of G1 is multiplication by z² - 1, and the
/// map ψ of G2 is multiplication by z.
/// @see docs/math/endomorphisms.md
namespace zkgpu {

/// G1 or G2 of a curve of the BLS12 family with parameter z, |z| of 64 bits.
template <class P>
concept Bls12Params = CurveParams<P> && requires {
  { P::z_magnitude } -> std::convertible_to<std::uint64_t>;
  { P::z_is_negative } -> std::convertible_to<bool>;
};
/// Law: β is a primitive cube root of unity, and (βx, y) = (z² - 1)(x, y) on the subgroup.
template <class P>
concept Bls12G1Params = Bls12Params<P> && requires {
  { P::beta() } -> std::same_as<typename P::BaseField>;
};
/// Law: Tower holds ξ^(-(q-1)/3) and ξ^(-(q-1)/2) of the twist y² = x³ + bξ.
template <class P>
concept Bls12G2Params = Bls12Params<P> && requires {
  { P::Tower::frobenius_v_inverse() } -> std::same_as<typename P::BaseField>;
  { P::Tower::frobenius_vw_inverse() } -> std::same_as<typename P::BaseField>;
};

/// φ(x, y) = (βx, y), and (z² - 1)·p for p in the subgroup. @cost 1M
template <Bls12G1Params P>
ZKGPU_HD constexpr Affine<P> phi(const Affine<P>& p) noexcept {
  return Affine<P>{p.x * P::beta(), p.y};
}
template <Bls12G1Params P>
ZKGPU_HD constexpr Jacobian<P> phi(const Jacobian<P>& p) noexcept {
  return Jacobian<P>{p.x * P::beta(), p.y, p.z};
}

/// -φ²(x, y) = (β²x, -y), and z²·p for p in the subgroup. @cost 1M
template <Bls12G1Params P>
ZKGPU_HD constexpr Affine<P> multiply_by_z_squared(const Affine<P>& p) noexcept {
  constexpr typename P::BaseField beta_squared = P::beta().square();
  return Affine<P>{p.x * beta_squared, -p.y};
}

/// ψ(x, y) = (x̄·ξ^(-(q-1)/3), ȳ·ξ^(-(q-1)/2)), and z·p for p in the subgroup: to the curve over
/// Fq12 by (x/w², y/w³), the Frobenius map there, and back. @cost 2M in the base field
template <Bls12G2Params P>
ZKGPU_HD constexpr Affine<P> psi(const Affine<P>& p) noexcept {
  return Affine<P>{p.x.conjugate() * P::Tower::frobenius_v_inverse(),
                   p.y.conjugate() * P::Tower::frobenius_vw_inverse()};
}
template <Bls12G2Params P>
ZKGPU_HD constexpr Jacobian<P> psi(const Jacobian<P>& p) noexcept {
  return Jacobian<P>{p.x.conjugate() * P::Tower::frobenius_v_inverse(),
                     p.y.conjugate() * P::Tower::frobenius_vw_inverse(), p.z.conjugate()};
}

/// |z|·p. @cost 63 doublings and as many additions as |z| has ones but for the first
template <Bls12Params P>
ZKGPU_HD constexpr Jacobian<P> multiply_by_z_magnitude(const Affine<P>& p) noexcept {
  constexpr auto z = Limbs<1>::from_uint64(P::z_magnitude);
  Jacobian<P> r = Jacobian<P>::from_affine(p);
  for (std::size_t i = z.bit_length() - 1; i-- > 0;) {
    r = r.doubled();
    if (z.bit(i)) r += p;
  }
  return r;
}
template <Bls12Params P>
ZKGPU_HD constexpr Jacobian<P> multiply_by_z_magnitude(const Jacobian<P>& p) noexcept {
  constexpr auto z = Limbs<1>::from_uint64(P::z_magnitude);
  Jacobian<P> r = p;
  for (std::size_t i = z.bit_length() - 1; i-- > 0;) {
    r = r.doubled();
    if (z.bit(i)) r += p;
  }
  return r;
}

/// Is `p`, a point of the curve, in the subgroup of order r? Infinity is. Variable time.
///
/// G1: z²·p == -φ²(p). The endomorphism z² + φ² has z⁴ - z² + 1 = r elements in its kernel, and the
/// subgroup is among them: nothing else passes.
/// G2: z·p == ψ(p). Whoever passes is killed by ψ² - (z+1)ψ + q = q - z = r(z-1)²/3; the cofactors
/// (z-1)²/3 of G1 and that of G2 have no common factor, so the point has order r or 1 (tested).
///
/// @param p  on the curve
/// @cost  G1: 126 doublings, G2: 63 doublings
/// @see   M. Scott, "A note on group membership tests for G1, G2 and GT on BLS pairing-friendly
///        curves", eprint 2021/1130 §6, §4
template <CurveParams P>
ZKGPU_HD constexpr bool is_in_subgroup(const Affine<P>& p) noexcept {
  if constexpr (Bls12G1Params<P>) {
    const Jacobian<P> zz_p = multiply_by_z_magnitude(multiply_by_z_magnitude(p));
    return zz_p == Jacobian<P>::from_affine(multiply_by_z_squared(p));
  } else if constexpr (Bls12G2Params<P>) {
    const Jacobian<P> z_p = multiply_by_z_magnitude(p);
    return Jacobian<P>::from_affine(psi(p)) == (P::z_is_negative ? -z_p : z_p);
  } else {
    const auto order = P::ScalarField::modulus();
    return scalar_mul_double_and_add(Jacobian<P>::from_affine(p), order).is_infinity();
  }
}

/// A scalar in base z: k = Σ digit[i]·zⁱ mod r, |digit[i]| <= |z|/2 + 1 < 2^63.
struct BaseZDigits {
  std::int64_t digit[4];
};

/// A scalar in base z²: k = Σ ±magnitude[i]·z²ⁱ mod r, magnitude[i] < 2^127.
struct BaseZSquaredDigits {
  Limbs<2> magnitude[2];
  bool negative[2];
};

namespace detail {

/// Division of two-limb numbers by a constant one-limb divisor with its top bit set.
/// @see N. Möller, T. Granlund, "Improved division by invariant integers", 2011, algorithm 4
template <std::uint64_t divisor>
struct ConstantDivisor {
  static_assert((divisor >> 63) == 1, "the divisor must have its top bit set");
  using Wide = unsigned __int128;

  /// quotient of high·2^64 + low, high < divisor; `high` becomes the remainder. No branches.
  ZKGPU_HD static constexpr std::uint64_t divide(std::uint64_t& high, std::uint64_t low) noexcept {
    constexpr auto reciprocal = static_cast<std::uint64_t>(~Wide{0} / divisor);  // less 2^64
    const Wide estimate = Wide{reciprocal} * high + ((Wide{high} << 64) | low);
    std::uint64_t quotient = static_cast<std::uint64_t>(estimate >> 64) + 1;
    std::uint64_t remainder = low - quotient * divisor;
    const std::uint64_t over = mask(remainder > static_cast<std::uint64_t>(estimate));
    quotient += over;
    remainder += over & divisor;
    const std::uint64_t under = mask(remainder >= divisor);
    quotient -= under;
    remainder -= under & divisor;
    high = remainder;
    return quotient;
  }
  ZKGPU_HD static constexpr std::uint64_t mask(bool condition) noexcept {
    return std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  }
};

}  // namespace detail

/// A scalar of G2 in four parts for ψ: k·p = Σ digit[i]·ψⁱ(p). Branch-free.
///
/// The digits in base |z| lie in [0, |z|); those above |z|/2 are lowered by |z| with a carry
/// upward, and a carry out of the top comes back by z⁴ = z² - 1 mod r.
///
/// @param k  canonical, below r
template <Bls12Params P>
ZKGPU_HD constexpr BaseZDigits base_z_digits(const typename P::ScalarField::Integer& k) noexcept {
  static_assert(P::ScalarField::limb_count == 4);
  using Divisor = detail::ConstantDivisor<P::z_magnitude>;
  std::uint64_t n[4] = {k.limb[0], k.limb[1], k.limb[2], k.limb[3]};
  std::uint64_t digit[4] = {};
  for (std::size_t i = 0; i < 3; ++i) {  // k < z⁴: the top limb is always below |z|
    std::uint64_t remainder = n[3 - i];
    for (std::size_t j = 3 - i; j-- > 0;) n[j] = Divisor::divide(remainder, n[j]);
    digit[i] = remainder;
  }
  digit[3] = n[0];

  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    digit[i] += carry;
    carry = static_cast<std::uint64_t>(digit[i] > P::z_magnitude / 2);
    digit[i] -= (std::uint64_t{0} - carry) & P::z_magnitude;
  }
  digit[2] += carry;
  digit[0] -= carry;
  if constexpr (P::z_is_negative) {  // zⁱ = -|z|ⁱ for odd i
    digit[1] = std::uint64_t{0} - digit[1];
    digit[3] = std::uint64_t{0} - digit[3];
  }
  BaseZDigits r{};
  for (std::size_t i = 0; i < 4; ++i) r.digit[i] = static_cast<std::int64_t>(digit[i]);
  return r;
}

/// A scalar of G1 in two signed parts: k·p = ±magnitude[0]·p ± magnitude[1]·(-φ²(p)). Branch-free.
///
/// @param k  canonical, below r
template <Bls12Params P>
ZKGPU_HD constexpr BaseZSquaredDigits base_z_squared_digits(
    const typename P::ScalarField::Integer& k) noexcept {
  const BaseZDigits base_z = base_z_digits<P>(k);
  BaseZSquaredDigits r{};
  for (std::size_t i = 0; i < 2; ++i) {
    // value = digit[2i] + digit[2i+1]·z in two's complement, |value| < (|z|/2 + 1)(|z| + 1) < 2^127
    const auto low = static_cast<__int128>(base_z.digit[2 * i]);
    const __int128 high = static_cast<__int128>(base_z.digit[2 * i + 1]) * __int128{P::z_magnitude};
    const __int128 value = P::z_is_negative ? low - high : low + high;
    const auto sign = static_cast<unsigned __int128>(value >> 127);  // 0 or all ones
    const unsigned __int128 magnitude = (static_cast<unsigned __int128>(value) ^ sign) - sign;
    r.magnitude[i] = Limbs<2>{
        {static_cast<std::uint64_t>(magnitude), static_cast<std::uint64_t>(magnitude >> 64)}};
    r.negative[i] = sign != 0;
  }
  return r;
}

}  // namespace zkgpu
