// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <zkgpu/prover/porep/sector.hpp>

/// What the files of a circuit's parameters are called: the circuit, described in words, and the
/// SHA-256 of that. (rust-fil-proofs 19.1, storage-proofs-core/src/parameter_cache.rs and the
/// `identifier` of each kind's public parameters)
namespace zkgpu::porep {

/// A circuit of the network: which proof, of which sectors.
struct CircuitName {
  enum class Kind : std::uint8_t { porep, winning_post, window_post, sector_update };
  Kind kind = Kind::porep;
  std::string_view sector;  ///< of sector_shapes
  friend bool operator==(const CircuitName&, const CircuitName&) = default;
};

/// "PoRep 32GiB".
[[nodiscard]] std::string to_string(const CircuitName& circuit);

/// "stacked-proof-of-replication-merkletree-poseidon_hasher-8-8-0-sha256_hasher-82a357…".
/// @throws InvalidArgument if there is no such sector size
[[nodiscard]] std::string cache_id(const CircuitName& circuit);

enum class ParameterFile : std::uint8_t { params, vk, metadata };

/// "v28-stacked-….params", ".vk", ".meta". @throws as cache_id
[[nodiscard]] std::string file_name(const CircuitName& circuit, ParameterFile file);

/// What a ".meta" file says. @throws InvalidArgument if there is no such sector size
[[nodiscard]] std::string metadata_text(const CircuitName& circuit);

/// Where the network's own programs keep these files, and the variable that moves them.
inline constexpr std::string_view default_parameter_folder = "/var/tmp/filecoin-proof-parameters";
inline constexpr std::string_view parameter_folder_variable = "FIL_PROOFS_PARAMETER_CACHE";

}  // namespace zkgpu::porep
