// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <zkgpu/prover/porep/statement/registered_proof.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

namespace zkgpu::io {
class ByteSource;
}

/// The files in which the output of commit phase 1 comes.
namespace zkgpu::porep {

enum class C1Form : std::uint8_t {
  json,     ///< of filecoin-ffi: proof type, vanilla proofs, commitments
  wrapper,  ///< of lotus-bench: {"SectorNum", "Phase1Out": that JSON in base64, "SectorSize"}
  bincode,  ///< of rust-fil-proofs: the same without the proof type
};
[[nodiscard]] std::string_view to_string(C1Form form) noexcept;

/// What a C1 file holds.
struct C1File {
  C1Form form = C1Form::bincode;
  SectorShape shape;
  Phase1Output output;
  std::optional<RegisteredProof> proof;        ///< JSON and wrapper
  std::optional<std::uint64_t> sector_number;  ///< wrapper
};

/// A larger file is refused unread: three times the wrapper of 126 partitions of 64 GiB.
inline constexpr std::uint64_t max_c1_bytes = std::uint64_t{1} << 31;

/// Whether a source begins like JSON, not like bincode. @throws IoError
[[nodiscard]] bool begins_like_json(io::ByteSource& source);

/// Reads a C1 file front to back; its content decides of which form it is. Only the proofs are
/// kept: of the file 64 KiB are in memory at a time, also inside of base64.
///
/// Refused: an unknown, missing or repeated field, a count, arity, index or sector size that does
/// not belong to the sector, a node that is not below the modulus, bytes behind the end. The order
/// of JSON fields is free. Whether the values prove anything is for `check`.
///
/// @throws Malformed with file, field ("vanilla_proofs.StackedDrg32GiBV1[3][17].comm_d_proofs...")
///   and offset; IoError; std::bad_alloc
/// @cost  JSON 39 MB (32 GiB sector): about 0.2 s, and the 11 MB of its nodes twice
C1File read_c1(io::ByteSource& source);

}  // namespace zkgpu::porep
