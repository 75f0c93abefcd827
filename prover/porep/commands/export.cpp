// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>
#include <string>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "files/proofs.hpp"
#include "files/verifying_key_text.hpp"
#include "porep/commands/commands.hpp"
#include "porep/parameters.hpp"
#include "porep/statement.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

/// verification_key.json, then a proof and its public values for each partition.
std::vector<std::string> names_of(const std::string& folder, std::size_t partitions) {
  std::vector<std::string> names{folder + "/verification_key.json"};
  for (std::size_t i = 0; i < partitions; ++i) {
    names.push_back(folder + "/proof-" + std::to_string(i) + ".json");
    names.push_back(folder + "/public-" + std::to_string(i) + ".json");
  }
  return names;
}

}  // namespace

int porep_export(Session& session, const PorepExportOptions& options) {
  announce(session, options.keys);
  const StatementFile file = load_statement(session, options.statement);
  const std::size_t partitions = file.proof.config().partitions();
  const std::vector<std::string> outputs = names_of(options.folder, partitions);
  std::vector<std::string> inputs{options.statement, options.proof};
  if (!options.vk.empty()) inputs.push_back(options.vk);
  expect_outputs(session.env(), outputs, inputs);
  expect_no_key_replaced(session.env(), outputs);
  const SealVerifyingKey key =
      load_seal_key(session, options.vk, file.proof, options.official, options.keys);
  const std::vector<Proof<Curve>> proofs = load_seal_proofs(session, options.proof, file.proof);
  const std::vector<PublicValues> values = session.timed("public inputs", [&] {
    return to_public_values(porep::seal_public_inputs(file.proof.config(), file.statement));
  });
  session.timed("write files", [&] {
    OutputGroup files(session.env());
    const auto write = [&](const std::string& path, const std::string& text) {
      files.add(path).write(io::bytes_of(text));
    };
    write(outputs[0], format_verifying_key(key.vk, VerifyingKeyForm::json, options.vk));
    for (std::size_t i = 0; i < partitions; ++i) {
      write(outputs[1 + 2 * i], format_proof(proofs[i], ProofForm::json));
      write(outputs[2 + 2 * i], io::public_json<Curve>(values[i]));
    }
    files.commit();
  });
  std::string text;
  for (const std::string& output : outputs) text += output + "\n";
  session.finish(text, {{"command", "porep export"},
                        {"folder", options.folder},
                        {"partitions", partitions},
                        {"files", outputs},
                        {"key", key.whose}});
  return exit_success;
}

}  // namespace zkgpu::cli
