// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using nlohmann::json;
using zkgpu::Bls12_381;

namespace {

constexpr const char* file = "golden/filecoin-records/seal-records-v16.json";

/// One published seal: what it claims and its proof.
struct Record {
  SealConfig config;
  unsigned partitions = 0;
  SealStatement statement;
  std::vector<std::byte> proof;
};

std::vector<std::byte> byte_array(const json& numbers) {
  std::vector<std::byte> bytes;
  for (const json& n : numbers) bytes.push_back(static_cast<std::byte>(n.get<std::uint8_t>()));
  return bytes;
}

Node node_of(const json& numbers) {
  const std::vector<std::byte> bytes = byte_array(numbers);
  REQUIRE(bytes.size() == sizeof(Node));
  Node n;
  std::ranges::copy(bytes, n.begin());
  return n;
}

ApiVersion api_of(const std::string& name) {
  if (name == "V1_0_0") return ApiVersion::v1_0_0;
  if (name == "V1_1_0") return ApiVersion::v1_1_0;
  REQUIRE(name == "V1_2_0");
  return ApiVersion::v1_2_0;
}

Record record_of(const json& text) {
  const json& config = text.at("porep_config");
  Challenges challenges = Challenges::interactive;
  for (const json& feature : config.at("api_features")) {
    REQUIRE(feature == "SyntheticPoRep");
    challenges = Challenges::synthetic;
  }
  return {{shape_of_bytes(config.at("sector_size")), node_of(config.at("porep_id")),
           api_of(config.at("api_version")), challenges},
          config.at("partitions"),
          {{node_of(text.at("prover_id")), text.at("sector_id"), node_of(text.at("ticket"))},
           node_of(text.at("comm_d")),
           node_of(text.at("comm_r")),
           node_of(text.at("seed"))},
          byte_array(text.at("proof"))};
}

std::vector<Record> records() {
  std::istringstream in(zkgpu::test::read_text(zkgpu::test::shared_dir() / file));
  std::vector<Record> all;
  for (std::string line; std::getline(in, line);) all.push_back(record_of(json::parse(line)));
  return all;
}

}  // namespace

// rust-fil-proofs 87348a74, filecoin-proofs/tests/seal_regression_records-v16.json
TEST_CASE("published seals have proofs of sound points, one a partition", "[porep][records]") {
  if (!zkgpu::test::shared_present(file)) return;
  const std::vector<Record> all = records();
  CHECK(all.size() == 448);
  for (const Record& record : all) {
    CHECK(record.partitions == record.config.partitions());
    CHECK(zkgpu::io::parse_proofs<Bls12_381>(record.proof, "record").size() == record.partitions);
  }
}

TEST_CASE("published seals give public inputs for every partition", "[porep][records]") {
  if (!zkgpu::test::shared_present(file)) return;
  for (const Record& record : records()) {
    const auto inputs = seal_public_inputs(record.config, record.statement);
    REQUIRE(inputs.size() == record.partitions);
    for (const std::vector<Fr>& partition : inputs) {
      REQUIRE(partition.size() == record.config.shape.public_inputs());
      CHECK(to_node(partition[1]) == record.statement.comm_d);
      CHECK(to_node(partition[2]) == record.statement.comm_r);
      for (std::size_t i = 3; i < partition.size(); ++i) {
        const Fr::Integer place = partition[i].to_integer();
        CHECK(place == Fr::Integer::from_uint64(place.limb[0]));
        CHECK(place.limb[0] < record.config.shape.nodes());
      }
    }
  }
}
