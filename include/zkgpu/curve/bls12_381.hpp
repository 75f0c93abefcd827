// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>

namespace zkgpu {

/// The parameters of BLS12-381; users name the curve `Bls12_381`.
namespace bls12_381 {

/// |z|; z itself is negative.
inline constexpr std::uint64_t z_magnitude = 0xd201000000010000;

struct FqParams {
  ZKGPU_HD static constexpr Limbs<6> modulus() noexcept {
    return Limbs<6>{{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                     0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};
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

struct G1Params {
  using BaseField = Fq;
  using ScalarField = Fr;
  ZKGPU_HD static constexpr Fq b() noexcept { return Fq(4); }
  ZKGPU_HD static constexpr Fq generator_x() noexcept {
    return Fq::from_integer(Limbs<6>{{0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58,
                                      0xc3688c4f9774b905, 0x2695638c4fa9ac0f,
                                      0x17f1d3a73197d794}});
  }
  ZKGPU_HD static constexpr Fq generator_y() noexcept {
    return Fq::from_integer(Limbs<6>{{0x0caa232946c5e7e1, 0xd03cc744a2888ae4, 0x00db18cb2c04b3ed,
                                      0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4,
                                      0x08b3f481e3aaa0f1}});
  }
};
struct G2Params {
  using BaseField = Fq2;
  using ScalarField = Fr;
  ZKGPU_HD static constexpr Fq2 b() noexcept { return Fq2{Fq(4), Fq(4)}; }
  ZKGPU_HD static constexpr Fq2 generator_x() noexcept {
    return Fq2{Fq::from_integer(Limbs<6>{{0xd48056c8c121bdb8, 0x0bac0326a805bbef,
                                          0xb4510b647ae3d177, 0xc6e47ad4fa403b02,
                                          0x260805272dc51051, 0x024aa2b2f08f0a91}}),
               Fq::from_integer(Limbs<6>{{0xe5ac7d055d042b7e, 0x334cf11213945d57,
                                          0xb5da61bbdc7f5049, 0x596bd0d09920b61a,
                                          0x7dacd3a088274f65, 0x13e02b6052719f60}})};
  }
  ZKGPU_HD static constexpr Fq2 generator_y() noexcept {
    return Fq2{Fq::from_integer(Limbs<6>{{0xe193548608b82801, 0x923ac9cc3baca289,
                                          0x6d429a695160d12c, 0xadfd9baa8cbdd3a7,
                                          0x8cc9cdc6da2e351a, 0x0ce5d527727d6e11}}),
               Fq::from_integer(Limbs<6>{{0xaaa9075ff05f79be, 0x3f370d275cec1da1,
                                          0x267492ab572e99ab, 0xcb3e287e85a763af,
                                          0x32acd2b02bc28b99, 0x0606c4a02ea734cc}})};
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
  using Fq = bls12_381::Fq;
  using Fr = bls12_381::Fr;
  using Fq2 = bls12_381::Fq2;
  using G1 = Group<bls12_381::G1Params>;
  using G2 = Group<bls12_381::G2Params>;
};

}  // namespace zkgpu
