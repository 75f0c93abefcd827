// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/witness/witness.hpp>

namespace zkgpu::io {

/// Reads a `.wtns` file, version 2: section 1 {u32 size, prime, u32 count}, section 2 the values as
/// canonical little-endian integers. Every value below r, value 0 is 1, every byte accounted for.
///
/// The values go straight from the file into memory that is wiped after use.
/// @throws Malformed, IoError, ResourceExhausted; messages never show values
template <PrimeField F>
Witness<F> read_wtns(ByteSource& source);

/// A file that snarkjs or circom's generators made comes back byte for byte.
template <PrimeField F>
void write_wtns(ByteSink& sink, const Witness<F>& witness);

extern template Witness<Bls12_381::Fr> read_wtns(ByteSource&);
extern template void write_wtns(ByteSink&, const Witness<Bls12_381::Fr>&);

}  // namespace zkgpu::io
