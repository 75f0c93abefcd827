// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "seal_a.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;
using Json = nlohmann::json;

TEST_CASE("an exported seal is judged by those who know no sectors", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  const SealA seal;
  fs::create_directory(seal / "out");
  const Outcome outcome = seal.run_verb("export", {seal / "out", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const Json result = Json::parse(outcome.out);
  CHECK(result["partitions"] == 1);
  CHECK(result["files"] == Json{seal / "out/verification_key.json", seal / "out/proof-0.json",
                                seal / "out/public-0.json"});
  const auto verify = [&](const std::string& inputs, const std::string& proof) {
    return seal.run({"verify", seal / "out/verification_key.json", inputs, proof});
  };
  CHECK(verify(seal / "out/public-0.json", seal / "out/proof-0.json").out == "valid\n");
  CHECK(verify(seal / "out/public-0.json", seal / "proof.bin").out == "valid\n");

  const Json inputs = Json::parse(read_text(seal / "out/public-0.json"));
  REQUIRE(inputs.size() == 39);
  for (const std::size_t changed : {0u, 1u, 2u, 3u, 20u, 38u}) {
    CAPTURE(changed);
    Json other = inputs;
    other[changed] = other[changed] == "5" ? "6" : "5";
    write_text(seal / "other.json", other.dump());
    CHECK(verify(seal / "other.json", seal / "proof.bin").out == "invalid\n");
  }
}

TEST_CASE("a seal that cannot be exported leaves no file", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  const auto refused = [](SealA& seal, const std::vector<std::string>& arguments, int status,
                          const std::string& words) {
    fs::create_directory(seal / "out");
    const Outcome outcome = seal.run_verb("export", arguments);
    CAPTURE(words, outcome.err);
    CHECK(outcome.status == status);
    CHECK(is_one_error_line(outcome.err, status));
    CHECK(outcome.err.find(words) != std::string::npos);
    CHECK(fs::is_empty(seal / "out"));
  };
  SealA seal;
  refused(seal, {seal / "none"}, 9, "none/verification_key.json");
  refused(seal, {seal / "out", "--official"}, 2, "own parameters, not the network's");
  refused(seal, {}, 2, "FOLDER");
  seal.proof.pop_back();
  refused(seal, {seal / "out"}, 3, "191 bytes");
  seal.proof += "xy";
  refused(seal, {seal / "out"}, 3, "193 bytes");
  seal.claim["comm_r"] = SealA::repeated("00");
  refused(seal, {seal / "out"}, 3, "comm_r");
}
