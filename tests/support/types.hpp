// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <tuple>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>

#include "toy_curve.hpp"

/// The types that the conformance suites run over. A new curve appends its fields here.
namespace zkgpu::test {

/// A field small enough to try every element of its quadratic extension: 1019 is 3 mod 4, and 2
/// generates it, since 2 and 509 are the primes of 1018 and 2^509 = -1, 2² is not 1.
struct Toy1019Params {
  ZKGPU_HD static constexpr Limbs<1> modulus() noexcept { return Limbs<1>::from_uint64(1019); }
  ZKGPU_HD static constexpr int generator() noexcept { return 2; }
};
using Toy1019 = Fp<Toy1019Params>;

using PrimeFields = std::tuple<Bls12_381::Fq, Bls12_381::Fr, ToyField, Toy1019>;
using SmallFields = std::tuple<ToyField, Toy1019>;
using NttFields = std::tuple<Bls12_381::Fr, ToyField>;
using QuadraticFields = std::tuple<Bls12_381::Fq2, Fp2<Toy1019>>;
using AllFields =
    std::tuple<Bls12_381::Fq, Bls12_381::Fr, ToyField, Toy1019, Bls12_381::Fq2, Fp2<Toy1019>>;

}  // namespace zkgpu::test
