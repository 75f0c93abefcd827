// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/porep/node.hpp>
#include <zkgpu/prover/porep/sector.hpp>

namespace zkgpu::porep {

/// Versions of the graph: they differ in who a node's parents are, never in the circuit.
enum class ApiVersion : std::uint8_t {
  v1_0_0,  ///< the predecessor is the last DRG parent; expander values lose their upper 32 bits
  v1_1_0,  ///< the predecessor is the first
  v1_2_0,  ///< as 1.1.0; synthetic and non-interactive challenges are allowed
};

/// Where the challenged nodes of a seal come from.
enum class Challenges : std::uint8_t {
  interactive,      ///< from a seed that the chain draws
  synthetic,        ///< chosen by the seed from a list that comm_r decides
  non_interactive,  ///< from comm_r alone, and more of them
};

/// What is agreed about a seal before there is a sector.
struct SealConfig {
  SectorShape shape;
  Node porep_id{};  ///< seeds the graph and enters the replica id; any 32 bytes
  ApiVersion api = ApiVersion::v1_1_0;
  Challenges challenges = Challenges::interactive;

  [[nodiscard]] constexpr unsigned partitions() const noexcept {
    return challenges == Challenges::non_interactive ? shape.ni_partitions : shape.partitions;
  }
  /// Of all partitions together.
  [[nodiscard]] constexpr unsigned least_challenges() const noexcept {
    return challenges == Challenges::non_interactive ? shape.ni_least_challenges
                                                     : shape.least_challenges;
  }
  friend constexpr bool operator==(const SealConfig&, const SealConfig&) = default;
};

/// A kind of seal that the network has given a number.
struct RegisteredProof {
  std::uint32_t number = 0;
  std::string_view name;         ///< as chain and C1 files write it
  std::string_view sector_name;  ///< of sector_shapes
  std::string_view vanilla_key;  ///< the name of its sector size, under which C1 files put proofs
  ApiVersion api = ApiVersion::v1_0_0;
  Challenges challenges = Challenges::interactive;

  [[nodiscard]] SealConfig config() const {
    Node id{};
    for (std::size_t i = 0; i < 4; ++i) id[i] = static_cast<std::byte>(number >> (8 * i));
    return {shape_of_name(sector_name), id, api, challenges};
  }
};

/// All of them, each at the place of its number. (rust-filecoin-proofs-api, src/registry.rs)
inline constexpr std::array<RegisteredProof, 20> registered_proofs = [] {
  constexpr std::array<std::string_view, 5> sizes{"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"};
  constexpr std::array<std::string_view, 20> names{
      "StackedDrg2KiBV1",
      "StackedDrg8MiBV1",
      "StackedDrg512MiBV1",
      "StackedDrg32GiBV1",
      "StackedDrg64GiBV1",
      "StackedDrg2KiBV1_1",
      "StackedDrg8MiBV1_1",
      "StackedDrg512MiBV1_1",
      "StackedDrg32GiBV1_1",
      "StackedDrg64GiBV1_1",
      "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
      "StackedDrg8MiBV1_1_Feat_SyntheticPoRep",
      "StackedDrg512MiBV1_1_Feat_SyntheticPoRep",
      "StackedDrg32GiBV1_1_Feat_SyntheticPoRep",
      "StackedDrg64GiBV1_1_Feat_SyntheticPoRep",
      "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep",
      "StackedDrg8MiBV1_2_Feat_NonInteractivePoRep",
      "StackedDrg512MiBV1_2_Feat_NonInteractivePoRep",
      "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep",
      "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep",
  };
  constexpr std::array<ApiVersion, 4> versions{ApiVersion::v1_0_0, ApiVersion::v1_1_0,
                                               ApiVersion::v1_2_0, ApiVersion::v1_2_0};
  constexpr std::array<Challenges, 4> kinds{Challenges::interactive, Challenges::interactive,
                                            Challenges::synthetic, Challenges::non_interactive};
  std::array<RegisteredProof, 20> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {static_cast<std::uint32_t>(i),
              names[i],
              sizes[i % 5],
              names[i % 5],
              versions[i / 5],
              kinds[i / 5]};
  }
  return all;
}();

/// @throws InvalidArgument if the network has no such number
[[nodiscard]] inline const RegisteredProof& registered_proof(std::uint64_t number) {
  if (number < registered_proofs.size()) return registered_proofs[number];
  throw InvalidArgument("no registered seal proof has the number " + std::to_string(number) +
                        "; the last is " + std::to_string(registered_proofs.size() - 1));
}

/// @throws InvalidArgument if there is no such name
[[nodiscard]] inline const RegisteredProof& registered_proof(std::string_view name) {
  for (const RegisteredProof& proof : registered_proofs) {
    if (proof.name == name) return proof;
  }
  throw InvalidArgument("no registered seal proof is called '" + std::string(name) +
                        "'; names are like StackedDrg32GiBV1_1");
}

/// The one of a sector size, a version and a kind of challenges.
/// @throws InvalidArgument if the network has none
[[nodiscard]] inline const RegisteredProof& registered_proof(std::string_view sector_name,
                                                             ApiVersion api,
                                                             Challenges challenges) {
  for (const RegisteredProof& proof : registered_proofs) {
    if (proof.sector_name == sector_name && proof.api == api && proof.challenges == challenges) {
      return proof;
    }
  }
  throw InvalidArgument("the network has no seal of a sector of " + std::string(sector_name) +
                        " with this API version and kind of challenges");
}

}  // namespace zkgpu::porep
