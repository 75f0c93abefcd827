// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "porep/commands/commands.hpp"
#include "porep/parameters.hpp"
#include "porep/statement.hpp"

namespace zkgpu::cli {

int porep_verify(Session& session, const PorepVerifyOptions& options) {
  announce(session, options.keys);
  const StatementFile file = load_statement(session, options.statement);
  const auto [vk, whose] =
      load_seal_key(session, options.vk, file.proof, options.official, options.keys);
  const std::vector<Proof<Curve>> proofs = load_seal_proofs(session, options.proof, file.proof);
  const std::vector<PublicValues> inputs = session.timed("public inputs", [&] {
    return to_public_values(porep::seal_public_inputs(file.proof.config(), file.statement));
  });
  std::vector<std::size_t> invalid;
  session.timed("verify", [&, &key = vk.key] {
    const PreparedVerifyingKey<Curve> prepared(key);
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      const std::span<const porep::Fr::Integer> values(inputs[i]);
      if (!zkgpu::verify<Curve>(prepared, values, proofs[i])) invalid.push_back(i);
    }
  });
  std::string text = invalid.empty() ? "valid\n" : "invalid\n";
  if (!invalid.empty() && proofs.size() > 1) {
    text = "invalid: partitions";
    for (const std::size_t i : invalid) text += " " + std::to_string(i);
    text += "\n";
  }
  session.finish(text, {{"command", "porep verify"},
                        {"valid", invalid.empty()},
                        {"partitions", proofs.size()},
                        {"invalid_partitions", invalid},
                        {"key", whose}});
  return invalid.empty() ? exit_success : exit_invalid_proof;
}

}  // namespace zkgpu::cli
