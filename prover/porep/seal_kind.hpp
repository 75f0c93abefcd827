// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <optional>
#include <string>

#include <zkgpu/prover/porep/statement/registered_proof.hpp>

/// What is sealed or proven.
namespace zkgpu::cli {

/// A seal of the network, or one that only tests have.
struct SealKind {
  std::optional<porep::RegisteredProof> proof;
  porep::SealConfig config;

  /// "StackedDrg2KiBV1_1", or "4KiB, of no network".
  [[nodiscard]] std::string name() const;
};

[[nodiscard]] SealKind kind_of(const porep::RegisteredProof& proof);

/// The interactive seal of a size, of version 1.1.0; of sizes that only tests have, with a porep id
/// of zeros.
[[nodiscard]] SealKind usual_seal(const porep::SectorShape& shape);

/// A sector with a porep id of its own is none of the network's.
[[nodiscard]] SealKind with_porep_id(SealKind kind, const porep::Node& porep_id);

}  // namespace zkgpu::cli
