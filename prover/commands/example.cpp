// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "circuits/bits.hpp"
#include "circuits/chain.hpp"
#include "commands/commands.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

using Fr = Curve::Fr;

/// How a circuit's public values divide into outputs and inputs, as circom counts them.
struct Signals {
  std::uint32_t outputs = 0, public_inputs = 0, private_inputs = 0;
};

template <class C>
io::R1csFile<Fr> make_r1cs(const C& circuit, const Signals& signals) {
  io::R1csFile<Fr> file;
  file.system = synthesize_r1cs<Fr>(circuit);
  file.num_outputs = signals.outputs;
  file.num_public_inputs = signals.public_inputs;
  file.num_private_inputs = signals.private_inputs;
  file.num_labels = file.system.num_wires;
  file.wire_labels.resize(file.system.num_wires);
  std::iota(file.wire_labels.begin(), file.wire_labels.end(), std::uint64_t{0});
  return file;
}

template <class C>
int write_example(Session& session, const ExampleOptions& options, const C& circuit,
                  const Signals& signals) {
  CommandEnv& env = session.env();
  const std::string r1cs_path = options.folder + "/circuit.r1cs";
  const std::string witness_path = options.folder + "/witness.wtns";
  io::make_folders(env, options.folder, 0777);
  const std::string outputs[] = {r1cs_path, witness_path};
  expect_outputs(env, outputs, {});
  const io::R1csFile<Fr> file =
      session.timed("make constraints", [&] { return make_r1cs(circuit, signals); });
  const Witness<Fr> witness =
      session.timed("make witness", [&] { return synthesize_witness<Fr>(circuit); });
  session.timed("write files", [&] {
    OutputGroup files(env);
    io::write_r1cs(files.add(r1cs_path), file);
    io::write_wtns(files.add(witness_path, OutputGroup::File::private_mode), witness);
    files.commit();
  });
  const std::size_t constraints = file.system.num_constraints();
  session.finish(fmt::format("{}: {} constraints, {} wires\n{}: a witness\n", r1cs_path,
                             constraints, file.system.num_wires, witness_path),
                 {{"command", "example"},
                  {"r1cs", r1cs_path},
                  {"witness", witness_path},
                  {"constraints", constraints},
                  {"wires", file.system.num_wires}});
  return exit_success;
}

}  // namespace

int example(Session& session, const ExampleOptions& options) {
  const std::size_t size = std::size_t{1} << options.log_constraints;
  if (options.circuit == ExampleOptions::Circuit::chain) {
    // Three rows for the public wires and one to spare: the domain has 2^log_constraints rows.
    return write_example(session, options, ChainCircuit<Fr>{.steps = size - 4}, {1, 1, 1});
  }
  const std::size_t numbers = (size - 3) / BitsCircuit<Fr>::constraints_a_number;
  return write_example(session, options, BitsCircuit<Fr>{.numbers = numbers},
                       {1, 0, static_cast<std::uint32_t>(numbers)});
}

}  // namespace zkgpu::cli
