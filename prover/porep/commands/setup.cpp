// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <string>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>

#include "devices/proving.hpp"
#include "porep/circuit.hpp"
#include "porep/commands/commands.hpp"
#include "porep/parameters.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

using porep::Fr;

ProvingKey<Curve> make_key(Session& session, const PorepSetupOptions& options,
                           const R1cs<Fr>& r1cs) {
  constexpr KeyForm form = KeyForm::bellman;
  if (!options.waste) {
    EnvEntropy<CommandEnv> entropy(session.env());
    return zkgpu::setup<Curve>(r1cs, entropy, form, &session.progress());
  }
  const ChosenWaste& chosen = *options.waste;
  const ToxicWaste<Fr> waste(
      parse_scalar(chosen.tau, "--insecure-tau"), parse_scalar(chosen.alpha, "--insecure-alpha"),
      parse_scalar(chosen.beta, "--insecure-beta"), parse_scalar(chosen.gamma, "--insecure-gamma"),
      parse_scalar(chosen.delta, "--insecure-delta"));
  return generate_key<Curve>(r1cs, waste, form, &session.progress());
}

}  // namespace

int porep_setup(Session& session, const PorepSetupOptions& options) {
  const porep::SectorShape& shape = porep::shape_of_name(options.sector_size);
  const porep::CircuitName circuit{porep::CircuitName::Kind::porep, shape.name};
  const auto path = [&](porep::ParameterFile file) {
    return options.folder + "/" + porep::file_name(circuit, file);
  };
  const std::string outputs[] = {path(porep::ParameterFile::params), path(porep::ParameterFile::vk),
                                 path(porep::ParameterFile::metadata)};
  expect_outputs(session.env(), outputs, {});
  expect_no_key_replaced(session.env(), outputs);
  session.warn_loudly(options.waste
                          ? "the secret of the new key is given: whoever has seen it can prove "
                            "false statements; for tests only"
                          : "this process knows the secret of the new key; who knows it can prove "
                            "false statements; the network accepts no proof made with it");
  const R1cs<Fr> r1cs = session.timed("make constraints", [&] { return porep_r1cs(shape); });
  const ProvingKey<Curve> key =
      session.timed("make the key", [&] { return make_key(session, options, r1cs); });
  session.timed("write the key", [&] {
    OutputGroup files(session.env());
    io::write_params<Curve>(files.add(outputs[0]), key, io::ParamsCeremony{});
    io::write_bellman_vk<Curve>(files.add(outputs[1]), {key.vk, key.beta_g1, key.delta_g1});
    files.add(outputs[2]).write(io::bytes_of(porep::metadata_text(circuit)));
    files.commit();
  });
  session.finish(fmt::format("{}\n{}\n{} constraints, domain 2^{}\n", outputs[0], outputs[1],
                             r1cs.num_constraints(), key.log_domain),
                 {{"command", "porep setup"},
                  {"params", outputs[0]},
                  {"vk", outputs[1]},
                  {"constraints", r1cs.num_constraints()},
                  {"domain", key.domain_size()}});
  return exit_success;
}

}  // namespace zkgpu::cli
