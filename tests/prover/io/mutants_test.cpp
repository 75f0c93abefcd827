// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include "toy_files.hpp"

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

/// Mutants of one small sound file of each format: every truncation, every flipped bit, every
/// integer field at its edges, counts exchanged. A mutant is refused as malformed (or as an
/// insecure key), or it lies where any value is sound, and then it comes back byte for byte:
/// nothing was overlooked.
namespace {

/// An integer of a format, whose edges are tried.
struct Field {
  std::size_t offset;
  std::size_t width;
  bool big_endian = false;
  bool is_id = false;  ///< of a section: two of the same size may change places
};

/// A format: one sound file, its reader, and what it does with an accepted mutant.
struct Subject {
  std::string name;
  Bytes bytes;
  std::vector<Field> fields;
  /// Reads; throws to refuse; else returns what writing the result gives (empty: not comparable).
  Bytes (*round_trip)(const Bytes&);
  /// May a mutant with its first difference at this offset be sound?
  bool (*may_be_sound)(const Subject&, std::size_t offset);
  std::size_t sound_length = 0;  ///< a truncation that is sound by design; 0: none
};

std::uint64_t load(const Bytes& bytes, const Field& field) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + field.offset, field.width);
  return field.big_endian ? __builtin_bswap64(value) >> (64 - 8 * field.width) : value;
}
void store(Bytes& bytes, const Field& field, std::uint64_t value) {
  if (field.big_endian) value = __builtin_bswap64(value) >> (64 - 8 * field.width);
  std::memcpy(bytes.data() + field.offset, &value, field.width);
}

/// Sections of an iden3 container: offset of each header.
std::vector<std::size_t> section_headers(const Bytes& bytes) {
  std::vector<std::size_t> headers;
  for (std::size_t at = 12; at < bytes.size();) {
    headers.push_back(at);
    at += 12 + static_cast<std::size_t>(load(bytes, {at + 4, 8}));
  }
  return headers;
}
std::vector<Field> container_fields(const Bytes& bytes) {
  std::vector<Field> fields = {{4, 4}, {8, 4}};
  for (const std::size_t at : section_headers(bytes)) {
    fields.push_back({.offset = at, .width = 4, .is_id = true});
    fields.push_back({.offset = at + 4, .width = 8});
  }
  return fields;
}
/// [first, last) of the section's payload.
std::pair<std::size_t, std::size_t> section_range(const Bytes& bytes, std::uint64_t id) {
  for (const std::size_t at : section_headers(bytes)) {
    if (load(bytes, {at, 4}) == id) return {at + 12, at + 12 + load(bytes, {at + 4, 8})};
  }
  return {0, 0};
}
bool within(std::size_t offset, std::pair<std::size_t, std::size_t> range) {
  return offset >= range.first && offset < range.second;
}

bool never(const Subject&, std::size_t) { return false; }
bool anywhere(const Subject&, std::size_t) { return true; }

Subject zkey_subject() {
  Subject subject{"zkey", toy::zkey(), {}, nullptr, nullptr};
  subject.fields = container_fields(subject.bytes);
  const std::size_t header = section_range(subject.bytes, 2).first;
  for (const std::size_t at : {0u, 52u, 88u, 92u, 96u}) subject.fields.push_back({header + at, 4});
  const std::size_t coefficients = section_range(subject.bytes, 4).first;
  for (const std::size_t at : {0u, 4u, 8u, 12u, 48u})
    subject.fields.push_back({coefficients + at, 4});
  const std::size_t ceremony = section_range(subject.bytes, 10).first;
  subject.fields.push_back({ceremony + 64, 4});
  subject.fields.push_back({ceremony + 68 + 544 + 4, 4});
  subject.fields.push_back({section_range(subject.bytes, 1).first, 4});
  subject.round_trip = [](const Bytes& bytes) {
    const auto file = read_zkey_bytes(bytes);
    return toy::written([&](io::ByteSink& sink) { io::write_zkey(sink, file.key, file.ceremony); });
  };
  // Coefficients, the story of the ceremony, and its section's id: section 10 may be missing.
  subject.may_be_sound = [](const Subject& s, std::size_t offset) {
    const auto ceremony_range = section_range(s.bytes, 10);
    return within(offset, section_range(s.bytes, 4)) || within(offset, ceremony_range) ||
           within(offset, {ceremony_range.first - 12, ceremony_range.first - 8});
  };
  return subject;
}

Subject params_subject() {
  Subject subject{"params", toy::params(), {}, nullptr, nullptr};
  std::size_t at = 864;
  for (const std::size_t item : {96u, 96u, 96u, 96u, 96u, 192u}) {
    const Field count{at, 4, true};
    subject.fields.push_back(count);
    at += 4 + item * load(subject.bytes, count);
  }
  subject.fields.push_back({at + 64, 4, true});
  subject.sound_length = at;  // a file without the story of a ceremony
  subject.round_trip = [](const Bytes& bytes) {
    RealEnv env;
    io::EnvRandom<RealEnv> random(env);
    io::SpanSource source(bytes, "params");
    const auto file = io::read_params<Bls>(source, {.random = &random});
    return toy::written(
        [&](io::ByteSink& sink) { io::write_params(sink, file.key, file.ceremony); });
  };
  subject.may_be_sound = [](const Subject& s, std::size_t offset) {
    return offset >= s.bytes.size() - (64 + 4 + 544);  // the story of the ceremony
  };
  return subject;
}

Subject vk_subject() {
  Subject subject{"vk", toy::vk(), {{864, 4, true}}, nullptr, never};
  subject.round_trip = [](const Bytes& bytes) {
    const auto vk = io::parse_bellman_vk<Bls>(bytes, "vk");
    return toy::written([&](io::ByteSink& sink) { io::write_bellman_vk(sink, vk); });
  };
  return subject;
}

Subject proof_subject() {
  Subject subject{"proof", toy::proof(), {}, nullptr, nullptr};
  subject.round_trip = [](const Bytes& bytes) {
    const auto proof = io::parse_proof<Bls>(bytes, "proof");
    return toy::written([&](io::ByteSink& sink) { io::write_proof(sink, proof); });
  };
  // The sign of each point: its negative is a point too.
  subject.may_be_sound = [](const Subject&, std::size_t offset) {
    return offset == 0 || offset == 48 || offset == 144;
  };
  return subject;
}

Subject wtns_subject() {
  Subject subject{"wtns", toy::wtns(), {}, nullptr, nullptr};
  subject.fields = container_fields(subject.bytes);
  const std::size_t header = section_range(subject.bytes, 1).first;
  subject.fields.push_back({header, 4});
  subject.fields.push_back({header + 36, 4});
  subject.round_trip = [](const Bytes& bytes) {
    io::SpanSource source(bytes, "wtns");
    const auto witness = io::read_wtns<Bls::Fr>(source);
    return toy::written([&](io::ByteSink& sink) { io::write_wtns(sink, witness); });
  };
  subject.may_be_sound = [](const Subject& s, std::size_t offset) {
    return within(offset, section_range(s.bytes, 2));
  };
  return subject;
}

Subject r1cs_subject() {
  Subject subject{"r1cs", toy::r1cs(), {}, nullptr, anywhere};
  subject.fields = container_fields(subject.bytes);
  const std::size_t header = section_range(subject.bytes, 1).first;
  for (const std::size_t at : {0u, 36u, 40u, 44u, 48u, 60u})
    subject.fields.push_back({header + at, 4});
  subject.fields.push_back({header + 52, 8});
  const std::size_t constraints = section_range(subject.bytes, 2).first;
  for (const std::size_t at : {0u, 4u, 40u, 44u}) subject.fields.push_back({constraints + at, 4});
  subject.round_trip = [](const Bytes& bytes) {
    io::SpanSource source(bytes, "r1cs");
    const auto file = io::read_r1cs<Bls::Fr>(source);
    return toy::written([&](io::ByteSink& sink) { io::write_r1cs(sink, file); });
  };
  return subject;
}

/// JSON: what is accepted must be the same value, spaced otherwise; for public values any value.
Subject proof_json_subject() {
  Subject subject{"proof.json", toy::proof_json(), {}, nullptr, anywhere};
  subject.round_trip = [](const Bytes& bytes) {
    const auto proof = io::parse_proof_json<Bls>(bytes, "proof.json");
    CHECK(proof == toy::proof_value());
    return Bytes{};
  };
  return subject;
}
Subject vk_json_subject() {
  Subject subject{"vk.json", toy::vk_json_with_alpha_beta(), {}, nullptr, anywhere};
  subject.round_trip = [](const Bytes& bytes) {
    const auto vk = io::parse_verification_key_json<Bls>(bytes, "vk.json");
    CHECK(vk == toy::verifying_key().key);
    return Bytes{};
  };
  return subject;
}

std::vector<Subject> subjects() {
  return {zkey_subject(), params_subject(), vk_subject(),         proof_subject(),
          wtns_subject(), r1cs_subject(),   proof_json_subject(), vk_json_subject()};
}

/// Numbers all mutants of a subject and makes the i-th.
class Mutants {
 public:
  explicit Mutants(const Subject& subject) : subject_(subject) {}

  static constexpr std::size_t values_per_field = 6;
  [[nodiscard]] std::size_t truncations() const { return subject_.bytes.size(); }
  [[nodiscard]] std::size_t flips() const { return 8 * subject_.bytes.size(); }
  [[nodiscard]] std::size_t edges() const { return values_per_field * subject_.fields.size(); }
  [[nodiscard]] std::size_t swaps() const {
    return subject_.fields.size() * subject_.fields.size();
  }
  [[nodiscard]] std::size_t size() const { return truncations() + flips() + edges() + swaps() + 1; }

  [[nodiscard]] Bytes at(std::size_t i) const {
    Bytes bytes = subject_.bytes;
    if (i < truncations()) {
      bytes.resize(i);
    } else if ((i -= truncations()) < flips()) {
      bytes[i / 8] ^= static_cast<std::byte>(1u << (i % 8));
    } else if ((i -= flips()) < edges()) {
      set_edge(bytes, subject_.fields[i / values_per_field], i % values_per_field);
    } else if ((i -= edges()) < swaps()) {
      const Field& a = subject_.fields[i / subject_.fields.size()];
      const Field& b = subject_.fields[i % subject_.fields.size()];
      if (a.is_id && b.is_id) return bytes;
      const std::uint64_t value = load(bytes, a);
      store(bytes, a, load(bytes, b));
      store(bytes, b, value);
    } else {
      bytes.push_back(std::byte{0});
    }
    return bytes;
  }

 private:
  static void set_edge(Bytes& bytes, const Field& field, std::size_t which) {
    const std::uint64_t max = ~std::uint64_t{0} >> (64 - 8 * field.width);
    const std::uint64_t value = load(bytes, field);
    const std::uint64_t values[values_per_field] = {0, 1, max, max - 1, value + 1, value - 1};
    store(bytes, field, values[which] & max);
  }
  const Subject& subject_;
};

/// @return was it refused?
bool judge(const Subject& subject, const Bytes& mutant) {
  Bytes back;
  const Outcome outcome = outcome_of([&] { back = subject.round_trip(mutant); });
  if (outcome.kind != ErrorKind{0}) {
    CHECK((outcome.kind == ErrorKind::malformed || outcome.kind == ErrorKind::insecure_key));
    return true;
  }
  const auto first =
      std::mismatch(mutant.begin(), mutant.end(), subject.bytes.begin(), subject.bytes.end()).first;
  const auto offset = static_cast<std::size_t>(first - mutant.begin());
  CHECK(mutant.size() == subject.bytes.size());
  CHECK(subject.may_be_sound(subject, offset));
  if (subject.name == "zkey") {
    CHECK_FALSE(back.empty());  // order of coefficients is free, so bytes may differ
  } else if (!back.empty()) {
    CHECK(back == mutant);
  }
  return false;
}

struct Tally {
  std::size_t mutants = 0;
  std::size_t refused = 0;
};

void judge_one(const Subject& subject, const Mutants& mutants, std::size_t i, Tally& tally) {
  const Bytes mutant = mutants.at(i);
  if (mutant == subject.bytes || mutant.size() == subject.sound_length) return;
  INFO(subject.name << ", mutant " << i << " of " << mutants.size());
  ++tally.mutants;
  if (judge(subject, mutant)) ++tally.refused;
}

}  // namespace

TEST_CASE("the small files behind the mutants are sound and come back byte for byte", "[io]") {
  for (const Subject& subject : subjects()) {
    INFO(subject.name);
    const Bytes back = subject.round_trip(subject.bytes);
    if (!back.empty()) CHECK(back == subject.bytes);
  }
  CHECK_NOTHROW(io::parse_waves_vk<Bls>(toy::waves_vk(), "vk"));
  CHECK_NOTHROW(io::parse_gnark_vk<Bls>(toy::gnark_vk(), "vk"));
}

TEST_CASE("a sample of mutants of every format is refused with the right kind", "[io][edge]") {
  std::mt19937_64 random(20261129);
  Tally tally;
  for (const Subject& subject : subjects()) {
    const Mutants mutants(subject);
    // Every field at every edge, every exchange of counts of a small format, and a random sample.
    const std::size_t fields_begin = mutants.truncations() + mutants.flips();
    for (std::size_t i = 0; i < mutants.edges(); ++i) {
      judge_one(subject, mutants, fields_begin + i, tally);
    }
    for (int i = 0; i < 250; ++i) judge_one(subject, mutants, random() % mutants.size(), tally);
    judge_one(subject, mutants, mutants.size() - 1, tally);
  }
  CHECK(tally.mutants > 2000);
  CHECK(tally.refused > 1000);
}

TEST_CASE("all mutants of every format are refused with the right kind", "[io][edge][slow]") {
  Tally tally;
  for (const Subject& subject : subjects()) {
    const Mutants mutants(subject);
    for (std::size_t i = 0; i < mutants.size(); ++i) judge_one(subject, mutants, i, tally);
  }
  WARN(tally.mutants << " mutants, " << tally.refused << " refused, the others sound");
  CHECK(tally.mutants > 100'000);
}
