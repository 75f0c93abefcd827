// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/c1/read.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/json/json_value.hpp>

#include "porep/c1/base64_stream.hpp"
#include "porep/c1/bincode_scanner.hpp"
#include "porep/c1/json_scanner.hpp"
#include "porep/c1/proof_reader.hpp"

namespace zkgpu::porep {

namespace {

using namespace c1;

constexpr Field wrapper_fields[] = {{"SectorNum"}, {"Phase1Out"}, {"SectorSize"}};

/// The names under which JSON puts the proofs: one a sector size.
constexpr std::array<Field, 5> vanilla_keys = [] {
  std::array<Field, 5> keys{};
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = {registered_proofs[i].vanilla_key};
  return keys;
}();

/// The five values that stand beside the proofs; `i` counts them in the order of bincode.
template <class Scanner>
void read_value(Scanner& in, std::size_t i, Phase1Output& out) {
  switch (i) {
    case 0: out.comm_r = read_node(in); return;
    case 1: out.comm_d = read_node(in); return;
    case 2: out.replica_id = read_node(in); return;
    case 3: out.seed = in.bytes32(); return;
    default: out.ticket = in.bytes32(); return;
  }
}

const RegisteredProof& proof_of_name(JsonScanner& in) {
  const std::uint64_t offset = in.offset();
  const std::string name = in.string("the name of a registered proof");
  for (const RegisteredProof& proof : registered_proofs) {
    if (proof.name == name) return proof;
  }
  in.place().fail(offset, "no registered seal proof is called " + io::printable(name));
}

/// Proof type, sector size and number of partitions belong together.
void expect_same_kind(const C1File& file, JsonScanner& in) {
  const SealConfig config = file.proof->config();
  if (config.shape != file.shape) {
    in.fail("vanilla_proofs are of a sector of " + std::string(file.shape.name) +
            ", registered_proof is " + std::string(file.proof->name));
  }
  if (config.partitions() != file.output.partitions.size()) {
    in.fail("vanilla_proofs has " + std::to_string(file.output.partitions.size()) +
            " partitions, " + std::string(file.proof->name) + " has " +
            std::to_string(config.partitions()));
  }
}

void read_json_value(ByteStream& bytes, Place& place, C1File& file) {
  constexpr Field fields[] = {{"comm_r"}, {"comm_d"},         {"replica_id"},      {"seed"},
                              {"ticket"}, {"vanilla_proofs"}, {"registered_proof"}};
  JsonScanner in(bytes, place);
  in.object(fields, [&](std::size_t i) {
    if (fields[i].name == "registered_proof") {
      file.proof = proof_of_name(in);
    } else if (fields[i].name == "vanilla_proofs") {
      in.one_of(vanilla_keys, [&](std::size_t k) {
        file.shape = shape_of_name(registered_proofs[k].sector_name);
        ProofReader(in, file.shape).partitions(file.output.partitions);
      });
    } else {
      read_value(in, i, file.output);
    }
  });
  expect_same_kind(file, in);
  in.expect_end();
}

void read_wrapper(ByteStream& bytes, Place& place, C1File& file) {
  JsonScanner in(bytes, place);
  std::uint64_t sector_bytes = 0;
  in.object(wrapper_fields, [&](std::size_t i) {
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    switch (i) {
      case 0: file.sector_number = in.integer64(any); return;
      case 1: {
        in.open_string("a string of base64");
        Base64Stream inner(bytes, place);
        return read_json_value(inner, place, file);
      }
      default: sector_bytes = in.integer64(any);
    }
  });
  if (sector_bytes != file.shape.bytes()) {
    in.fail("SectorSize is " + std::to_string(sector_bytes) + ", Phase1Out is of a sector of " +
            std::to_string(file.shape.bytes()) + " bytes");
  }
  in.expect_end();
}

/// Bincode does not say of which sector it is: the height of the first tree D does.
SectorShape shape_of_bincode(io::ByteSource& source, const Place& place) {
  constexpr std::uint64_t offset = 8 + 8 + 4 + 32 + 32;  // partitions, challenges, form, root, leaf
  std::array<std::byte, 8> bytes;
  if (source.size() < offset + bytes.size()) {
    place.fail(source.size(), "neither JSON nor as long as the shortest bincode");
  }
  source.read(offset, bytes);
  const auto levels = io::load_le<std::uint64_t>(bytes.data());
  for (const SectorShape& shape : sector_shapes) {
    if (shape.log_nodes == levels) return shape;
  }
  place.fail(offset, "neither JSON nor bincode of a known sector size: its first path would have " +
                         std::to_string(levels) + " levels");
}

void read_bincode(io::ByteSource& source, ByteStream& bytes, Place& place, C1File& file) {
  constexpr Field fields[] = {{"vanilla_proofs"}, {"comm_r"}, {"comm_d"},
                              {"replica_id"},     {"seed"},   {"ticket"}};
  file.shape = shape_of_bincode(source, place);
  BincodeScanner in(bytes, place);
  in.object(fields, [&](std::size_t i) {
    if (i == 0) {
      ProofReader(in, file.shape).partitions(file.output.partitions);
    } else {
      read_value(in, i - 1, file.output);
    }
  });
  in.expect_end();
}

constexpr bool is_blank(int byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// Goes past blanks. @return the byte behind them, taken as well
int take_past_blanks(ByteStream& bytes) {
  int byte = bytes.take();
  while (is_blank(byte)) byte = bytes.take();
  return byte;
}

/// By the first name. What begins neither way is read as the form that most files have.
C1Form form_of_json(io::ByteSource& source) {
  SourceStream bytes(source);
  take_past_blanks(bytes);  // the brace
  int byte = take_past_blanks(bytes);
  if (byte != '"') return C1Form::json;
  std::string name;
  constexpr std::size_t longest = 16;
  while (name.size() < longest) {
    byte = bytes.take();
    if (byte == '"' || byte == ByteStream::end) break;
    name += static_cast<char>(byte);
  }
  const bool wrapper = std::any_of(std::begin(wrapper_fields), std::end(wrapper_fields),
                                   [&](const Field& field) { return field.name == name; });
  return wrapper ? C1Form::wrapper : C1Form::json;
}

}  // namespace

std::string_view to_string(C1Form form) noexcept {
  switch (form) {
    case C1Form::json: return "JSON";
    case C1Form::wrapper: return "JSON around base64";
    case C1Form::bincode: break;
  }
  return "bincode";
}

bool begins_like_json(io::ByteSource& source) {
  SourceStream bytes(source);
  return take_past_blanks(bytes) == '{';
}

C1File read_c1(io::ByteSource& source) {
  Place place(source.name());
  if (source.size() == 0) place.fail(0, "the file is empty");
  if (source.size() > max_c1_bytes) {
    place.fail(max_c1_bytes, "the file has " + std::to_string(source.size()) +
                                 " bytes, the limit is " + std::to_string(max_c1_bytes));
  }
  C1File file;
  SourceStream bytes(source);
  if (!begins_like_json(source)) {
    read_bincode(source, bytes, place, file);
  } else if (form_of_json(source) == C1Form::wrapper) {
    file.form = C1Form::wrapper;
    read_wrapper(bytes, place, file);
  } else {
    file.form = C1Form::json;
    read_json_value(bytes, place, file);
  }
  source.expect_unchanged();
  return file;
}

}  // namespace zkgpu::porep
