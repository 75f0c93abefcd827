// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

namespace {

/// Ends with status 2, one line, all of these texts in it, and no new file.
void expect_refused(const TemporaryFolder& at, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& texts, int status = 2) {
  const auto before = at.files();
  const Outcome outcome = at.run(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == status);
  CHECK(is_one_error_line(outcome.err, status));
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(outcome.err.find(text) != std::string::npos);
  }
  CHECK(at.files() == before);
}

}  // namespace

TEST_CASE("verify with its arguments exchanged names every file and the right order", "[cli]") {
  const OwnCircuit own;
  REQUIRE(own.run({"convert", own / "proof.json", own / "proof.bin"}).status == 0);
  const std::string vk = own / "verification_key.json";
  const std::string values = own / "public.json";
  const std::string order = "the order is: zkgpu verify VK PUBLIC PROOF";
  const auto looks = [](const char* name, const std::string& file, const std::string& like) {
    return name + (" '" + file + "' looks like ") + like;
  };
  for (const std::string& proof : {own / "proof.json", own / "proof.bin"}) {
    const std::string a_proof = proof.ends_with("json") ? "a proof (JSON)" : "a binary proof";
    expect_refused(own, {"verify", proof, values, vk},
                   {looks("VK", proof, a_proof), looks("PROOF", vk, "a verifying key"), order});
    expect_refused(own, {"verify", vk, proof, values},
                   {looks("PUBLIC", proof, a_proof), looks("PROOF", values, "public"), order});
    expect_refused(own, {"verify", values, vk, proof},
                   {looks("VK", values, "public"), looks("PUBLIC", vk, "a verifying"), order});
  }
  expect_refused(own, {"verify", vk, values, own / "circuit.zkey"},
                 {looks("PROOF", own / "circuit.zkey", "a proving key (.zkey)"), order});
  // One proof in JSON that begins with its protocol, as other programs write it.
  auto proof = nlohmann::json::parse(read_text(own / "proof.json"));
  write_text(own / "sorted.json", nlohmann::json(proof).dump());
  expect_refused(own, {"verify", own / "sorted.json", values, vk},
                 {looks("VK", own / "sorted.json", "a proof (JSON)")});
}

TEST_CASE("files of a wrong kind are told as such by every verb", "[cli]") {
  const OwnCircuit own;
  const std::string key = own / "circuit.zkey";
  const std::string r1cs = own / "circuit.r1cs";
  const std::string witness = own / "witness.wtns";
  const std::string p = own / "p.json";
  const std::string u = own / "u.json";
  write_text(own / "input.json", "{\"x\": \"3\"}");
  const std::string prove = "the order is: zkgpu prove KEY WITNESS PROOF PUBLIC";
  expect_refused(
      own, {"prove", r1cs, witness, p, u},
      {"KEY '" + r1cs + "' looks like a constraint system (.r1cs), not like a proving", prove});
  expect_refused(own, {"prove", witness, key, p, u},
                 {"KEY '" + witness + "' looks like a witness (.wtns)",
                  "WITNESS '" + key + "' looks like a proving key (.zkey)", prove});
  expect_refused(own, {"prove", own / "verification_key.json", witness, p, u},
                 {"looks like a verifying key (JSON), not like a proving key", prove});
  expect_refused(own, {"prove", key, own / "input.json", p, u},
                 {"WITNESS '" + own / "input.json" + "' looks like JSON, not like a witness"});
  expect_refused(own, {"prove", key, witness, p, u, "--r1cs", key}, {"--r1cs '" + key, prove});
  const std::string check = "the order is: zkgpu check R1CS WITNESS";
  expect_refused(own, {"check", witness, r1cs},
                 {"R1CS '" + witness, "WITNESS '" + r1cs + "' looks like a constraint", check});
  expect_refused(own, {"check", key, witness}, {"R1CS '" + key, check});
  const std::string setup = "the order is: zkgpu setup R1CS KEY";
  expect_refused(own, {"setup", key, r1cs}, {"KEY '" + r1cs, setup});
  expect_refused(own, {"setup", witness, own / "new.zkey"}, {"R1CS '" + witness, setup});
  expect_refused(own, {"export", "vk", r1cs, own / "vk2.json"},
                 {"KEY '" + r1cs, "not like a key", "the order is: zkgpu export vk KEY OUT"});
}

TEST_CASE("counts that do not fit together name both files", "[cli]") {
  const OwnCircuit own;
  const OwnCircuit other("bits", 8);
  expect_refused(own, {"check", own / "circuit.r1cs", other / "witness.wtns"},
                 {other / "witness.wtns" + " has ", own / "circuit.r1cs" + " has 127 wires"});
  expect_refused(
      own, {"prove", own / "circuit.zkey", other / "witness.wtns", own / "p.json", own / "u.json"},
      {other / "witness.wtns" + " has ", own / "circuit.zkey" + " has 127 wires"});
  expect_refused(own,
                 {"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json",
                  own / "u.json", "--r1cs", other / "circuit.r1cs"},
                 {own / "witness.wtns" + " has 127 values", other / "circuit.r1cs" + " has "});
  expect_refused(own,
                 {"prove", other / "circuit.zkey", own / "witness.wtns", own / "p.json",
                  own / "u.json", "--r1cs", own / "circuit.r1cs"},
                 {other / "circuit.zkey" + " has ", "different circuits"});
  expect_refused(own, {"verify", own / "circuit.zkey", other / "public.json", own / "proof.json"},
                 {other / "public.json" + " has 1 public", own / "circuit.zkey" + " has 2 public"});
}

TEST_CASE("a number that is not allowed is told what is", "[cli]") {
  const TemporaryFolder at;
  for (const char* bad :
       {"0", "-1", "+1", "x", "1.5", "5000", " 2", "0x2", "18446744073709551617"}) {
    expect_refused(at, {"info", "a", std::string("--threads=") + bad},
                   {"--threads: ", "is not a whole number from 1 to 4096"});
  }
  for (const char* bad : {"6", "25", "x", "4294967303"}) {
    expect_refused(at, {"example", "chain", "--log-constraints", bad, at / "out"},
                   {"--log-constraints: ", "is not a whole number from 7 to 24"});
  }
  for (const char* bad : {"nosuch", "0", "1", "Chain"}) {
    expect_refused(at, {"example", bad, "--log-constraints", "7", at / "out"},
                   {"no circuit '" + std::string(bad) + "'; there are: chain, bits"});
  }
}

TEST_CASE("example makes the folders above its own", "[cli]") {
  const TemporaryFolder at;
  REQUIRE(at.run({"example", "bits", "--log-constraints", "7", at / "a/b/c/"}).status == 0);
  CHECK(std::filesystem::exists(at / "a/b/c/circuit.r1cs"));
  const Outcome under_file =
      at.run({"example", "bits", "--log-constraints", "7", at / "a/b/c/circuit.r1cs/d"});
  CHECK(under_file.status == 9);
  CHECK(under_file.err.find(at / "a/b/c/circuit.r1cs/d") != std::string::npos);
}

TEST_CASE("several proofs in one file are counted, not verified", "[cli]") {
  const OwnCircuit own;
  REQUIRE(own.run({"convert", own / "proof.json", own / "proof.bin"}).status == 0);
  const std::string one = read_text(own / "proof.bin");
  write_text(own / "three.bin", one + one + one);
  write_text(own / "three", one + one + one);
  for (const std::string& file : {own / "three.bin", own / "three"}) {
    expect_refused(own, {"verify", own / "circuit.zkey", own / "public.json", file},
                   {file, "3 proofs of 192 bytes, one is expected"}, 3);
    expect_refused(own, {"convert", file, own / "out.json"}, {"3 proofs of 192 bytes"}, 3);
  }
  write_text(own / "more.bin", one + "x");
  CHECK(own.run({"verify", own / "circuit.zkey", own / "public.json", own / "more.bin"}).status ==
        3);
}

TEST_CASE("help of a verb is the same by every way to ask", "[cli]") {
  const TemporaryFolder at;
  for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
           {}, {"prove"}, {"verify"}, {"export"}, {"export", "vk"}, {"example"}}) {
    auto usual = verb;
    usual.emplace_back("--help");
    const Outcome expected = at.run(usual);
    REQUIRE(expected.status == 0);
    for (const char* first : {"help", "-h", "--help"}) {
      auto asked = verb;
      asked.insert(asked.begin(), first);
      const Outcome outcome = at.run(asked);
      INFO(first << " " << (verb.empty() ? "" : verb.back()) << ": " << outcome.err);
      CHECK(outcome.status == 0);
      CHECK(outcome.out == expected.out);
    }
  }
  CHECK(at.run({"help", "groth16", "prove"}).out == at.run({"prove", "--help"}).out);
  CHECK(at.run({"help", "prove", "a.zkey"}).out == at.run({"prove", "--help"}).out);
  expect_refused(at, {"help", "frob"}, {"no verb 'frob' (see 'zkgpu --help')"});
  expect_refused(at, {"help", "export", "frob"}, {"no verb 'frob'"});
}
