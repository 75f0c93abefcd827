// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

namespace {

struct Fixture {
  const char* name;
  bool insecure;
};

constexpr std::array<Fixture, 9> fixtures{{{"mult", false},
                                           {"mult-beacon", false},
                                           {"nopub", false},
                                           {"manypub", false},
                                           {"manypub-initial", true},
                                           {"unused", false},
                                           {"bits", false},
                                           {"poseidon", false},
                                           {"chain10", false}}};

struct FixtureFiles {
  std::filesystem::path folder;
  bool insecure;
  std::string operator/(const char* name) const { return folder / name; }
  /// The arguments, with the override where the fixture's key needs it.
  [[nodiscard]] std::vector<std::string> with_override(std::vector<std::string> arguments) const {
    if (insecure) arguments.push_back("--allow-insecure-key");
    return arguments;
  }
};

template <class Check>
void for_each_fixture(const Check& check) {
  for (const Fixture& fixture : fixtures) {
    DYNAMIC_SECTION(fixture.name) {
      check(FixtureFiles{shared_dir() / "fixtures/snarkjs" / fixture.name, fixture.insecure});
    }
  }
}

constexpr const char* bls12_381_order =
    "52435875175126190479447740508185965837690552500527637822603658699938581184513";

}  // namespace

TEST_CASE("zkgpu proves and verifies every circuit of snarkjs", "[cli][agreement]") {
  if (!shared_present("fixtures/snarkjs")) return;
  const TemporaryFolder out;
  for_each_fixture([&](const FixtureFiles& fixture) {
    const Outcome proved = out.run(fixture.with_override(
        {"prove", fixture / "circuit.zkey", fixture / "witness.wtns", out / "proof.json",
         out / "public.json", "--r1cs", fixture / "circuit.r1cs"}));
    CHECK(proved.err.empty() != fixture.insecure);  // the override is loud
    CHECK(proved.out.empty());
    REQUIRE(proved.status == 0);
    CHECK(read_text(out / "public.json") == read_text(fixture / "public.json"));
    const auto verify = [&](const std::string& vk, const std::string& proof) {
      const Outcome verified =
          out.run(fixture.with_override({"verify", vk, fixture / "public.json", proof}));
      INFO(verified.err);
      CHECK(verified.out == "valid\n");
      CHECK(verified.status == 0);
    };
    verify(fixture / "verification_key.json", out / "proof.json");
    verify(fixture / "circuit.zkey", out / "proof.json");
    verify(fixture / "verification_key.json", fixture / "proof.json");
    verify(fixture / "verification_key.json", fixture / "proof.bin");
  });
}

TEST_CASE("with given r and s zkgpu makes the very bytes that snarkjs makes", "[cli][agreement]") {
  if (!shared_present("fixtures/snarkjs")) return;
  std::string r_minus_1 = bls12_381_order;
  r_minus_1.back() = static_cast<char>(r_minus_1.back() - 1);
  const std::string big =
      "24197857203266734881846307747534221840";  // 0x123456789abcdef0fedcba9876543210
  const std::array<std::array<std::string, 3>, 3> blindings{
      {{"0", "0", "proof-r0-s0.json"},
       {"5", "7", "proof-r5-s7.json"},
       {r_minus_1, big, "proof-rmax-sbig.json"}}};
  const TemporaryFolder out;
  for_each_fixture([&](const FixtureFiles& fixture) {
    for (const auto& [r, s, expected] : blindings) {
      const Outcome proved = out.run(fixture.with_override(
          {"prove", fixture / "circuit.zkey", fixture / "witness.wtns", out / "proof.json",
           out / "public.json", "--insecure-r", r, "--insecure-s", s}));
      REQUIRE(proved.status == 0);
      CHECK(proved.err.find("WARNING: r and s are given") != std::string::npos);
      CHECK(read_text(out / "proof.json") == read_text(fixture / expected.c_str()));
    }
  });
}

TEST_CASE("two proofs of one statement differ", "[cli]") {
  const OwnCircuit own;
  const Outcome again = own.run({"prove", own / "circuit.zkey", own / "witness.wtns",
                                 own / "second.json", own / "public.json"});
  REQUIRE(again.status == 0);
  CHECK(read_text(own / "second.json") != read_text(own / "proof.json"));
}

TEST_CASE("the exported key is the one that snarkjs exports", "[cli][agreement]") {
  if (!shared_present("fixtures/snarkjs")) return;
  const TemporaryFolder out;
  for_each_fixture([&](const FixtureFiles& fixture) {
    const Outcome exported =
        out.run(fixture.with_override({"export", "vk", fixture / "circuit.zkey", out / "vk.json"}));
    INFO(exported.err);
    REQUIRE(exported.status == 0);
    CHECK(read_text(out / "vk.json") == read_text(fixture / "verification_key.json"));
  });
}

TEST_CASE("a key without contribution is refused, and accepted with the loud override", "[cli]") {
  if (!shared_present("fixtures/snarkjs")) return;
  const TemporaryFolder out;
  const FixtureFiles fixture{shared_dir() / "fixtures/snarkjs/manypub-initial", true};
  const std::vector<std::string> prove{"prove", fixture / "circuit.zkey", fixture / "witness.wtns",
                                       out / "proof.json", out / "public.json"};
  const Outcome refused = out.run(prove);
  CHECK(refused.status == 4);
  CHECK(is_one_error_line(refused.err, 4));
  CHECK(out.files().empty());
  const Outcome verified = out.run({"verify", fixture / "verification_key.json",
                                    fixture / "public.json", fixture / "proof.json"});
  CHECK(verified.status == 4);
  const Outcome info = out.run({"info", fixture / "circuit.zkey", "--json"});
  REQUIRE(info.status == 0);
  CHECK(nlohmann::json::parse(info.out)["secure"] == false);
  const Outcome accepted = out.run(fixture.with_override(prove));
  CHECK(accepted.status == 0);
  CHECK(accepted.err.find("WARNING: ") != std::string::npos);
}

TEST_CASE("the vectors of Waves give the stated answers, keys as long as proofs included",
          "[cli][vec]") {
  if (!shared_present("fixtures/groth16-vectors")) return;
  const auto file = nlohmann::json::parse(
      read_text(shared_dir() / "fixtures/groth16-vectors/waves-bls12-381.json"));
  const TemporaryFolder work;
  const auto write_hex = [&](const std::string& path, const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
    write_text(path, bytes);
  };
  for (const auto& one : file.at("cases")) {
    write_hex(work / "key.bin", one.at("vk"));
    write_hex(work / "proof.bin", one.at("proof"));
    write_text(work / "public.json", one.at("public").dump());
    INFO(one.at("vk").get<std::string>().size() / 2 << " bytes");
    const Outcome outcome =
        work.run({"verify", work / "key.bin", work / "public.json", work / "proof.bin"});
    if (one.at("valid").get<bool>()) {
      CHECK(outcome.status == 0);
    } else {
      CHECK((outcome.status == 1 || outcome.status == 3));  // false, or not even a proof
    }
  }
}

TEST_CASE("real keys and proofs of Zcash and Iron Fish verify, with either form of the key",
          "[cli][vec]") {
  if (!shared_present("fixtures/sapling")) return;
  const TemporaryFolder out;
  for (const char* name : {"zcash-sapling-spend", "zcash-sapling-output", "zcash-sprout",
                           "ironfish-spend", "ironfish-output", "ironfish-mint"}) {
    const auto folder = shared_dir() / "fixtures/sapling" / name;
    const auto verify = [&](const char* vk, const char* proof, const char* values) {
      INFO(name << " " << vk << " " << proof << " " << values);
      return out.run({"verify", folder / vk, folder / values, folder / proof}).status;
    };
    CHECK(verify("vk.bin", "proof-1.bin", "public-1.json") == 0);
    CHECK(verify("verification_key.json", "proof-1.json", "public-1.json") == 0);
    if (!std::filesystem::exists(folder / "public-2.json")) continue;
    CHECK(verify("vk.bin", "proof-1.bin", "public-2.json") == 1);
  }
}
