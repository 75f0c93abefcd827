// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstdint>

#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/sqrt.hpp>

#include "types.hpp"

/// What the library derives from the moduli, against what is published:
/// draft-irtf-cfrg-pairing-friendly-curves-11 §4.2.1 for the parameters, and the tables of the
/// bls12_381 crate (zkcrypto, 0.8, src/fp.rs and src/scalar.rs) for Montgomery constants.
namespace {

using namespace zkgpu;
using Fq = Bls12_381::Fq;
using Fr = Bls12_381::Fr;
using FqM = Montgomery<bls12_381::FqParams>;
using FrM = Montgomery<bls12_381::FrParams>;

static_assert(FqM::r() == Limbs<6>{{0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba,
                                    0x77ce585370525745, 0x5c071a97a256ec6d, 0x15f65ec3fa80e493}});
static_assert(FqM::r_squared() ==
              Limbs<6>{{0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5,
                        0x67eb88a9939d83c0, 0x9a793e85b519952d, 0x11988fe592cae3aa}});
static_assert(FqM::montgomery_inverse() == 0x89f3fffcfffcfffd);
static_assert(FrM::r() == Limbs<4>{{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5,
                                    0x1824b159acc5056f}});
static_assert(FrM::r_squared() == Limbs<4>{{0xc999e990f3f29c6d, 0x2b6cedcb87925c23,
                                            0x05d314967254398f, 0x0748d9d99f59ff11}});
static_assert(FrM::montgomery_inverse() == 0xfffffffeffffffff);
static_assert(Fr::two_adicity == 32 && Fr::bits == 255);
static_assert(Fq::two_adicity == 1 && Fq::bits == 381);
static_assert(FqM::spare_bits == 3 && FrM::spare_bits == 1);

// 7^((r-1)/2^32), the root of unity of bellman and of the bls12_381 crate.
static_assert(Fr::root_of_unity(32).to_integer() ==
              Limbs<4>{{0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4,
                        0x16a2a19edfe81f20}});

// Arithmetic is usable in constant expressions.
static_assert(Fr::one() + Fr::one() == Fr(2));
static_assert(Fq(3) * Fq(5) == Fq(15) && Fq(3).square() == Fq(9) && Fq(3) - Fq(5) == Fq(-2));
static_assert(Fq(7) * Fq(7).inverse() == Fq::one() && Fq(0).inverse() == Fq::zero());
static_assert(Fr(7) * Fr(7).inverse_constant_time() == Fr::one());
static_assert(Fr::root_of_unity(1) == Fr(-1));
static_assert(Fq::from_integer(Limbs<6>{{5}}) == Fq(5) && Fq(5).to_integer() == Limbs<6>{{5}});
static_assert([] {
  Fq root{};
  return sqrt(Fq(2), root) == (legendre(Fq(2)) == 1);
}());

// Memory is what files hold: limbs only, and a copy is a copy of bytes.
static_assert(sizeof(Fq) == 48 && sizeof(Fr) == 32 && sizeof(Bls12_381::Fq2) == 96);
static_assert(std::is_trivially_copyable_v<Fq> && std::is_trivially_default_constructible_v<Fq>);
static_assert(Field<Fq> && PrimeField<Fq> && NttField<Fr> && Field<Bls12_381::Fq2>);
static_assert(!PrimeField<Bls12_381::Fq2>);

}  // namespace

TEST_CASE("the moduli are the polynomials of the curve at its parameter", "[field]") {
  // r = z⁴ - z² + 1 and q = (z - 1)² r / 3 + z with z = -z_magnitude, in a field of the other.
  const auto z_in = []<class F>(F) {
    return -F::from_integer(F::Integer::from_uint64(Bls12_381::z_magnitude));
  };
  const Fr z = z_in(Fr{});
  CHECK((z.square().square() - z.square() + Fr::one()).is_zero());  // r = 0 mod r
  const Fq w = z_in(Fq{});
  const Fq r_mod_q = w.square().square() - w.square() + Fq::one();
  CHECK(((w - Fq::one()).square() * r_mod_q + Fq(3) * w).is_zero());  // 3q = 0 mod q
  CHECK(r_mod_q == Fq::from_integer([] {
          Limbs<6> n{};
          for (std::size_t i = 0; i < 4; ++i) n.limb[i] = Fr::modulus().limb[i];
          return n;
        }()));
}

TEST_CASE("generators are no squares, so their odd powers have full two-power order", "[field]") {
  CHECK(legendre(Fq::generator()) == -1);
  CHECK(legendre(Fr::generator()) == -1);
  CHECK(Fr::generator() == Fr(7));
  // 7 generates Fr*: r - 1 = 2^32 · 3 · 11 · 19 · 10177 · 125527 · 859267 · 906349² · 2508409 ·
  // 2529403 · 52437899 · 254760293²
  Limbs<4> order = Fr::modulus();
  order.limb[0] -= 1;
  for (const std::uint64_t prime : {2u, 3u, 11u, 19u, 10177u, 125527u, 859267u, 906349u, 2508409u,
                                    2529403u, 52437899u, 254760293u}) {
    Limbs<4> cofactor{};
    unsigned __int128 rest = 0;
    for (std::size_t i = 4; i-- > 0;) {
      rest = rest << 64 | order.limb[i];
      cofactor.limb[i] = static_cast<std::uint64_t>(rest / prime);
      rest %= prime;
    }
    CHECK(rest == 0);
    CHECK_FALSE(Fr::generator().pow(cofactor) == Fr::one());
  }
}
