// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>

/// The smallest sound file of each format, made by our own writers: seeds of fuzzers and mutants.
///
/// Every point is a small multiple of a generator. The keys pass all rules of the readers, but
/// belong to no circuit: nothing can be proved with them.
namespace zkgpu::test::toy {

using C = Bls12_381;
using Bytes = std::vector<std::byte>;

template <CurveGroup G>
typename G::Affine multiple(std::uint64_t k) {
  using J = typename G::Jacobian;
  return scalar_mul_double_and_add(J::from_affine(G::generator()), Limbs<1>::from_uint64(k))
      .to_affine();
}
inline C::G1::Affine g1(std::uint64_t k) { return multiple<C::G1>(k); }
inline C::G2::Affine g2(std::uint64_t k) { return multiple<C::G2>(k); }

template <class Write>
Bytes written(const Write& write) {
  io::MemorySink sink;
  write(sink);
  return sink.take();
}
inline Bytes bytes_of_text(const std::string& text) {
  const auto bytes = io::bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

/// Three wires, one of them public, two rows.
inline io::FullVerifyingKey<C> verifying_key() {
  io::FullVerifyingKey<C> vk;
  vk.key.alpha_g1 = g1(2);
  vk.beta_g1 = g1(3);
  vk.key.beta_g2 = g2(3);
  vk.key.gamma_g2 = g2(1);
  vk.delta_g1 = g1(5);
  vk.key.delta_g2 = g2(5);
  vk.key.ic = {g1(7), g1(8)};
  return vk;
}

inline ProvingKey<C> proving_key() {
  const auto vk = verifying_key();
  ProvingKey<C> key;
  key.vk = vk.key;
  key.beta_g1 = vk.beta_g1;
  key.delta_g1 = vk.delta_g1;
  key.num_wires = 3;
  key.log_domain = 1;
  key.a = {g1(9), g1(10), g1(11)};
  key.b_g1 = {C::G1::Affine::infinity(), g1(12), g1(13)};
  key.b_g2 = {C::G2::Affine::infinity(), g2(12), g2(13)};
  key.l = {g1(14)};
  key.h = {g1(15), g1(16)};
  using Fr = C::Fr;
  key.a_matrix = {.row_start = {0, 2, 3}, .column = {2, 0, 1}, .value = {Fr(1), Fr(-1), Fr(1)}};
  key.b_matrix = {.row_start = {0, 1, 1}, .column = {2}, .value = {Fr(3)}};
  return key;
}

/// Section 10: circuit hash, one contribution with a name, one beacon.
inline io::ZkeyCeremony ceremony() {
  io::ZkeyCeremony ceremony;
  ceremony.present = true;
  Array<std::byte>& out = ceremony.bytes;
  const auto add = [&](std::size_t n, unsigned value) {
    out.insert(out.end(), n, static_cast<std::byte>(value));
  };
  const auto add_u32 = [&](unsigned value) {
    for (unsigned shift = 0; shift < 32; shift += 8) add(1, (value >> shift) & 0xff);
  };
  add(64, 0xc5);
  add_u32(2);
  add(3 * 96 + 192 + 64, 0x11);
  add_u32(0);
  add_u32(5);
  add(1, 1), add(1, 3), add(3, 'x');
  add(3 * 96 + 192 + 64, 0x22);
  add_u32(1);
  add_u32(6);
  add(1, 2), add(1, 10), add(1, 3), add(1, 2), add(2, 0xbe);
  return ceremony;
}

inline Bytes zkey() {
  return written([](io::ByteSink& sink) { io::write_zkey(sink, proving_key(), ceremony()); });
}

/// h in powers of tau, points at infinity left out, the tail of a ceremony with one contribution.
inline Bytes params() {
  ProvingKey<C> key = proving_key();
  key.h_basis = HBasis::tau_powers;
  key.layout = QueryLayout::filtered;
  key.h = {g1(15)};
  key.b_g1 = {g1(12), g1(13)};
  key.b_g2 = {g2(12), g2(13)};
  io::ParamsCeremony tail{.present = true, .circuit_hash = {}, .contributions = 1, .bytes = {}};
  tail.bytes.assign(64 + 4 + 544, std::byte{0x33});
  for (std::size_t i = 64; i < 68; ++i) tail.bytes[i] = static_cast<std::byte>(i == 67);
  return written([&](io::ByteSink& sink) { io::write_params(sink, key, tail); });
}

inline Bytes vk() {
  return written([](io::ByteSink& sink) { io::write_bellman_vk(sink, verifying_key()); });
}
inline Bytes waves_vk() {
  return written([](io::ByteSink& sink) { io::write_waves_vk(sink, verifying_key().key); });
}
/// gnark's form: bellman's order, compressed, two empty lists behind.
inline Bytes gnark_vk() {
  const auto full = verifying_key();
  return written([&](io::ByteSink& sink) {
    sink.write(encode_compressed(full.key.alpha_g1));
    sink.write(encode_compressed(full.beta_g1));
    sink.write(encode_compressed(full.key.beta_g2));
    sink.write(encode_compressed(full.key.gamma_g2));
    sink.write(encode_compressed(full.delta_g1));
    sink.write(encode_compressed(full.key.delta_g2));
    const std::byte count[4] = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{2}};
    sink.write(count);
    for (const auto& point : full.key.ic) sink.write(encode_compressed(point));
    sink.write(Bytes(8));
  });
}

inline Proof<C> proof_value() { return {g1(17), g2(18), g1(19)}; }
inline Bytes proof() {
  return written([](io::ByteSink& sink) { io::write_proof(sink, proof_value()); });
}

inline Bytes wtns() {
  Witness<C::Fr> witness;
  for (const std::size_t value : {1u, 6u, 3u}) {
    witness.values.push_back(C::Fr::Integer::from_uint64(value));
  }
  return written([&](io::ByteSink& sink) { io::write_wtns(sink, witness); });
}

/// wire1 = 2 · wire2, and a second row with empty combinations.
inline Bytes r1cs() {
  using Fr = C::Fr;
  io::R1csFile<Fr> file;
  file.system.num_wires = 3;
  file.system.num_public = 1;
  file.system.a = {.row_start = {0, 1, 1}, .column = {2}, .value = {Fr(2)}};
  file.system.b = {.row_start = {0, 1, 1}, .column = {0}, .value = {Fr(1)}};
  file.system.c = {.row_start = {0, 1, 1}, .column = {1}, .value = {Fr(1)}};
  file.num_outputs = 1;
  file.num_private_inputs = 1;
  file.num_labels = 4;
  file.wire_labels = {0, 1, 3};
  return written([&](io::ByteSink& sink) { io::write_r1cs(sink, file); });
}

inline Bytes proof_json() { return bytes_of_text(io::proof_json<C>(proof_value())); }
inline Bytes vk_json() {
  return bytes_of_text(io::verification_key_json<C>(verifying_key().key, false));
}
inline Bytes vk_json_with_alpha_beta() {
  return bytes_of_text(io::verification_key_json<C>(verifying_key().key));
}
inline Bytes public_json() {
  const C::Fr::Integer values[] = {C::Fr::Integer::from_uint64(0), (-C::Fr::one()).to_integer()};
  return bytes_of_text(io::public_json<C>(values));
}

}  // namespace zkgpu::test::toy
