// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/key/key_reading.hpp>

namespace zkgpu::io {

/// What a ceremony appended to a `.params` file: circuit hash, then one record of 544 bytes a
/// contribution. Shown by `info`, used by nothing.
struct ParamsCeremony {
  bool present = false;
  std::array<std::byte, 64> circuit_hash{};
  std::uint32_t contributions = 0;
  Array<std::byte> bytes;  ///< the whole tail as it stands in the file
};

/// A bellman `.params` file (Zcash, Filecoin, Iron Fish).
///
/// The head is a `.vk`; then five lists, each a u32 big-endian count and uncompressed points: h
/// (powers of τ, n − 1), l (auxiliary wires), a, b_g1, b_g2 (points at infinity left out); then
/// nothing or the tail of a ceremony.
///
/// The output of `snarkjs zkey export bellman` is read too: it keeps the points at infinity, as
/// zero bytes without a flag, and its rows belong to snarkjs's domain (roots from 5). It is known
/// by those zero points; the key then says `QueryLayout::per_wire` and has that domain.
template <Curve C>
struct ParamsFile {
  ProvingKey<C> key;  ///< without matrices: a prover takes them from the circuit
  ParamsCeremony ceremony;
  KeyReport report;
};

/// Reads a proving key. Every byte of the file is read once, and digested as it is read.
///
/// Form, flags and range of every coordinate are checked always; curve and subgroup unless the
/// digest is listed.
/// @throws Malformed, InsecureKey, IoError, ResourceExhausted
/// @cost  one read of the file, one digest, 2 products a coordinate; then the point checks; memory:
///        the key and 8 MiB
template <Curve C>
ParamsFile<C> read_params(ByteSource& source, const KeyReading& reading);

/// A file that bellman wrote comes back byte for byte. Infinity becomes zero bytes, as in snarkjs.
/// @throws InvalidArgument for a key whose h is not in powers of τ
template <Curve C>
void write_params(ByteSink& sink, const ProvingKey<C>& key, const ParamsCeremony& ceremony);

extern template ParamsFile<Bls12_381> read_params(ByteSource&, const KeyReading&);
extern template void write_params(ByteSink&, const ProvingKey<Bls12_381>&, const ParamsCeremony&);

}  // namespace zkgpu::io
