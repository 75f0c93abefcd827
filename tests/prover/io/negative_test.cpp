// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/file_format.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

/// Files that are sound by themselves: only a comparison with the key can refuse them.
const std::set<std::string> sound_alone = {"wtns-count-minus-1.wtns", "wtns-other-circuit.wtns"};

/// Where the manifest leaves the choice, this is ours. The readers of proof, key and public values
/// decide alone about points and numbers; all others of these cases are left to the verifier.
const std::map<std::string, bool> refused = {{"zkey-trunc-last-byte.zkey", true},
                                             {"zkey-trailing-bytes.zkey", true},
                                             {"zkey-version-2.zkey", true},
                                             {"r1cs-coef-ge-r.r1cs", true},
                                             {"verify-public-hex.public.json", true},
                                             {"verify-public-plus-r.public.json", true},
                                             {"verify-json-dup-key.proof.json", true},
                                             {"verify-json-bom.proof.json", true},
                                             {"verify-curve-bn128.proof.json", true},
                                             {"verify-protocol-plonk.vk.json", true},
                                             {"proof-bin-384.proof.bin", true},
                                             {"verify-a-off-curve.proof.json", true},
                                             {"verify-a-ge-p.proof.json", true},
                                             {"verify-a-infinity.proof.json", true},
                                             {"verify-all-infinity.proof.json", true},
                                             {"verify-a-z-2.proof.json", true},
                                             {"verify-a-not-subgroup.proof.json", true},
                                             {"verify-b-not-subgroup.proof.json", true},
                                             {"verify-a-plus-small-order.proof.json", true},
                                             {"verify-c-plus-small-order.proof.json", true},
                                             {"verify-b-fp2-swapped.proof.json", true},
                                             {"verify-vk-delta-infinity.vk.json", true},
                                             {"verify-vk-gamma-not-subgroup.vk.json", true},
                                             {"verify-number-1e5-digits.public.json", true},
                                             {"verify-public-empty.public.json", false},
                                             {"verify-public-extra.public.json", false}};

/// Reads one file of a case with the reader for its place.
void read(const std::string& place, const std::string& name, const Bytes& bytes) {
  if (place == "zkey") {
    read_zkey_bytes(bytes, name);
  } else if (place == "wtns") {
    io::SpanSource source(bytes, name);
    io::read_wtns<Bls::Fr>(source);
  } else if (place == "r1cs") {
    io::SpanSource source(bytes, name);
    io::read_r1cs<Bls::Fr>(source);
  } else if (place == "vk") {
    io::parse_verification_key_json<Bls>(bytes, name);
  } else if (place == "public") {
    io::parse_public_json<Bls>(bytes, name);
  } else if (io::looks_like_json(bytes) || name.ends_with(".json")) {
    io::parse_proof_json<Bls>(bytes, name);
  } else {
    io::parse_proof<Bls>(bytes, name);
  }
}

/// Reads all files of a case; the first refusal, and the name of its file.
std::pair<Outcome, std::string> read_case(const nlohmann::json& entry) {
  for (const char* place : {"zkey", "r1cs", "wtns", "vk", "public", "proof"}) {
    if (!entry.contains(place)) continue;
    const std::string name = entry.at(place).get<std::string>();
    const Bytes bytes = read_bytes(snarkjs_dir() / "negative" / name);
    const Outcome outcome = outcome_of([&] { read(place, name, bytes); });
    if (outcome.kind != ErrorKind{0}) return {outcome, name};
  }
  return {};
}

/// The one file of a case that is not a good one of another folder.
std::string special_file(const nlohmann::json& entry) {
  std::string special;
  for (const char* place : {"wtns", "r1cs", "zkey", "proof", "public", "vk"}) {
    if (!entry.contains(place)) continue;
    const std::string name = entry.at(place).get<std::string>();
    if (!name.starts_with("../")) special = name;
  }
  return special;
}

}  // namespace

TEST_CASE("every broken file of the manifest is refused by its reader, every sound one is read",
          "[io][vec][edge]") {
  if (!snarkjs_present()) return;
  const auto manifest =
      nlohmann::json::parse(read_text(snarkjs_dir() / "negative" / "manifest.json"));
  REQUIRE(manifest.size() == 143);
  std::size_t refusals = 0;
  for (const auto& entry : manifest) {
    const std::string expect = entry.at("expect").get<std::string>();
    const std::string special = special_file(entry);
    INFO(special << ": " << entry.at("why").get<std::string>());
    const auto begin = std::chrono::steady_clock::now();
    const auto [outcome, name] = read_case(entry);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    INFO("said: " << outcome.message);
    CHECK(elapsed < std::chrono::seconds(1));
    const bool was_refused = outcome.kind != ErrorKind{0};
    if (was_refused) {
      ++refusals;
      CHECK((outcome.kind == ErrorKind::malformed || outcome.kind == ErrorKind::insecure_key));
      CHECK(name == special);
      CHECK(outcome.message.find(special) != std::string::npos);
    }
    if (sound_alone.contains(special)) {
      CHECK_FALSE(was_refused);
    } else if (expect == "error") {
      CHECK(was_refused);
    } else if (expect == "ok" || expect == "invalid") {
      CHECK_FALSE(was_refused);
    } else if (const auto ours = refused.find(special); ours != refused.end()) {
      CHECK(was_refused == ours->second);
    } else {
      CHECK(expect == "error-or-invalid-proof");  // a wrong witness of right form
      CHECK_FALSE(was_refused);
    }
  }
  CHECK(refusals > 100);
}
