// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>

namespace zkgpu::batch {

/// `zkgpu::multi_miller_loop` of many terms: eight loops side by side where the processor has the
/// instructions. The same element.
///
/// @throws InvalidArgument as `selected_cpu_level`
/// @cost   with AVX-512 IFMA, in full groups of eight, about a third of a term of
///         `zkgpu::multi_miller_loop` a term
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 multi_miller_loop(std::span<const PairingTerm<C>> terms);

/// Does `multi_miller_loop` take so many terms side by side? Then a point of G2 whose lines are
/// prepared is better a term like the others.
/// @throws InvalidArgument as `selected_cpu_level`
///
/// A group takes as long however few of its lanes are used: 560 µs on Sapphire Rapids, where two
/// terms one by one take 459 and three 637.
template <PairingCurve C>
[[nodiscard]] bool miller_loops_run_in_lanes(std::size_t terms);

extern template bool miller_loops_run_in_lanes<Bls12_381>(std::size_t);
extern template Bls12_381::Fq12 multi_miller_loop<Bls12_381>(
    std::span<const PairingTerm<Bls12_381>>);

}  // namespace zkgpu::batch
