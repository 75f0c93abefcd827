// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp12.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/fp6.hpp>

namespace zkgpu {

/// The parameters of BLS12-381; users name the curve `Bls12_381`.
namespace bls12_381 {

/// |z|; z itself is negative.
inline constexpr std::uint64_t z_magnitude = 0xd201000000010000;

struct FqParams {
  ZKGPU_HD static constexpr Limbs<6> modulus() noexcept {
    return Limbs<6>{{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf,
                     0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};
  }
  ZKGPU_HD static constexpr int generator() noexcept { return 2; }
};
struct FrParams {
  ZKGPU_HD static constexpr Limbs<4> modulus() noexcept {
    return Limbs<4>{
        {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}};
  }
  ZKGPU_HD static constexpr int generator() noexcept { return 7; }
};

using Fq = Fp<FqParams>;
using Fr = Fp<FrParams>;
using Fq2 = Fp2<Fq>;

/// A primitive cube root of unity in Fq, as a polynomial in z: β² + β + 1 = 0 follows from
/// q = (z - 1)²(z⁴ - z² + 1)/3 + z by polynomial division.
///
/// Of the two roots this is the one for which (x, y) -> (βx, y) multiplies G1 by z² - 1 (tested).
ZKGPU_HD constexpr Fq cube_root_of_unity() noexcept {
  const Fq z = -Fq::from_integer(Limbs<6>::from_uint64(z_magnitude));
  const Fq zz = z.square();
  return zz * z * (zz - Fq(3) * z + Fq(3)) - z + Fq::one();  // z⁵ - 3z⁴ + 3z³ - z + 1
}

/// The tower above Fq2: v³ = ξ, w² = v with ξ = 1 + u, and the constants of its Frobenius map.
///
/// A template only so that constants are derived where they are used and not by every includer.
template <PrimeField F>
struct Tower {
  using BaseField = Fp2<F>;

  ZKGPU_HD static constexpr Fp2<F> xi() noexcept { return Fp2<F>{F::one(), F::one()}; }
  /// ξ·a = (c0 - c1) + (c0 + c1)u: 2A
  ZKGPU_HD static constexpr Fp2<F> multiply_by_xi(const Fp2<F>& a) noexcept {
    return Fp2<F>{a.c0 - a.c1, a.c0 + a.c1};
  }

  /// ξ^((q-1)/3) = uβ: its cube is ξ^(q-1) = (1 - u)/(1 + u) = -u = u³; which β is tested.
  ZKGPU_HD static constexpr Fp2<F> frobenius_v() noexcept {
    constexpr F beta = cube_root_of_unity();
    return Fp2<F>{F::zero(), beta};
  }
  /// ξ^(-(q-1)/3) = 1/(uβ) = -uβ²
  ZKGPU_HD static constexpr Fp2<F> frobenius_v_inverse() noexcept {
    constexpr F value = -cube_root_of_unity().square();
    return Fp2<F>{F::zero(), value};
  }
  /// ξ^((q-1)/2) = ξ·(2u)^((q-3)/4), since ξ² = 2u; (q-3)/4 = 2 mod 4, so u^((q-3)/4) = -1.
  ZKGPU_HD static constexpr Fp2<F> frobenius_vw() noexcept {
    constexpr F value = -power_of_two(shift_right(F::modulus(), 2));
    return Fp2<F>{value, value};
  }
  /// ξ^(-(q-1)/2): the fourth power of its inverse is ξ^(2(q-1)) = (-u)² = -1.
  ZKGPU_HD static constexpr Fp2<F> frobenius_vw_inverse() noexcept {
    constexpr Fp2<F> value = -(frobenius_vw().square() * frobenius_vw());
    return value;
  }
  /// ξ^((q-1)/6) = ξ^((q-1)/2) / ξ^((q-1)/3)
  ZKGPU_HD static constexpr Fp2<F> frobenius_w() noexcept {
    constexpr Fp2<F> value = frobenius_vw() * frobenius_v_inverse();
    return value;
  }

 private:
  /// 2^exponent: a product by the base is a doubling, which keeps constant evaluation cheap.
  ZKGPU_HD static constexpr F power_of_two(const typename F::Integer& exponent) noexcept {
    F r = F::one();
    for (std::size_t i = exponent.bit_length(); i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r = r.doubled();
    }
    return r;
  }
};

struct G1Params {
  using BaseField = Fq;
  using ScalarField = Fr;
  static constexpr std::uint64_t z_magnitude = bls12_381::z_magnitude;
  static constexpr bool z_is_negative = true;
  /// φ(x, y) = (βx, y) multiplies the subgroup by z² - 1.
  ZKGPU_HD static constexpr Fq beta() noexcept {
    constexpr Fq value = cube_root_of_unity();
    return value;
  }
  ZKGPU_HD static constexpr Fq b() noexcept { return Fq(4); }
  ZKGPU_HD static constexpr Fq multiply_by_3b(const Fq& a) noexcept {  // 12a: 4A
    const Fq a4 = a.doubled().doubled();
    return a4.doubled() + a4;
  }
  ZKGPU_HD static constexpr Fq generator_x() noexcept {
    return Fq::from_integer(Limbs<6>{{0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58,
                                      0xc3688c4f9774b905, 0x2695638c4fa9ac0f, 0x17f1d3a73197d794}});
  }
  ZKGPU_HD static constexpr Fq generator_y() noexcept {
    return Fq::from_integer(Limbs<6>{{0x0caa232946c5e7e1, 0xd03cc744a2888ae4, 0x00db18cb2c04b3ed,
                                      0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4, 0x08b3f481e3aaa0f1}});
  }
};
struct G2Params {
  using BaseField = Fq2;
  using ScalarField = Fr;
  static constexpr std::uint64_t z_magnitude = bls12_381::z_magnitude;
  static constexpr bool z_is_negative = true;
  using Tower = bls12_381::Tower<Fq>;
  ZKGPU_HD static constexpr Fq2 b() noexcept { return Fq2{Fq(4), Fq(4)}; }
  ZKGPU_HD static constexpr Fq2 multiply_by_3b(const Fq2& a) noexcept {  // 12ξa
    const Fq2 a4 = Tower::multiply_by_xi(a).doubled().doubled();
    return a4.doubled() + a4;
  }
  ZKGPU_HD static constexpr Fq2 generator_x() noexcept {
    return Fq2{
        Fq::from_integer(Limbs<6>{{0xd48056c8c121bdb8, 0x0bac0326a805bbef, 0xb4510b647ae3d177,
                                   0xc6e47ad4fa403b02, 0x260805272dc51051, 0x024aa2b2f08f0a91}}),
        Fq::from_integer(Limbs<6>{{0xe5ac7d055d042b7e, 0x334cf11213945d57, 0xb5da61bbdc7f5049,
                                   0x596bd0d09920b61a, 0x7dacd3a088274f65, 0x13e02b6052719f60}})};
  }
  ZKGPU_HD static constexpr Fq2 generator_y() noexcept {
    return Fq2{
        Fq::from_integer(Limbs<6>{{0xe193548608b82801, 0x923ac9cc3baca289, 0x6d429a695160d12c,
                                   0xadfd9baa8cbdd3a7, 0x8cc9cdc6da2e351a, 0x0ce5d527727d6e11}}),
        Fq::from_integer(Limbs<6>{{0xaaa9075ff05f79be, 0x3f370d275cec1da1, 0x267492ab572e99ab,
                                   0xcb3e287e85a763af, 0x32acd2b02bc28b99, 0x0606c4a02ea734cc}})};
  }
};

}  // namespace bls12_381

/// The curve BLS12-381: y² = x³ + 4 over Fq, its twist y² = x³ + 4(1 + u) over Fq2.
///
/// All follows from z = -0xd201000000010000: r = z⁴ - z² + 1, q = (z - 1)² r/3 + z (tested).
/// @see S. Bowe, "BLS12-381: New zk-SNARK elliptic curve construction", 2017;
///      draft-irtf-cfrg-pairing-friendly-curves-11 §4.2.1 for the generators
struct Bls12_381 {
  static constexpr std::uint64_t z_magnitude = bls12_381::z_magnitude;
  static constexpr bool z_is_negative = true;
  using Fq = bls12_381::Fq;
  using Fr = bls12_381::Fr;
  using Fq2 = bls12_381::Fq2;
  using Fq6 = Fp6<bls12_381::Tower<Fq>>;
  using Fq12 = Fp12<bls12_381::Tower<Fq>>;
  using G1 = Group<bls12_381::G1Params>;
  using G2 = Group<bls12_381::G2Params>;
};

}  // namespace zkgpu
