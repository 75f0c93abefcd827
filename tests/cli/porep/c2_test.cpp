// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;

namespace {

/// The 2 KiB sector of zeros, sealed by the program.
class Sealed : public TemporaryFolder {
 public:
  Sealed() {
    const TemporaryFolder& at = *this;
    const Outcome outcome = run({"porep", "seal", at / "c1.json", "--sector-size", "2KiB",
                                 "--statement", at / "claim.json"});
    if (outcome.status != 0) throw std::runtime_error(outcome.err);
  }
  Outcome c2(const std::string& c1, const std::vector<std::string>& more,
             const RunOptions& options = {}) const {
    const TemporaryFolder& at = *this;
    std::vector<std::string> arguments{"porep", "c2", "--c1", c1, "-o", at / "proof.bin"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, options);
  }
};

void expect_refused(const Outcome& outcome, int status, const std::string& words) {
  CAPTURE(words, outcome.err);
  CHECK(outcome.status == status);
  CHECK(is_one_error_line(outcome.err, status));
  CHECK(outcome.err.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("c2 refuses bad C1 files before it looks for parameters", "[cli][porep]") {
  const Sealed at;
  const std::string good = read_text(at / "c1.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    write_text(at / "bad.json", text);
    return at.c2(at / "bad.json", {"--params", at / "none"});
  };
  const std::string place = "vanilla_proofs.StackedDrg2KiBV1[0][0]";
  expect_refused(with("\"layer_index\":1", "\"layer_index\":3"), 3,
                 place + ".labeling_proofs[0].layer_index at byte");
  expect_refused(with("\"index\":", "\"indes\":"), 3, place + ".comm_d_proofs.data.Single.path");
  expect_refused(with("StackedDrg2KiBV1_1", "StackedDrg8MiBV1_1"), 3, "registered_proof is");
  // Well formed, but of another graph: the challenges or parents are not those of the seal.
  expect_refused(with("StackedDrg2KiBV1_1", "StackedDrg2KiBV1"), 3, "bad.json");
  write_text(at / "bad.json", good.substr(0, good.size() / 2));
  expect_refused(at.c2(at / "bad.json", {"--params", at / "none"}), 3, "bad.json: vanilla_proofs");
  expect_refused(at.c2(at / "c1.json", {"--proof", "StackedDrg2KiBV1"}), 2, "--proof is");
  expect_refused(at.c2(at / "c1.json", {"--proof", "StackedDrg8MiBV1_1"}), 2, "--proof is");
  CHECK_FALSE(fs::exists(at / "proof.bin"));
}

TEST_CASE("c2 looks for parameters by path, in a folder, and where the network keeps them",
          "[cli][porep]") {
  const Sealed at;
  const std::string name =
      "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
      "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.params";
  expect_refused(at.c2(at / "c1.json", {"--params", at / "my.params"}), 9, at / "my.params");
  expect_refused(at.c2(at / "c1.json", {"--params", at.path()}), 9, at / name);
  RunOptions environment;
  environment.environment = {"FIL_PROOFS_PARAMETER_CACHE=" + at.path().string()};
  expect_refused(at.c2(at / "c1.json", {}, environment), 9, at / name);
  environment.environment = {"FIL_PROOFS_PARAMETER_CACHE="};
  const Outcome outcome = at.c2(at / "c1.json", {}, environment);
  if (!fs::exists("/var/tmp/filecoin-proof-parameters")) {
    expect_refused(outcome, 9, "/var/tmp/filecoin-proof-parameters/" + name);
  }
}

TEST_CASE("c2 refuses parameters of another circuit, and those that are not the network's",
          "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/squarings-4.params")) return;
  const Sealed at;
  const std::string other = (shared_dir() / "golden/reference/groth16/squarings-4.params").string();
  expect_refused(at.c2(at / "c1.json", {"--params", other}), 2, "a partition of 2KiB has 39");
  expect_refused(at.c2(at / "c1.json", {"--params", other, "--official"}), 2,
                 "own parameters, not the network's");
  CHECK_FALSE(fs::exists(at / "proof.bin"));
}

TEST_CASE("c2 refuses a C1 file of another seal than a statement claims, and names the field",
          "[cli][porep]") {
  const Sealed at;
  const auto good = nlohmann::json::parse(read_text(at / "claim.json"));
  const auto with = [&](const std::string& c1, const nlohmann::json& claim) {
    write_text(at / "other.json", claim.dump());
    return at.c2(at / c1, {"--params", at / "none", "--statement", at / "other.json"});
  };
  const auto changed = [&](const char* field, const nlohmann::json& value) {
    nlohmann::json claim = good;
    claim[field] = value;
    return with("c1.json", claim);
  };
  const std::string other = "05" + std::string(62, '0');
  expect_refused(with("c1.json", good), 9, at / "none");  // all is well as far as parameters
  for (const char* field : {"ticket", "seed", "comm_d", "comm_r"}) {
    expect_refused(changed(field, other), 2,
                   std::string(field) + " is " + other + " in the statement, and " +
                       good[field].get<std::string>() + " in the C1 file");
  }
  expect_refused(changed("prover_id", other), 2, "replica_id (of prover_id, sector_number,");
  expect_refused(changed("sector_number", 2), 2, "replica_id (of prover_id, sector_number,");
  expect_refused(changed("registered_proof", "StackedDrg2KiBV1"), 2,
                 "of type StackedDrg2KiBV1_1, registered_proof of " + (at / "other.json"));
  expect_refused(changed("registered_proof", "StackedDrg8MiBV1_1"), 2, "of a sector of 2KiB");

  REQUIRE(at.run({"porep", "seal", at / "wrapped", "--form", "wrapper", "--sector-size", "2KiB"})
              .status == 0);
  nlohmann::json claim = good;
  expect_refused(with("wrapped", claim), 9, at / "none");
  claim["sector_number"] = 2;
  expect_refused(with("wrapped", claim), 2, "sector_number is 2 in the statement, and 1 in the C1");

  // Bincode names no type: the statement does.
  REQUIRE(at.run({"porep", "seal", at / "c1.bin", "--proof", "StackedDrg2KiBV1", "--statement",
                  at / "old.json"})
              .status == 0);
  expect_refused(at.c2(at / "c1.bin", {"--params", at / "none"}), 3, "--proof names another");
  const auto old = nlohmann::json::parse(read_text(at / "old.json"));
  expect_refused(with("c1.bin", old), 9, at / "none");
  expect_refused(
      at.c2(at / "c1.bin", {"--statement", at / "old.json", "--proof", "StackedDrg2KiBV1_1"}), 2,
      "registered_proof is StackedDrg2KiBV1 in the statement");
  CHECK_FALSE(fs::exists(at / "proof.bin"));
}

TEST_CASE("c2 takes seals that only tests have", "[cli][porep]") {
  const Sealed at;
  for (const char* size : {"4KiB", "16KiB", "32KiB"}) {
    REQUIRE(at.run({"porep", "seal", at / "c1.bin", "--sector-size", size}).status == 0);
    expect_refused(at.c2(at / "c1.bin", {"--params", at / "none"}), 9, at / "none");
  }
  const std::string id(64, '7');
  REQUIRE(
      at.run({"porep", "seal", at / "c1.bin", "--sector-size", "2KiB", "--porep-id", id}).status ==
      0);
  expect_refused(at.c2(at / "c1.bin", {"--params", at / "none"}), 3, "partition 0");
  expect_refused(at.c2(at / "c1.bin", {"--params", at / "none", "--porep-id", id}), 9, at / "none");
  expect_refused(at.c2(at / "c1.bin", {"--params", at / "none", "--porep-id", "7"}), 2,
                 "--porep-id: not 64");
  expect_refused(at.c2(at / "c1.json", {"--params", at / "none", "--porep-id", id}), 2,
                 "c1.json names StackedDrg2KiBV1_1");
}
