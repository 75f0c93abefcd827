// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>
#include <vector>

#include <zkgpu/prover/groth16/proof.hpp>

#include "files/keys.hpp"

namespace zkgpu::cli {

/// In which form a proof is written.
enum class ProofForm : std::uint8_t { json, binary };

/// JSON, unless the name ends in .bin or .proof.
[[nodiscard]] ProofForm proof_form_of(const std::string& path);

/// A proof as JSON or in 192 bytes: by the extension if it says so, else by the content.
/// @throws Malformed, IoError
Proof<Curve> load_proof(Session& session, const std::string& path);

/// The text or bytes of a proof file.
[[nodiscard]] std::string format_proof(const Proof<Curve>& proof, ProofForm form);

/// public.json. @throws Malformed, IoError
std::vector<Curve::Fr::Integer> load_public(Session& session, const std::string& path);

}  // namespace zkgpu::cli
