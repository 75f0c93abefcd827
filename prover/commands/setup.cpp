// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <string>
#include <string_view>

#include <zkgpu/prover/groth16/generate.hpp>

#include "commands/arguments.hpp"
#include "commands/commands.hpp"
#include "files/circuits.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

constexpr std::string_view usage = "zkgpu setup R1CS KEY";

KeyForm key_form_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == "zkey") return KeyForm::snarkjs;
  if (extension == "params") return KeyForm::bellman;
  throw InvalidArgument(
      "KEY '" + path +
      "': the name of a key ends in .zkey or .params; the order is: " + std::string(usage));
}

}  // namespace

int setup(Session& session, const SetupOptions& options) {
  const KeyForm form = key_form_of(options.key);
  const std::string outputs[] = {options.key};
  const std::string inputs[] = {options.r1cs};
  expect_outputs(session.env(), outputs, inputs);
  const InputArgument circuit[] = {{"R1CS", options.r1cs, Content::constraints}};
  expect_kinds(session.env(), circuit, usage);
  const auto file = load_r1cs(session, options.r1cs);
  session.warn_loudly(
      "this process knows the secret of the new key; who knows it can prove false statements");
  EnvEntropy<CommandEnv> entropy(session.env());
  const ProvingKey<Curve> key = session.timed("make the key", [&] {
    return zkgpu::setup<Curve>(file.system, entropy, form, &session.progress());
  });
  session.timed("write the key", [&] {
    OutputGroup files(session.env());
    io::ByteSink& sink = files.add(options.key);
    if (form == KeyForm::snarkjs) {
      io::write_zkey<Curve>(sink, key, io::ZkeyCeremony{});
    } else {
      io::write_params<Curve>(sink, key, io::ParamsCeremony{});
    }
    files.commit();
  });
  session.finish(fmt::format("{}: {} constraints, domain 2^{}\n", options.key,
                             file.system.num_constraints(), key.log_domain),
                 {{"command", "setup"},
                  {"key", options.key},
                  {"constraints", file.system.num_constraints()},
                  {"domain", key.domain_size()}});
  return exit_success;
}

}  // namespace zkgpu::cli
