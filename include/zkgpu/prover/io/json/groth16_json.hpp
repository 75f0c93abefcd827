// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/groth16/proof.hpp>

/// `verification_key.json`, `proof.json` and `public.json` as snarkjs writes them.
///
/// Numbers are canonical decimal strings below q or r, never reduced; integers without quotes are
/// read too. Points are affine with a third coordinate one. All points are checked: on the curve,
/// in the subgroup. Unknown keys are refused.
namespace zkgpu::io {

/// Names of a curve in these files; the first is the one that is written.
template <class C>
struct CurveNames;
template <>
struct CurveNames<Bls12_381> {
  static constexpr std::string_view names[] = {"bls12381", "bls12-381"};
};

/// A `vk_alphabeta_12` that is there must be e(alpha, beta).
/// @param allow_insecure  for tests only: a key without contribution to its second phase
/// @throws Malformed, InsecureKey
template <Curve C>
VerifyingKey<C> parse_verification_key_json(std::span<const std::byte> text,
                                            const std::string& file, bool allow_insecure = false);

/// `curve` may be missing, as in files of rapidsnark. @throws Malformed
template <Curve C>
Proof<C> parse_proof_json(std::span<const std::byte> text, const std::string& file);

/// Canonical integers below r. @throws Malformed
template <Curve C>
std::vector<typename C::Fr::Integer> parse_public_json(std::span<const std::byte> text,
                                                       const std::string& file);

/// One space of indentation, keys in snarkjs's order, no line feed at the end: its very bytes.
/// @param with_alpha_beta  write `vk_alphabeta_12` = e(alpha, beta), as snarkjs does; 1 pairing
template <Curve C>
std::string verification_key_json(const VerifyingKey<C>& vk, bool with_alpha_beta = true);
template <Curve C>
std::string proof_json(const Proof<C>& proof);
template <Curve C>
std::string public_json(std::span<const typename C::Fr::Integer> values);

extern template VerifyingKey<Bls12_381> parse_verification_key_json<Bls12_381>(
    std::span<const std::byte>, const std::string&, bool);
extern template Proof<Bls12_381> parse_proof_json<Bls12_381>(std::span<const std::byte>,
                                                             const std::string&);
extern template std::vector<Bls12_381::Fr::Integer> parse_public_json<Bls12_381>(
    std::span<const std::byte>, const std::string&);
extern template std::string verification_key_json(const VerifyingKey<Bls12_381>&, bool);
extern template std::string proof_json(const Proof<Bls12_381>&);
extern template std::string public_json<Bls12_381>(std::span<const Bls12_381::Fr::Integer>);

}  // namespace zkgpu::io
