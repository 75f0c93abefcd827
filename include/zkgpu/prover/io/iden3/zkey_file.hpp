// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/key/key_reading.hpp>

namespace zkgpu::io {

/// One contribution to a key's ceremony, as section 10 tells it. Shown by `info`, used by nothing.
struct ZkeyContribution {
  std::uint32_t type = 0;            ///< 0: a person, 1: a beacon
  std::string name;                  ///< as the contributor wrote it: outside text
  std::uint32_t log_iterations = 0;  ///< beacon: 2^log_iterations hashes
  std::vector<std::byte> beacon;
  std::array<std::byte, 64> transcript{};
};

/// Section 10.
struct ZkeyCeremony {
  bool present = false;
  std::array<std::byte, 64> circuit_hash{};  ///< BLAKE2b-512
  std::vector<ZkeyContribution> contributions;
  Array<std::byte> bytes;  ///< the section as it stands in the file
};

/// A Groth16 `.zkey` file, version 1, as snarkjs writes it.
///
/// Points are Montgomery residues in little-endian order, infinity is all zero: the memory of
/// `Affine`. Coefficients stand in the file times R², here in Montgomery form (times R). The domain
/// is that of snarkjs: its roots come from the non-residue 5, not from the field's generator.
template <Curve C>
struct ZkeyFile {
  ProvingKey<C> key;
  ZkeyCeremony ceremony;
  KeyReport report;
};

/// Reads a proving key. Every byte of the file is read once, and digested as it is read.
///
/// Refuses: what the container refuses; another protocol or curve; counts that disagree with the
/// sections; coefficients out of range; points not canonical, on the curve and in the subgroup,
/// unless the digest is listed; keys that are insecure.
/// @throws Malformed, InsecureKey, IoError, ResourceExhausted
/// @cost  one read of the file, one digest, one product a coefficient; then the point checks
template <Curve C>
ZkeyFile<C> read_zkey(ByteSource& source, const KeyReading& reading);

/// Writes sections 1 to 9, and 10 when the ceremony is present; coefficients row by row, A before
/// B. A file that `snarkjs zkey contribute` made comes back byte for byte.
/// @throws InvalidArgument for a key of another form (filtered queries, powers of tau)
template <Curve C>
void write_zkey(ByteSink& sink, const ProvingKey<C>& key, const ZkeyCeremony& ceremony);

extern template ZkeyFile<Bls12_381> read_zkey(ByteSource&, const KeyReading&);
extern template void write_zkey(ByteSink&, const ProvingKey<Bls12_381>&, const ZkeyCeremony&);

}  // namespace zkgpu::io
