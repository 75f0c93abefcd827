// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include <zkgpu/prover/porep/parameters/official.hpp>
#include <zkgpu/prover/porep/statement/registered_proof.hpp>

#include "files/keys.hpp"
#include "session/session.hpp"

/// The parameter files of a circuit: where they are, and whose.
namespace zkgpu::cli {

/// The path of a file that an option gives as a file, as a folder where it has its name of the
/// network, or not at all: then in $FIL_PROOFS_PARAMETER_CACHE, or
/// /var/tmp/filecoin-proof-parameters.
[[nodiscard]] std::string parameter_path(CommandEnv& env, const std::string& option,
                                         const porep::CircuitName& circuit,
                                         porep::ParameterFile file);

/// Says with -v whose a verifying key is; with `required`, that it is the network's is a condition.
/// Both halves of the check cost nothing: the key is in memory.
/// @return  the text, for results
/// @throws InvalidArgument if it is required and not so
std::string tell_provenance(Session& session, const std::string& path,
                            const io::FullVerifyingKey<Curve>& vk,
                            const porep::CircuitName& circuit, bool required);

/// The digest of a whole `.params` file is the network's. @throws InvalidArgument, IoError
/// @cost  one more read of the file
void expect_official_file(Session& session, const std::string& path,
                          const porep::CircuitName& circuit);

/// A verifying key for the partitions of a seal, and whose it is.
struct SealVerifyingKey {
  LoadedVerifyingKey vk;
  std::string whose;
};

/// @param option  a file, a folder or "", as for parameter_path
/// @param official  that it is the network's is a condition
/// @throws Malformed, InsecureKey, IoError; InvalidArgument if it is of a circuit with other public
///   values, or not the network's
[[nodiscard]] SealVerifyingKey load_seal_key(Session& session, const std::string& option,
                                             const porep::RegisteredProof& proof, bool official,
                                             const KeyOptions& keys);

/// Both verifying keys are one. @throws InvalidArgument naming both files and what differs
void expect_same_key(const std::string& path, const VerifyingKey<Curve>& key,
                     const std::string& other_path, const VerifyingKey<Curve>& other);

}  // namespace zkgpu::cli
