// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

#include <zkgpu/prover/porep/statement/registered_proof.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

namespace zkgpu::io {
class ByteSink;
}

/// The three files in which the output of commit phase 1 travels, byte for byte as the reference
/// writes them. All write piece by piece; none needs memory for the file.
///
/// They throw what the sink throws, and InvalidArgument if a path has not as many levels as trees
/// of that shape.
namespace zkgpu::porep {

/// Bincode of rust-fil-proofs' own structure: what comes after the name of the proof. 11 MB at
/// 32 GiB.
void write_c1_bincode(io::ByteSink& sink, const Phase1Output& output, const SectorShape& shape);

/// JSON of the public interface, as serde_json writes it without spaces: 39 MB at 32 GiB.
void write_c1_json(io::ByteSink& sink, const Phase1Output& output, const RegisteredProof& proof);

/// The JSON in base64, in an object with the sector's number and size, as lotus-bench writes it.
void write_c1_wrapper(io::ByteSink& sink, const Phase1Output& output, const RegisteredProof& proof,
                      std::uint64_t sector_number);

}  // namespace zkgpu::porep
