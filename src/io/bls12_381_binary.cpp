// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/binary/params_file_impl.hpp>
#include <zkgpu/prover/io/binary/proof_file_impl.hpp>
#include <zkgpu/prover/io/binary/vk_file_impl.hpp>

namespace zkgpu::io {

template ParamsFile<Bls12_381> read_params(ByteSource&, const KeyReading&);
template void write_params(ByteSink&, const ProvingKey<Bls12_381>&, const ParamsCeremony&);
template std::vector<Proof<Bls12_381>> parse_proofs<Bls12_381>(std::span<const std::byte>,
                                                               const std::string&);
template Proof<Bls12_381> parse_proof<Bls12_381>(std::span<const std::byte>, const std::string&);
template void write_proof(ByteSink&, const Proof<Bls12_381>&);
template FullVerifyingKey<Bls12_381> parse_bellman_vk<Bls12_381>(std::span<const std::byte>,
                                                                 const std::string&, bool);
template void write_bellman_vk(ByteSink&, const FullVerifyingKey<Bls12_381>&);
template VerifyingKey<Bls12_381> parse_waves_vk<Bls12_381>(std::span<const std::byte>,
                                                           const std::string&, bool);
template void write_waves_vk(ByteSink&, const VerifyingKey<Bls12_381>&);
template FullVerifyingKey<Bls12_381> parse_gnark_vk<Bls12_381>(std::span<const std::byte>,
                                                               const std::string&, bool);

}  // namespace zkgpu::io
