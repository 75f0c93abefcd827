// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/proof.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "session/session.hpp"

/// Files that say what a seal claims: a JSON object of registered_proof, prover_id, sector_number,
/// ticket, seed, comm_d and comm_r; 32-byte values as 64 lower-case hexadecimal digits.
namespace zkgpu::cli {

struct StatementFile {
  porep::RegisteredProof proof;
  porep::SealStatement statement;
};

/// @throws Malformed, IoError
[[nodiscard]] StatementFile load_statement(Session& session, const std::string& path);

[[nodiscard]] std::string format_statement(const StatementFile& file);

/// The output of commit phase 1 is of the seal that a statement speaks of.
/// @param proof  what the output is taken for
/// @param path, c1_path  of both files, for the message
/// @throws InvalidArgument naming the first field that differs, and both values
void expect_same_seal(const StatementFile& file, const std::string& path, const porep::C1File& c1,
                      const porep::RegisteredProof& proof, const std::string& c1_path);

/// The public inputs of one partition, without the constant one.
using PublicValues = std::vector<porep::Fr::Integer>;

/// Those of every partition, as verifiers take them.
[[nodiscard]] std::vector<PublicValues> to_public_values(
    const std::vector<std::vector<porep::Fr>>& inputs);

/// The proofs of a seal, 192 bytes a partition: one a partition, no more and no fewer.
/// @throws Malformed, IoError
[[nodiscard]] std::vector<Proof<Bls12_381>> load_seal_proofs(Session& session,
                                                             const std::string& path,
                                                             const porep::RegisteredProof& proof);

/// 64 hexadecimal digits. @throws InvalidArgument naming the option
[[nodiscard]] porep::Node parse_node(const std::string& text, const char* option);

[[nodiscard]] std::string to_hex(const porep::Node& node);

}  // namespace zkgpu::cli
