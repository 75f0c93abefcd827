// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <span>
#include <string>

#include <zkgpu/prover/groth16/verify.hpp>

#include "commands/commands.hpp"
#include "files/proofs.hpp"

namespace zkgpu::cli {

int verify(Session& session, const VerifyOptions& options) {
  announce(session, options.keys);
  const LoadedVerifyingKey vk = load_verifying_key(session, options.key, options.keys);
  const auto values = load_public(session, options.public_values);
  if (values.size() != vk.key.num_public()) {
    throw InvalidArgument(options.public_values + ": " + std::to_string(values.size()) +
                          " public values, the verifying key is for " +
                          std::to_string(vk.key.num_public()));
  }
  const Proof<Curve> proof = load_proof(session, options.proof);
  const bool valid = session.timed("verify", [&] {
    const PreparedVerifyingKey<Curve> prepared(vk.key);
    return zkgpu::verify<Curve>(prepared, std::span<const Curve::Fr::Integer>(values), proof);
  });
  session.finish(valid ? "valid\n" : "invalid\n", {{"command", "verify"}, {"valid", valid}});
  return valid ? exit_success : exit_invalid_proof;
}

}  // namespace zkgpu::cli
