// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

#include "seal_a.hpp"

using namespace zkgpu::test;
using Json = nlohmann::json;

TEST_CASE("the reference's proofs of its seals are valid for what they claim", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  SealA seal;
  const Outcome outcome = seal.verify();
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "valid\n");
  const Json result = Json::parse(seal.verify({"--json"}).out);
  CHECK(result["valid"] == true);
  CHECK(result["partitions"] == 1);
  CHECK(result["key"].get<std::string>().find("own parameters") == 0);
  const auto b = lines_of(golden("seal/B.txt"));
  seal.claim["comm_d"] = b.at("comm-d");
  seal.claim["comm_r"] = b.at("comm-r");
  CHECK(seal.verify().status == 1);
  seal.proof = bytes_of_hex(lines_of(golden("groth16/c2.txt")).at("B.proof"));
  CHECK(seal.verify().out == "valid\n");
}

TEST_CASE("a proof is invalid for every other claim", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  SealA seal;
  const Json good = seal.claim;
  const auto invalid = [&](const char* field, const Json& value) {
    seal.claim = good;
    seal.claim[field] = value;
    const Outcome outcome = seal.verify();
    CAPTURE(field, outcome.err);
    CHECK(outcome.status == 1);
    CHECK(outcome.out == "invalid\n");
  };
  invalid("sector_number", 2);
  invalid("prover_id", "e907" + std::string(60, '0'));
  invalid("ticket", SealA::repeated("03"));
  invalid("seed", SealA::repeated("03"));
  invalid("comm_d", SealA::repeated("03"));
  invalid("comm_r", SealA::repeated("03"));
  invalid("registered_proof", "StackedDrg2KiBV1");
  invalid("registered_proof", "StackedDrg2KiBV1_1_Feat_SyntheticPoRep");
}

TEST_CASE("claims, proofs and keys that cannot be are refused in words", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  const auto refused = [](const std::function<void(SealA&)>& change, int status,
                          const std::string& words, const std::vector<std::string>& more = {}) {
    SealA seal;
    change(seal);
    const Outcome outcome = seal.verify(more);
    CAPTURE(words, outcome.err);
    CHECK(outcome.status == status);
    CHECK(is_one_error_line(outcome.err, status));
    CHECK(outcome.err.find(words) != std::string::npos);
  };
  const auto claim = [](const char* field, const Json& value) {
    return [=](SealA& seal) { seal.claim[field] = value; };
  };
  refused([](SealA& seal) { seal.claim.erase("seed"); }, 3, "'seed' is missing");
  refused(claim("more", 1), 3, "'more'");
  refused(claim("seed", "02"), 3, "claim.json: seed at byte");
  refused(claim("seed", SealA::repeated("0G")), 3, "hexadecimal");
  refused(claim("sector_number", "18446744073709551616"), 3, "64 bits");
  refused(claim("registered_proof", "StackedDrg1KiBV1"), 3, "'StackedDrg1KiBV1'");
  refused(claim("comm_d", SealA::repeated("00")), 3, "comm_d");
  refused(claim("comm_r", SealA::repeated("ff")), 3, "comm_r");
  refused(claim("registered_proof", "StackedDrg32GiBV1_1"), 2, "a partition of 32GiB has 327");
  refused(claim("registered_proof", "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"), 3, "13 proofs");
  refused([](SealA& seal) { seal.proof.pop_back(); }, 3, "191 bytes");
  refused([](SealA& seal) { seal.proof += seal.proof; }, 3, "384 bytes");
  refused([](SealA& seal) { seal.proof[0] = '\0'; }, 3, "proof.bin");
  refused([](SealA& seal) { seal.vk = seal / "none.vk"; }, 9, "none.vk");
  refused([](SealA&) {}, 2, "own parameters, not the network's", {"--official"});
  refused([](SealA& seal) { seal.vk = seal.path(); }, 9, "v28-stacked-proof-of-replication");
}

TEST_CASE("digest says of the 2 KiB circuit what the reference says", "[cli][porep]") {
  if (!shared_present("golden/reference/r1cs/porep-2KiB.txt")) return;
  const TemporaryFolder at;
  const Outcome outcome =
      at.run({"porep", "digest", "--sector-size", "2KiB", "--checkpoints", "--json"});
  REQUIRE(outcome.status == 0);
  const Json result = Json::parse(outcome.out);
  const auto lines = lines_of(golden("r1cs/porep-2KiB.txt"));
  for (const char* name :
       {"inputs", "aux", "constraints", "constraints-with-inputs", "nnz-a", "nnz-b", "nnz-c",
        "a-aux-density", "b-input-density", "b-aux-density", "digest", "digest-with-inputs"}) {
    CAPTURE(name);
    const Json& value = result[name];
    CHECK((value.is_string() ? value.get<std::string>() : value.dump()) == lines.at(name));
  }
  REQUIRE(result["checkpoints"].size() == 3);
  CHECK(result["checkpoints"][0]["digest"].get<std::string>().starts_with("681bfeb5237a77e9"));
  CHECK(result["checkpoints"][2]["digest"] == result["digest"]);
  CHECK(at.run({"porep", "digest", "--sector-size", "2"}).status == 2);
  CHECK(at.run({"porep", "digest"}).status == 2);
  CHECK(at.run({"porep"}).status == 2);
}
