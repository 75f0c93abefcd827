// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/seal_kind.hpp"

namespace zkgpu::cli {

std::string SealKind::name() const {
  if (proof) return std::string(proof->name);
  return std::string(config.shape.name) + ", of no network";
}

SealKind kind_of(const porep::RegisteredProof& proof) { return {proof, proof.config()}; }

SealKind usual_seal(const porep::SectorShape& shape) {
  for (const porep::RegisteredProof& proof : porep::registered_proofs) {
    if (proof.sector_name == shape.name && proof.api == porep::ApiVersion::v1_1_0) {
      return kind_of(proof);
    }
  }
  return {std::nullopt, {.shape = shape}};
}

SealKind with_porep_id(SealKind kind, const porep::Node& porep_id) {
  kind.config.porep_id = porep_id;
  kind.proof.reset();
  return kind;
}

}  // namespace zkgpu::cli
