// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <openssl/evp.h>

#include <nlohmann/json.hpp>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/seal/invent.hpp>
#include <zkgpu/prover/porep/seal/seal.hpp>

#include "../porep_values.hpp"

using namespace zkgpu::porep;
using nlohmann::json;
using zkgpu::test::porep::filled;

namespace {

const SectorId sector{prover_id_of_miner(1000), 1, filled(1)};

std::string text_of(const zkgpu::io::MemorySink& sink) {
  const auto* first = reinterpret_cast<const char*>(sink.bytes().data());
  return {first, first + sink.bytes().size()};
}

std::string c1_json(const Phase1Output& output, const RegisteredProof& proof) {
  zkgpu::io::MemorySink sink;
  write_c1_json(sink, output, proof);
  return text_of(sink);
}

std::vector<unsigned> numbers_of(const Node& n) {
  std::vector<unsigned> all;
  for (const std::byte b : n) all.push_back(std::to_integer<unsigned>(b));
  return all;
}

/// A proof of a tree with those parts, found again in what a parser read.
void check_merkle(const json& text, const MerkleProof& proof, const TreeShape& tree) {
  const char* name = tree.sub == 0 ? "Single" : tree.top == 0 ? "Sub" : "Top";
  const json& data = text.at("data");
  REQUIRE(data.size() == 1);
  const json& members = data.at(name);
  CHECK(members.at("root") == numbers_of(proof.root));
  CHECK(members.at("leaf") == numbers_of(proof.leaf));
  json path = json::array();
  std::vector<const char*> parts{tree.sub == 0 ? "path" : "base_proof"};
  if (tree.sub != 0) parts.push_back("sub_proof");
  if (tree.top != 0) parts.push_back("top_proof");
  CHECK(members.size() == 2 + parts.size());
  for (const char* part : parts) {
    for (const json& level : members.at(part).at("path")) path.push_back(level);
  }
  REQUIRE(path.size() == proof.path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    CHECK(path[i].at("index") == proof.path[i].index);
    REQUIRE(path[i].at("hashes").size() == proof.path[i].siblings.size());
    for (std::size_t s = 0; s < proof.path[i].siblings.size(); ++s) {
      CHECK(path[i].at("hashes")[s] == numbers_of(proof.path[i].siblings[s]));
    }
  }
}

}  // namespace

TEST_CASE("JSON is the reference's byte for byte", "[porep][c1]") {
  if (!zkgpu::test::shared_present("golden/reference/seal/A.c1.json")) return;
  const RegisteredProof& proof = registered_proof("StackedDrg2KiBV1_1");
  const std::string made =
      c1_json(seal(proof.config(), sector, std::vector<std::byte>(2048), filled(2)), proof);
  const std::string expected =
      zkgpu::test::read_text(zkgpu::test::shared_dir() / "golden/reference/seal/A.c1.json");
  CHECK((made == expected));  // no 100 kB in a failure's message
}

TEST_CASE("trees of every shape are in the form that their name says", "[porep][c1]") {
  for (const std::uint64_t number : {6U, 8U, 9U}) {  // 8-0-0, 8-8-0, 8-8-2
    const RegisteredProof& proof = registered_proof(number);
    const TreeShape tree = proof.config().shape.tree;
    const Phase1Output output = invent_phase1(proof.config(), sector, filled(2), 1);
    const json file = json::parse(c1_json(output, proof));
    CHECK(file.at("registered_proof") == std::string(proof.name));
    const json& partitions = file.at("vanilla_proofs").at(std::string(proof.vanilla_key));
    REQUIRE(partitions.size() == 1);
    REQUIRE(partitions[0].size() == output.partitions[0].size());
    const json& first = partitions[0][0];
    const ChallengeProof& challenge = output.partitions[0][0];
    check_merkle(first.at("comm_d_proofs"), challenge.comm_d,
                 {proof.config().shape.log_nodes, 0, 0});
    check_merkle(first.at("comm_r_last_proof"), challenge.comm_r_last, tree);
    const json& columns = first.at("replica_column_proofs");
    check_merkle(columns.at("c_x").at("inclusion_proof"), challenge.c_x.inclusion, tree);
    check_merkle(columns.at("exp_parents")[7].at("inclusion_proof"),
                 challenge.exp_parents[7].inclusion, tree);
  }
}

TEST_CASE("the wrapper holds the JSON in base64, and size and number of the sector",
          "[porep][c1]") {
  const RegisteredProof& proof = registered_proof("StackedDrg2KiBV1_1");
  std::array<bool, 3> lengths{};  // of the JSON, modulo three: all paddings occur
  for (unsigned seed = 2; seed < 40; ++seed) {
    const Phase1Output output = invent_phase1(proof.config(), sector, filled(seed));
    const std::string inner = c1_json(output, proof);
    if (std::exchange(lengths[inner.size() % 3], true)) continue;
    zkgpu::io::MemorySink sink;
    write_c1_wrapper(sink, output, proof, 77);
    std::string encoded(inner.size() * 4 / 3 + 8, '\0');
    const int characters = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                           reinterpret_cast<const unsigned char*>(inner.data()),
                                           static_cast<int>(inner.size()));
    encoded.resize(static_cast<std::size_t>(characters));
    const std::string expected =
        "{\"SectorNum\":77,\"Phase1Out\":\"" + encoded + "\",\"SectorSize\":2048}";
    CHECK((text_of(sink) == expected));
  }
  CHECK(lengths == std::array{true, true, true});
}

TEST_CASE("an output of another tree is not written", "[porep][c1]") {
  const Phase1Output output =
      invent_phase1(registered_proof("StackedDrg2KiBV1_1").config(), sector, filled(2));
  zkgpu::io::MemorySink sink;
  CHECK_THROWS_WITH(write_c1_bincode(sink, output, shape_of_name("8MiB")),
                    "a path of 6 levels in a tree of 18");
  CHECK_THROWS_AS(write_c1_json(sink, output, registered_proof("StackedDrg8MiBV1_1")),
                  zkgpu::InvalidArgument);
}
