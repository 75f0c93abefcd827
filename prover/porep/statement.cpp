// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/statement.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

namespace zkgpu::cli {

namespace {

bool parse(std::string_view text, porep::Node& node) {
  io::Digest bytes;
  if (!io::parse_hex(text, bytes)) return false;
  node = bytes.bytes;
  return true;
}

porep::Node node_of(const io::JsonReader& value) {
  porep::Node node;
  if (!parse(value.string(), node)) value.fail("not 64 lower-case hexadecimal digits");
  return node;
}

/// A root of a tree.
porep::Node commitment_of(const io::JsonReader& value) {
  const porep::Node node = node_of(value);
  if (node == porep::Node{}) value.fail("it is zero");
  if (!porep::is_canonical(node)) value.fail("not below the modulus of Fr");
  return node;
}

std::uint64_t number_of(const io::JsonReader& value) {
  const std::string& digits = value.digits();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    value.fail("not a number of 64 bits");
  }
  return number;
}

porep::RegisteredProof proof_of(const io::JsonReader& value) {
  const auto found = std::find_if(
      porep::registered_proofs.begin(), porep::registered_proofs.end(),
      [&](const porep::RegisteredProof& proof) { return proof.name == value.string(); });
  if (found == porep::registered_proofs.end()) {
    value.fail("no registered seal proof is called " + io::printable(value.string()));
  }
  return *found;
}

}  // namespace

StatementFile load_statement(Session& session, const std::string& path) {
  const auto bytes = io::read_file(session.env(), path, io::max_json_bytes);
  const io::JsonValue root = io::parse_json(bytes, path);
  const io::JsonReader reader(root, path, "");
  static constexpr std::string_view keys[] = {
      "registered_proof", "prover_id", "sector_number", "ticket", "seed", "comm_d", "comm_r"};
  reader.expect_keys(keys, std::size(keys));
  StatementFile file;
  file.proof = proof_of(reader.at("registered_proof"));
  file.statement.sector.prover_id = node_of(reader.at("prover_id"));
  file.statement.sector.number = number_of(reader.at("sector_number"));
  file.statement.sector.ticket = node_of(reader.at("ticket"));
  file.statement.seed = node_of(reader.at("seed"));
  file.statement.comm_d = commitment_of(reader.at("comm_d"));
  file.statement.comm_r = commitment_of(reader.at("comm_r"));
  return file;
}

std::string format_statement(const StatementFile& file) {
  const Json object = {{"registered_proof", file.proof.name},
                       {"prover_id", to_hex(file.statement.sector.prover_id)},
                       {"sector_number", file.statement.sector.number},
                       {"ticket", to_hex(file.statement.sector.ticket)},
                       {"seed", to_hex(file.statement.seed)},
                       {"comm_d", to_hex(file.statement.comm_d)},
                       {"comm_r", to_hex(file.statement.comm_r)}};
  return object.dump(1) + "\n";
}

void expect_same_seal(const StatementFile& file, const std::string& path, const porep::C1File& c1,
                      const porep::RegisteredProof& proof, const std::string& c1_path) {
  const auto compare = [&](const char* field, const std::string& said, const std::string& found) {
    if (said == found) return;
    throw InvalidArgument(path + " and " + c1_path + " are not of one seal: " + field + " is " +
                          said + " in the statement, and " + found + " in the C1 file");
  };
  const porep::SealStatement& said = file.statement;
  const porep::Phase1Output& output = c1.output;
  compare("registered_proof", std::string(file.proof.name), std::string(proof.name));
  compare("ticket", to_hex(said.sector.ticket), to_hex(output.ticket));
  compare("seed", to_hex(said.seed), to_hex(output.seed));
  compare("comm_d", to_hex(said.comm_d), to_hex(output.comm_d));
  compare("comm_r", to_hex(said.comm_r), to_hex(output.comm_r));
  if (c1.sector_number) {
    compare("sector_number", std::to_string(said.sector.number), std::to_string(*c1.sector_number));
  }
  // What is left of the replica id: prover and number, which no field of the output holds.
  compare("replica_id (of prover_id, sector_number, ticket and comm_d)",
          to_hex(porep::make_replica_id(proof.config(), said.sector, said.comm_d)),
          to_hex(output.replica_id));
}

std::vector<PublicValues> to_public_values(const std::vector<std::vector<porep::Fr>>& inputs) {
  std::vector<PublicValues> all;
  for (const std::vector<porep::Fr>& partition : inputs) {
    PublicValues& values = all.emplace_back();
    for (const porep::Fr& input : partition) values.push_back(input.to_integer());
  }
  return all;
}

std::vector<Proof<Bls12_381>> load_seal_proofs(Session& session, const std::string& path,
                                               const porep::RegisteredProof& proof) {
  const std::size_t partitions = proof.config().partitions();
  const std::size_t expected = partitions * io::proof_bytes<Bls12_381>;
  io::FileSource<CommandEnv> source(session.env(), path);
  if (source.size() != expected) {
    throw Malformed({path, "proof", std::min<std::uint64_t>(source.size(), expected)},
                    std::to_string(source.size()) + " bytes; " + std::string(proof.name) + " has " +
                        std::to_string(partitions) + " proofs, " + std::to_string(expected) +
                        " bytes");
  }
  return io::parse_proofs<Bls12_381>(io::read_all(source, expected), path);
}

porep::Node parse_node(const std::string& text, const char* option) {
  porep::Node node;
  if (!parse(text, node)) {
    throw InvalidArgument(std::string(option) + ": not 64 lower-case hexadecimal digits");
  }
  return node;
}

std::string to_hex(const porep::Node& node) { return io::to_hex(io::Digest{node}); }

}  // namespace zkgpu::cli
