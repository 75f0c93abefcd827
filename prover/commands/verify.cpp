// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <span>
#include <string>

#include <zkgpu/prover/groth16/verify.hpp>

#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "files/proofs.hpp"

namespace zkgpu::cli {

int verify(Session& session, const VerifyOptions& options) {
  announce(session, options.keys);
  const InputArgument inputs[] = {{"VK", options.key, Content::verifying_key},
                                  {"PUBLIC", options.public_values, Content::public_values},
                                  {"PROOF", options.proof, Content::proof}};
  expect_kinds(session.env(), inputs, "zkgpu verify VK PUBLIC PROOF");
  const LoadedVerifyingKey vk = load_verifying_key(session, options.key, options.keys);
  const auto values = load_public(session, options.public_values);
  expect_same_count({options.public_values, values.size(), "public values"},
                    {options.key, vk.key.num_public(), "public values"});
  const Proof<Curve> proof = load_proof(session, options.proof);
  const bool valid = session.timed("verify", [&] {
    const PreparedVerifyingKey<Curve> prepared(vk.key);
    return zkgpu::verify<Curve>(prepared, std::span<const Curve::Fr::Integer>(values), proof);
  });
  session.finish(valid ? "valid\n" : "invalid\n", {{"command", "verify"}, {"valid", valid}});
  return valid ? exit_success : exit_invalid_proof;
}

}  // namespace zkgpu::cli
