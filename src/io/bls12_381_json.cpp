// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/json/groth16_json_impl.hpp>

namespace zkgpu::io {

template VerifyingKey<Bls12_381> parse_verification_key_json<Bls12_381>(std::span<const std::byte>,
                                                                        const std::string&, bool);
template Proof<Bls12_381> parse_proof_json<Bls12_381>(std::span<const std::byte>,
                                                      const std::string&);
template std::vector<Bls12_381::Fr::Integer> parse_public_json<Bls12_381>(
    std::span<const std::byte>, const std::string&);
template std::string verification_key_json(const VerifyingKey<Bls12_381>&, bool);
template std::string proof_json(const Proof<Bls12_381>&);
template std::string public_json<Bls12_381>(std::span<const Bls12_381::Fr::Integer>);

}  // namespace zkgpu::io
