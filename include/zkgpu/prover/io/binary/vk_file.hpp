// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>

/// Binary verifying keys. All points in ZCash form, all checked; none is infinity.
namespace zkgpu::io {

/// A verifying key with the halves in G1 that a verifier does not need, but files carry.
template <Curve C>
struct FullVerifyingKey {
  VerifyingKey<C> key;
  typename C::G1::Affine beta_g1, delta_g1;
  friend bool operator==(const FullVerifyingKey&, const FullVerifyingKey&) = default;
};

/// bellman's `.vk`: alpha_g1 beta_g1 beta_g2 gamma_g2 delta_g1 delta_g2, u32 big-endian count, IC;
/// uncompressed. The head of a `.params` file has this form.
/// @throws Malformed, InsecureKey
template <Curve C>
FullVerifyingKey<C> parse_bellman_vk(std::span<const std::byte> bytes, const std::string& file,
                                     bool allow_insecure = false);

template <Curve C>
void write_bellman_vk(ByteSink& sink, const FullVerifyingKey<C>& vk);

/// The key of Waves' groth16Verify: alpha_g1 beta_g2 gamma_g2 delta_g2, then IC to the end;
/// compressed.
/// @throws Malformed, InsecureKey
template <Curve C>
VerifyingKey<C> parse_waves_vk(std::span<const std::byte> bytes, const std::string& file,
                               bool allow_insecure = false);

template <Curve C>
void write_waves_vk(ByteSink& sink, const VerifyingKey<C>& vk);

/// gnark's `WriteTo`: bellman's order, compressed, then the lists of commitments, which must be
/// empty.
/// @throws Malformed ("commitments are not supported"), InsecureKey
template <Curve C>
FullVerifyingKey<C> parse_gnark_vk(std::span<const std::byte> bytes, const std::string& file,
                                   bool allow_insecure = false);

extern template FullVerifyingKey<Bls12_381> parse_bellman_vk<Bls12_381>(std::span<const std::byte>,
                                                                        const std::string&, bool);
extern template void write_bellman_vk(ByteSink&, const FullVerifyingKey<Bls12_381>&);
extern template VerifyingKey<Bls12_381> parse_waves_vk<Bls12_381>(std::span<const std::byte>,
                                                                  const std::string&, bool);
extern template void write_waves_vk(ByteSink&, const VerifyingKey<Bls12_381>&);
extern template FullVerifyingKey<Bls12_381> parse_gnark_vk<Bls12_381>(std::span<const std::byte>,
                                                                      const std::string&, bool);

}  // namespace zkgpu::io
