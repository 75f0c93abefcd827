// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;

namespace {

/// A circuit with a key of bellman's form.
class BellmanCircuit : public TemporaryFolder {
 public:
  BellmanCircuit() {
    const TemporaryFolder& at = *this;
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"example", "chain", "--log-constraints", "7", path()},
             {"setup", at / "circuit.r1cs", at / "circuit.params"}}) {
      const Outcome outcome = run(arguments);
      if (outcome.status != 0) throw std::runtime_error(outcome.err);
    }
  }
  Outcome prove(std::vector<std::string> more, const RunOptions& options = {}) const {
    const TemporaryFolder& at = *this;
    std::vector<std::string> arguments{"prove",
                                       at / "circuit.params",
                                       at / "witness.wtns",
                                       at / "proof.json",
                                       at / "public.json",
                                       "--r1cs",
                                       at / "circuit.r1cs",
                                       "--insecure-r",
                                       "5",
                                       "--insecure-s",
                                       "7"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, options);
  }
  /// A proof with the folder of decoded keys: what the result says, and the proof.
  nlohmann::json proven(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"--key-cache", *this / "cache", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = prove(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    auto result = nlohmann::json::parse(outcome.out);
    result["bytes"] = read_text(*this / "proof.json");
    return result;
  }
  std::string cached() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(*this / "cache")) found.push_back(entry.path());
    REQUIRE(found.size() == 1);
    return found[0];
  }
};

}  // namespace

TEST_CASE("the first proof writes the decoded key, the next reads it, and proofs are the same",
          "[cli]") {
  const BellmanCircuit own;
  const Outcome without = own.prove({"--json"});
  REQUIRE(without.status == 0);
  CHECK_FALSE(nlohmann::json::parse(without.out).contains("key_cache"));
  const std::string proof = read_text(own / "proof.json");
  const auto first = own.proven();
  CHECK(first["key_cache"] == "written");
  CHECK(first["bytes"] == proof);
  const std::string bytes = read_text(own.cached());
  CHECK(bytes.starts_with("zkgpukey"));
  const auto second = own.proven();
  CHECK(second["key_cache"] == "read");
  CHECK(second["key_was_listed"] == true);
  CHECK(second["bytes"] == proof);
  for (const auto& result : {first, second}) {
    // The blinding is given, which is told loudly; of the decoded key there is nothing to tell.
    for (const auto& warning : result["warnings"]) {
      CHECK(warning.get<std::string>().find("decoded key") == std::string::npos);
    }
  }
  CHECK(read_text(own.cached()) == bytes);
}

TEST_CASE("a decoded key in place of a key is told as what it is", "[cli]") {
  const BellmanCircuit own;
  own.proven();
  for (const auto& [status, arguments] : std::vector<std::pair<int, std::vector<std::string>>>{
           {2, {"prove", own.cached(), own / "witness.wtns", own / "p.json", own / "u.json"}},
           {3, {"info", own.cached()}},
           {2, {"export", "vk", own.cached(), own / "vk.json"}}}) {
    const Outcome outcome = own.run(arguments);
    CAPTURE(arguments[0], outcome.err);
    CHECK(outcome.status == status);
    CHECK(outcome.err.find("a decoded key") != std::string::npos);
  }
}

TEST_CASE("a damaged decoded key is a warning, and is made again", "[cli]") {
  const BellmanCircuit own;
  const auto first = own.proven();
  const std::string good = read_text(own.cached());
  std::string bad = good;
  bad[bad.size() - 100] = static_cast<char>(bad[bad.size() - 100] ^ 1);
  write_text(own.cached(), bad);
  const Outcome told = own.prove({"--key-cache", own / "cache"});
  CHECK(told.status == 0);
  CHECK(told.err.find("zkgpu: warning: decoded key not used, made again: " + own.cached() +
                      ": b_g2 at byte") != std::string::npos);
  CHECK(read_text(own / "proof.json") == first["bytes"]);
  CHECK(read_text(own.cached()) == good);
  CHECK(own.proven()["key_cache"] == "read");
  CHECK(own.proven({"--checked-keys", own / "other-list"})["key_cache"] == "written");
}

TEST_CASE("a full disk costs the decoded key, and not the proof", "[cli]") {
  const BellmanCircuit own;
  RunOptions small_disk;
  small_disk.file_size_bytes = 8192;
  const Outcome outcome = own.prove({"--key-cache", own / "cache"}, small_disk);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("zkgpu: warning: decoded key not kept: ") != std::string::npos);
  CHECK(fs::is_empty(own / "cache"));
  CHECK(fs::exists(own / "proof.json"));
}

TEST_CASE("a folder of decoded keys that cannot be one is refused before the work", "[cli]") {
  const BellmanCircuit own;
  const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
    const Outcome outcome = own.prove(more);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(words) != std::string::npos);
    CHECK_FALSE(fs::exists(own / "proof.json"));
  };
  refused({"--key-cache", own / "circuit.r1cs"}, "is not a folder");
  refused({"--key-cache", own / "cache", "--checked-keys", "none"}, "--checked-keys none");
  refused({"--key-cache", ""}, "must not be empty");
  CHECK_FALSE(fs::exists(own / "cache"));
}

TEST_CASE("without a home there is no list, and a decoded key is not kept", "[cli]") {
  const BellmanCircuit own;
  RunOptions homeless;
  homeless.environment = {"HOME=", "XDG_STATE_HOME="};
  const Outcome outcome = own.prove({"--key-cache", own / "cache"}, homeless);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("no decoded key without a list of checked keys") != std::string::npos);
  CHECK_FALSE(fs::exists(own / "cache"));
}
