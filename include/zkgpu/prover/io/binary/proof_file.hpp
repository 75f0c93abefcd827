// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/prover/groth16/proof.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>

/// Binary proofs of bellman, bellperson, arkworks and others: A, B, C as compressed ZCash points.
namespace zkgpu::io {

/// 192 for BLS12-381.
template <Curve C>
inline constexpr std::size_t proof_bytes =
    2 * compressed_bytes<typename C::G1::Params> + compressed_bytes<typename C::G2::Params>;

/// One or more proofs, one after the other (Filecoin writes one a partition). No point is infinity.
/// @throws Malformed: length, flags, range, curve, subgroup
template <Curve C>
std::vector<Proof<C>> parse_proofs(std::span<const std::byte> bytes, const std::string& file);

/// Exactly one proof. @throws Malformed
template <Curve C>
Proof<C> parse_proof(std::span<const std::byte> bytes, const std::string& file);

template <Curve C>
void write_proof(ByteSink& sink, const Proof<C>& proof);

extern template std::vector<Proof<Bls12_381>> parse_proofs<Bls12_381>(std::span<const std::byte>,
                                                                      const std::string&);
extern template Proof<Bls12_381> parse_proof<Bls12_381>(std::span<const std::byte>,
                                                        const std::string&);
extern template void write_proof(ByteSink&, const Proof<Bls12_381>&);

}  // namespace zkgpu::io
