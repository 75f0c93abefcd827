// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

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

/// 64 hexadecimal digits. @throws InvalidArgument naming the option
[[nodiscard]] porep::Node parse_node(const std::string& text, const char* option);

[[nodiscard]] std::string to_hex(const porep::Node& node);

}  // namespace zkgpu::cli
