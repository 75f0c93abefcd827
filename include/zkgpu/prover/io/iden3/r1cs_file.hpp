// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu::io {

/// A `.r1cs` file, version 1, as circom writes it.
///
/// Sections: 1 header, 2 constraints, 3 wire map; 4 and 5 hold custom gates, which are refused.
/// Coefficients in the file are canonical little-endian integers, not Montgomery.
template <PrimeField F>
struct R1csFile {
  R1cs<F> system;
  std::uint32_t num_outputs = 0;         ///< public outputs, wires 1 ..
  std::uint32_t num_public_inputs = 0;   ///< after the outputs; with them: system.num_public
  std::uint32_t num_private_inputs = 0;  ///< of the main component
  std::uint64_t num_labels = 0;          ///< signals before optimisation
  Array<std::uint64_t> wire_labels;      ///< label of each wire
  std::vector<std::string> warnings;
};

/// Reads a constraint system. Wires in range, coefficients canonical, counts that add up, every
/// byte accounted for.
/// @throws Malformed, IoError, ResourceExhausted
/// @cost  one product a coefficient, on all cores; memory: the file's constraints once beside the
///        result
template <PrimeField F>
R1csFile<F> read_r1cs(ByteSource& source);

/// Writes sections in circom's order: 2, 1, 3. A file that circom made comes back byte for byte.
template <PrimeField F>
void write_r1cs(ByteSink& sink, const R1csFile<F>& file);

extern template R1csFile<Bls12_381::Fr> read_r1cs(ByteSource&);
extern template void write_r1cs(ByteSink&, const R1csFile<Bls12_381::Fr>&);

}  // namespace zkgpu::io
