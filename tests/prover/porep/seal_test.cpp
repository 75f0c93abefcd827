// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/porep/c1/write.hpp>
#include <zkgpu/prover/porep/seal/fr32.hpp>
#include <zkgpu/prover/porep/seal/seal.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::filled;
using zkgpu::test::porep::golden_lines;
using zkgpu::test::porep::hex;

namespace {

std::vector<std::byte> quadratic_pattern(std::size_t bytes) {
  std::vector<std::byte> raw(bytes);
  for (std::size_t i = 0; i < bytes; ++i) raw[i] = static_cast<std::byte>(i * i + 3 * i + 7);
  return raw;
}

std::string places(const Graph& graph, std::span<const std::uint64_t> challenges) {
  const std::vector<Fr> inputs = partition_inputs(graph, Node{}, Node{}, Node{}, challenges);
  std::string text;
  for (std::size_t i = 3; i < inputs.size(); ++i) {
    text += (i > 3 ? " " : "") + std::to_string(inputs[i].to_integer().limb[0]);
  }
  return text;
}

std::string sha256_of_nodes(const std::vector<Node>& nodes) {
  return hex(sha256({std::as_bytes(std::span(nodes))}));
}

void check_commitments(const SealedSector& sealed, std::map<std::string, std::string>& golden) {
  CHECK(sha256_of_nodes(sealed.tree_d.leaves()) == golden.at("data-sha256"));
  CHECK(hex(sealed.tree_d.root()) == golden.at("comm-d"));
  CHECK(hex(sealed.replica_id) == golden.at("replica-id"));
  for (const std::string layer : {"1", "2"}) {
    const std::vector<Node>& labels = sealed.layers[layer == "1" ? 0 : 1];
    CHECK(sha256_of_nodes(labels) == golden.at("layer" + layer + "-sha256"));
    for (const std::size_t node : {0U, 1U, 63U}) {
      CHECK(hex(labels[node]) == golden.at("layer" + layer + "-node" + std::to_string(node)));
    }
  }
  CHECK(sha256_of_nodes(sealed.tree_r.leaves()) == golden.at("replica-sha256"));
  CHECK(hex(sealed.tree_c.leaves()[0]) == golden.at("column-hash-node0"));
  CHECK(hex(sealed.tree_c.root()) == golden.at("comm-c"));
  CHECK(hex(sealed.tree_r.root()) == golden.at("comm-r-last"));
  CHECK(hex(sealed.comm_r) == golden.at("comm-r"));
}

void check_challenges(const SealedSector& sealed, const Phase1Output& output,
                      std::map<std::string, std::string>& golden) {
  const Graph graph(sealed.config);
  std::string all;
  for (std::size_t k = 0; k < output.partitions.size(); ++k) {
    std::vector<std::uint64_t> challenges;
    for (const ChallengeProof& proof : output.partitions[k]) challenges.push_back(proof.c_x.node);
    CHECK(challenges == partition_challenges(sealed.config,
                                             {sealed.replica_id, sealed.comm_r, output.seed},
                                             static_cast<unsigned>(k)));
    CHECK(places(graph, challenges) == golden.at("inputs-partition" + std::to_string(k)));
    if (k > 0) all += " | ";
    all += std::to_string(challenges[0]) + ' ' + std::to_string(challenges[1]);
  }
  CHECK(all == golden.at("challenges"));
}

void check_seal(const std::string& name, const std::vector<std::byte>& data) {
  const std::string folder = "golden/reference/seal/";
  auto golden = golden_lines(folder + name + ".txt");
  const RegisteredProof& proof = registered_proof(golden.at("registered-proof"));
  const SectorId sector{prover_id_of_miner(1000), 1, filled(1)};
  const SealedSector sealed = seal_sector(proof.config(), sector, data);
  check_commitments(sealed, golden);
  const Phase1Output output = commit_phase1(sealed, filled(2));
  check_challenges(sealed, output, golden);

  zkgpu::io::MemorySink bincode, json;
  write_c1_bincode(bincode, output, proof.config().shape);
  CHECK(std::to_string(bincode.bytes().size()) == golden.at("bincode-length"));
  CHECK(hex(sha256({bincode.bytes()})) == golden.at("bincode-sha256"));
  CHECK(bincode.bytes() ==
        zkgpu::test::read_bytes(zkgpu::test::shared_dir() / (folder + name + ".c1.bin")));
  write_c1_json(json, output, proof);
  CHECK(std::to_string(json.bytes().size()) == golden.at("json-length"));
  CHECK(hex(sha256({json.bytes()})) == golden.at("json-sha256"));
}

}  // namespace

TEST_CASE("padding is the reference's", "[porep][seal]") {
  if (!zkgpu::test::shared_present("golden/reference/fr32/examples.txt")) return;
  const auto golden = golden_lines("golden/reference/fr32/examples.txt");
  std::size_t examples = 0;
  for (const auto& [name, value] : golden) {
    const std::size_t dot = name.find(".raw");
    if (dot == std::string::npos) continue;
    CAPTURE(name);
    const auto raw = zkgpu::test::porep::bytes_of_hex(value);
    CHECK(hex(fr32_pad(raw)) == golden.at(name.substr(0, dot) + ".padded"));
    ++examples;
  }
  CHECK(examples == 14);
  CHECK(fr32_pad({}).empty());
}

// rust-fil-proofs 19.1, storage-proofs-porep/tests/stacked_vanilla.rs
TEST_CASE("the last label of eleven layers is the reference's", "[porep][seal]") {
  const auto last_label = [](std::uint64_t nodes, unsigned id_byte, ApiVersion api) {
    const auto layers = make_layers(Graph(nodes, filled(id_byte), api), filled(9), 11);
    Node label = layers.back().back();
    std::ranges::reverse(label);
    return hex(label);
  };
  CHECK(last_label(64, 0, ApiVersion::v1_0_0) ==
        "0462f4f4f1a68d37e3d51b9afa5ac2b3ea81a283d106485ed3faa96b9a0fba04");
  CHECK(last_label(128, 0, ApiVersion::v1_0_0) ==
        "234c00d1dc1d53bece239f3b88a894b85ae8a1c9e6fac1487e191e52c4a8da86");
  for (const ApiVersion api : {ApiVersion::v1_1_0, ApiVersion::v1_2_0}) {
    CHECK(last_label(64, 0x7b, api) ==
          "06021188c7a71cb53448959d495490bc777a2e4d7769119fabb3f38bb70defcf");
    CHECK(last_label(128, 0x7b, api) ==
          "0f777c18cc2c55bdc6c03d32c1e42d237a77a82fc7c9c18922ab81cf68c4676d");
  }
}

TEST_CASE("a sector of zeros is sealed as the reference seals it", "[porep][seal]") {
  if (!zkgpu::test::shared_present("golden/reference/seal/A.txt")) return;
  check_seal("A", std::vector<std::byte>(2048));
}

TEST_CASE("a sector of data is sealed as the reference seals it", "[porep][seal]") {
  if (!zkgpu::test::shared_present("golden/reference/seal/B.txt")) return;
  check_seal("B", fr32_pad(quadratic_pattern(2032)));
}

TEST_CASE("a non-interactive seal is the reference's", "[porep][seal]") {
  if (!zkgpu::test::shared_present("golden/reference/seal/ni.txt")) return;
  check_seal("ni", fr32_pad(quadratic_pattern(2032)));
}

TEST_CASE("data that is no sector is refused", "[porep][seal]") {
  const SealConfig config = registered_proof(5).config();
  CHECK_THROWS_WITH(seal_sector(config, {}, std::vector<std::byte>(2047)),
                    "sector data: a sector of 2KiB holds 2048 bytes, got 2047");
  std::vector<std::byte> data(2048);
  data[32 * 5 + 31] = std::byte{0x74};
  CHECK_THROWS_WITH(seal_sector(config, {}, data),
                    "sector data: node 5 is not below the modulus of Fr; is the data padded?");
}
