// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>

namespace zkgpu::batch {

/// `zkgpu::multi_miller_loop`, side by side where the processor has the instructions: the products
/// of one loop after the other, or of many terms eight loops. The same element.
///
/// @throws InvalidArgument as `selected_cpu_level`
/// @cost   with AVX-512 IFMA about a third of `zkgpu::multi_miller_loop`
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 multi_miller_loop(std::span<const PairingTerm<C>> terms);

/// Does `multi_miller_loop` take so many terms in lanes? Then a point of G2 whose lines are
/// prepared is better a term like the others: 57 µs on Sapphire Rapids, for 115 of scalar code.
/// @throws InvalidArgument as `selected_cpu_level`
template <PairingCurve C>
[[nodiscard]] bool miller_loops_run_in_lanes(std::size_t terms);

/// `zkgpu::final_exponentiation_cubed`, `zkgpu::final_exponentiation`, `zkgpu::pairing` and
/// `zkgpu::pairing_check`, with the products of each operation side by side where the processor has
/// the instructions. The same elements.
///
/// @throws InvalidArgument as `selected_cpu_level`
/// @cost   with AVX-512 IFMA about a third
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 final_exponentiation_cubed(const typename C::Fq12& f);
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 final_exponentiation(const typename C::Fq12& f);
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 pairing(const typename C::G1::Affine& p,
                                       const typename C::G2::Affine& q);
template <PairingCurve C>
[[nodiscard]] bool pairing_check(std::span<const PairingTerm<C>> terms);

extern template bool miller_loops_run_in_lanes<Bls12_381>(std::size_t);
extern template Bls12_381::Fq12 multi_miller_loop<Bls12_381>(
    std::span<const PairingTerm<Bls12_381>>);
extern template Bls12_381::Fq12 final_exponentiation_cubed<Bls12_381>(const Bls12_381::Fq12&);
extern template Bls12_381::Fq12 final_exponentiation<Bls12_381>(const Bls12_381::Fq12&);
extern template Bls12_381::Fq12 pairing<Bls12_381>(const Bls12_381::G1::Affine&,
                                                   const Bls12_381::G2::Affine&);
extern template bool pairing_check<Bls12_381>(std::span<const PairingTerm<Bls12_381>>);

}  // namespace zkgpu::batch
