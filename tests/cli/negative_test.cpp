// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

namespace {

constexpr const char* manifest_path = "fixtures/snarkjs/negative/manifest.json";

/// Refusing costs at most this much memory above what the program takes to start (RELIABILITY P3).
constexpr std::uint64_t memory_margin_bytes = std::uint64_t{64} << 20;
constexpr double cpu_seconds = 1.0;

/// Enough for the program, far below what the counts in these files ask for.
RunOptions bounded() {
  RunOptions options;
  options.address_space_bytes = rlim_t{2} << 30;
  return options;
}

/// What an ending counts as, in the words of the manifest.
std::string answer_of(const Outcome& outcome) {
  if (outcome.status == 0) return "ok";
  if (outcome.status == 1 && outcome.out == "invalid\n" && outcome.err.empty()) return "invalid";
  if (is_one_error_line(outcome.err, outcome.status) && outcome.out.empty()) return "error";
  return "status " + std::to_string(outcome.status) + ", signal " + std::to_string(outcome.signal);
}

/// "error-or-invalid-proof": for a prover an invalid proof that is not given away is an error.
bool allows(const std::string& expect, const std::string& answer) {
  for (std::size_t at = 0; at <= expect.size();) {
    const std::size_t end = std::min(expect.find("-or-", at), expect.size());
    if (expect.compare(at, end - at, answer) == 0) return true;
    at = end + 4;
  }
  return false;
}

std::vector<std::string> arguments_of(const nlohmann::json& entry, const TemporaryFolder& out) {
  const auto folder = shared_dir() / "fixtures/snarkjs/negative";
  const auto file = [&](const char* key) { return folder / entry[key].get<std::string>(); };
  const std::string kind = entry["kind"];
  if (kind == "verify") return {"verify", file("vk"), file("public"), file("proof")};
  if (kind == "r1cs") return {"check", file("r1cs"), file("wtns")};
  REQUIRE(kind == "prove");
  return {"prove",          file("zkey"), file("wtns"), out / "proof.json", out / "public.json",
          "--checked-keys", "none"};
}

void check_bounds(const Outcome& outcome, std::uint64_t base_bytes) {
  CHECK(outcome.signal == 0);
  if (sanitized) return;
  CHECK(outcome.cpu_seconds < cpu_seconds);
  CHECK(outcome.peak_bytes < base_bytes + memory_margin_bytes);
}

}  // namespace

TEST_CASE("every broken input of the manifest ends as the manifest says", "[cli][mutant]") {
  if (!shared_present(manifest_path)) return;
  const auto manifest = nlohmann::json::parse(read_text(shared_dir() / manifest_path));
  REQUIRE(manifest.size() >= 143);
  const TemporaryFolder out;
  const std::uint64_t base = out.run({"--version"}).peak_bytes;
  for (const auto& entry : manifest) {
    INFO(entry.dump());
    const Outcome outcome = out.run(arguments_of(entry, out), bounded());
    INFO(outcome.err);
    const std::string answer = answer_of(outcome);
    CAPTURE(answer);
    CHECK(allows(entry["expect"], answer));
    check_bounds(outcome, base);
    if (answer == "ok" && entry["kind"] == "prove") {
      CHECK(out.files() == std::vector<std::string>{"proof.json", "public.json"});
      std::filesystem::remove(out / "proof.json");
      std::filesystem::remove(out / "public.json");
    } else {
      CHECK(out.files().empty());  // nothing half-written, nothing left behind
    }
  }
}

TEST_CASE("with the circuit at hand a bad witness is told from a bad key", "[cli][mutant]") {
  if (!shared_present(manifest_path)) return;
  const auto manifest = nlohmann::json::parse(read_text(shared_dir() / manifest_path));
  const auto folder = shared_dir() / "fixtures/snarkjs/negative";
  const TemporaryFolder out;
  int cases = 0;
  for (const auto& entry : manifest) {
    if (entry["kind"] != "prove" || !entry.contains("r1cs")) continue;
    ++cases;
    INFO(entry.dump());
    const std::string r1cs = folder / entry["r1cs"].get<std::string>();
    const std::string witness = folder / entry["wtns"].get<std::string>();
    const bool fits = entry["expect"] == "error-or-invalid-proof";  // a sound file, a false value
    auto arguments = arguments_of(entry, out);
    arguments.insert(arguments.end(), {"--r1cs", r1cs});
    const Outcome proved = out.run(arguments);
    const Outcome checked = out.run({"check", r1cs, witness});
    for (const Outcome* outcome : {&proved, &checked}) {
      CHECK(is_one_error_line(outcome->err, outcome->status));
      CHECK((outcome->status == 5) == fits);
    }
    CHECK(out.files().empty());
  }
  CHECK(cases >= 15);
}

TEST_CASE("keys, witnesses and circuits of another curve are refused by its name", "[cli]") {
  if (!shared_present("fixtures/snarkjs/mult-bn128")) return;
  const auto bn128 = shared_dir() / "fixtures/snarkjs/mult-bn128";
  const auto mult = shared_dir() / "fixtures/snarkjs/mult";
  const TemporaryFolder out;
  const std::vector<std::vector<std::string>> commands{
      {"prove", bn128 / "circuit.zkey", mult / "witness.wtns", out / "p.json", out / "u.json"},
      {"prove", mult / "circuit.zkey", bn128 / "witness.wtns", out / "p.json", out / "u.json"},
      {"check", bn128 / "circuit.r1cs", mult / "witness.wtns"},
      {"verify", bn128 / "verification_key.json", bn128 / "public.json", bn128 / "proof.json"},
      {"setup", bn128 / "circuit.r1cs", out / "key.zkey"},
      {"info", bn128 / "circuit.zkey"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = out.run(command);
    INFO(outcome.err);
    CHECK(outcome.status == 3);
    const bool named = outcome.err.find("BN254") != std::string::npos ||
                       outcome.err.find("bn128") != std::string::npos;
    CHECK(named);
  }
}
