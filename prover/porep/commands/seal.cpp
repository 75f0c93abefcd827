// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/seal/fr32.hpp>
#include <zkgpu/prover/porep/seal/invent.hpp>
#include <zkgpu/prover/porep/seal/seal.hpp>

#include "porep/commands/commands.hpp"
#include "porep/seal_kind.hpp"
#include "porep/statement.hpp"
#include "session/outputs.hpp"

namespace zkgpu::cli {

namespace {

using porep::C1Form;
using porep::Phase1Output;

SealKind wanted_seal(const PorepSealOptions& options) {
  if (!options.kind.proof.empty()) return kind_of(porep::registered_proof(options.kind.proof));
  return usual_seal(porep::shape_of_name(options.kind.sector_size));
}

C1Form form_of(const PorepSealOptions& options) {
  if (options.form == "bincode") return C1Form::bincode;
  if (options.form == "wrapper") return C1Form::wrapper;
  if (options.form == "json") return C1Form::json;
  return extension_of(options.out) == "json" ? C1Form::json : C1Form::bincode;
}

SealKind seal_to_make(const PorepSealOptions& options) {
  SealKind kind = wanted_seal(options);
  if (!options.porep_id.empty()) {
    kind = with_porep_id(kind, parse_node(options.porep_id, "--porep-id"));
  }
  if (!kind.proof && (form_of(options) != C1Form::bincode || !options.statement.empty())) {
    throw InvalidArgument(
        "the network has no name for this seal: it is written as bincode only, without a "
        "statement");
  }
  return kind;
}

/// The sector's data, padded: zeros where none are given, and behind those that are.
std::vector<std::byte> load_data(Session& session, const PorepSealOptions& options,
                                 const porep::SectorShape& shape) {
  const std::uint64_t room = shape.bytes() / 128 * 127;
  std::vector<std::byte> padded;
  if (!options.data.empty()) {
    io::FileSource<CommandEnv> source(session.env(), options.data);
    if (source.size() > room) {
      throw InvalidArgument(options.data + ": " + std::to_string(source.size()) +
                            " bytes, a sector of " + std::string(shape.name) + " has room for " +
                            std::to_string(room));
    }
    padded = porep::fr32_pad(io::read_all(source, room));
  }
  padded.resize(shape.bytes());
  return padded;
}

Phase1Output make_output(Session& session, const PorepSealOptions& options, const SealKind& kind,
                         const porep::SectorId& sector, const porep::Node& seed) {
  if (options.invented) {
    if (!options.data.empty()) {
      throw InvalidArgument("--synthetic invents the data: --data does not go with it");
    }
    return session.timed("invent", [&] { return porep::invent_phase1(kind.config, sector, seed); });
  }
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;  // labels and trees are in memory
  if (kind.config.shape.bytes() > most_bytes) {
    throw InvalidArgument("a sector of " + std::string(kind.config.shape.name) +
                          " is too large to be sealed here; --synthetic invents an output of it");
  }
  const auto data = load_data(session, options, kind.config.shape);
  const porep::SealedSector sealed =
      session.timed("seal", [&] { return porep::seal_sector(kind.config, sector, data); });
  return session.timed("commit phase 1", [&] { return porep::commit_phase1(sealed, seed); });
}

void write(io::ByteSink& sink, const PorepSealOptions& options, const SealKind& kind,
           const Phase1Output& output) {
  switch (form_of(options)) {
    case C1Form::json: return porep::write_c1_json(sink, output, *kind.proof);
    case C1Form::wrapper: return porep::write_c1_wrapper(sink, output, *kind.proof, options.sector);
    case C1Form::bincode: break;
  }
  porep::write_c1_bincode(sink, output, kind.config.shape);
}

porep::Node node_or(const std::string& text, const char* option, unsigned char filled) {
  if (!text.empty()) return parse_node(text, option);
  porep::Node node;
  node.fill(std::byte{filled});
  return node;
}

}  // namespace

int porep_seal(Session& session, const PorepSealOptions& options) {
  const SealKind kind = seal_to_make(options);
  const porep::SectorId sector{porep::prover_id_of_miner(options.miner), options.sector,
                               node_or(options.ticket, "--ticket", 1)};
  const porep::Node seed = node_or(options.seed, "--seed", 2);
  if (seed == porep::Node{}) throw InvalidArgument("--seed: it is zero, which no seal has");
  std::vector<std::string> outputs{options.out};
  if (!options.statement.empty()) outputs.push_back(options.statement);
  std::vector<std::string> inputs;
  if (!options.data.empty()) inputs.push_back(options.data);
  expect_outputs(session.env(), outputs, inputs);
  expect_no_key_replaced(session.env(), outputs);
  const Phase1Output output = make_output(session, options, kind, sector, seed);
  session.timed("write files", [&] {
    OutputGroup files(session.env());
    write(files.add(options.out, OutputGroup::File::private_mode), options, kind, output);
    if (!options.statement.empty()) {
      const StatementFile statement{*kind.proof, {sector, output.comm_d, output.comm_r, seed}};
      files.add(options.statement).write(io::bytes_of(format_statement(statement)));
    }
    files.commit();
  });
  const std::string_view form = porep::to_string(form_of(options));
  session.finish(
      fmt::format("{}: {}, {} partitions, {}\ncomm_d {}\ncomm_r {}\n", options.out, kind.name(),
                  output.partitions.size(), form, to_hex(output.comm_d), to_hex(output.comm_r)),
      {{"command", "porep seal"},
       {"c1", options.out},
       {"form", form},
       {"sector_size", kind.config.shape.name},
       {"partitions", output.partitions.size()},
       {"replica_id", to_hex(output.replica_id)},
       {"comm_d", to_hex(output.comm_d)},
       {"comm_r", to_hex(output.comm_r)}});
  return exit_success;
}

}  // namespace zkgpu::cli
