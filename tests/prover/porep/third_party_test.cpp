// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <utility>

#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "polka_vector.hpp"
#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::Bls12_381;
namespace polka = zkgpu::test::porep::polka;
using zkgpu::test::porep::bytes_of_hex;
using zkgpu::test::porep::filled;
using zkgpu::test::porep::node;

namespace {

using Proof = zkgpu::Proof<Bls12_381>;

zkgpu::io::FullVerifyingKey<Bls12_381> their_key() {
  std::string text = polka::alpha_g1;  // the order of parse_waves_vk
  for (const char* point : {polka::beta_g2, polka::gamma_g2, polka::delta_g2}) text += point;
  for (const char* point : polka::ic) text += point;
  zkgpu::io::FullVerifyingKey<Bls12_381> full{
      zkgpu::io::parse_waves_vk<Bls12_381>(bytes_of_hex(text), "key"), {}, {}};
  using zkgpu::PointStatus;
  REQUIRE(decode_compressed(bytes_of_hex(polka::beta_g1), full.beta_g1) == PointStatus::ok);
  REQUIRE(decode_compressed(bytes_of_hex(polka::delta_g1), full.delta_g1) == PointStatus::ok);
  return full;
}

const SealConfig their_config{shape_of_name("2KiB"), Node{}, ApiVersion::v1_1_0,
                              Challenges::interactive};

SealStatement their_statement() {
  return {{Node{}, 77, filled(0x0c)}, node(polka::comm_d), node(polka::comm_r), filled(0x0d)};
}

Proof their_proof() {
  return zkgpu::io::parse_proof<Bls12_381>(bytes_of_hex(polka::proof), "proof");
}

bool accepted(const zkgpu::PreparedVerifyingKey<Bls12_381>& key, const SealConfig& config,
              const SealStatement& statement, const Proof& proof) {
  const auto inputs = seal_public_inputs(config, statement);
  REQUIRE(inputs.size() == 1);
  std::vector<Fr::Integer> values;
  for (const Fr& input : inputs[0]) values.push_back(input.to_integer());
  return zkgpu::verify<Bls12_381>(key, std::span<const Fr::Integer>(values), proof);
}

/// By their key.
bool accepted(const SealConfig& config, const SealStatement& statement, const Proof& proof) {
  static const zkgpu::PreparedVerifyingKey<Bls12_381> key(their_key().key);
  return accepted(key, config, statement, proof);
}

}  // namespace

TEST_CASE("a third party's proof of replication is accepted", "[porep][verify]") {
  CHECK(accepted(their_config, their_statement(), their_proof()));
}

TEST_CASE("a third party's key is the file that the reference reads", "[porep][verify]") {
  if (!zkgpu::test::shared_present("golden/reference/verify/records.txt")) return;
  const auto golden = zkgpu::test::porep::golden_lines("golden/reference/verify/records.txt");
  zkgpu::io::MemorySink file;
  zkgpu::io::write_bellman_vk(file, their_key());
  CHECK(zkgpu::test::porep::hex(sha256({file.bytes()})) == golden.at("porep.vk-file-sha256"));
}

TEST_CASE("a third party's proof is refused for any other statement", "[porep][verify]") {
  const Proof proof = their_proof();
  SealConfig config = their_config;
  config.api = ApiVersion::v1_0_0;  // the reference's negative twin
  CHECK_FALSE(accepted(config, their_statement(), proof));
  config = their_config;
  config.porep_id[0] = std::byte{5};
  CHECK_FALSE(accepted(config, their_statement(), proof));
  config = their_config;
  config.challenges = Challenges::synthetic;
  CHECK_FALSE(accepted(config, their_statement(), proof));

  SealStatement statement = their_statement();
  statement.sector.number = 78;
  CHECK_FALSE(accepted(their_config, statement, proof));
  statement = their_statement();
  statement.sector.prover_id[0] = std::byte{1};
  CHECK_FALSE(accepted(their_config, statement, proof));
  for (Node SealStatement::*part :
       {&SealStatement::comm_d, &SealStatement::comm_r, &SealStatement::seed}) {
    statement = their_statement();
    (statement.*part)[0] ^= std::byte{1};
    CHECK_FALSE(accepted(their_config, statement, proof));
  }
  statement = their_statement();
  statement.sector.ticket[31] ^= std::byte{1};
  CHECK_FALSE(accepted(their_config, statement, proof));
  statement = their_statement();
  std::swap(statement.comm_d, statement.comm_r);
  CHECK_FALSE(accepted(their_config, statement, proof));
}

TEST_CASE("a third party's proof with other points is refused", "[porep][verify]") {
  Proof proof = their_proof();
  std::swap(proof.a, proof.c);
  CHECK_FALSE(accepted(their_config, their_statement(), proof));
  proof = their_proof();
  proof.a.y = -proof.a.y;
  CHECK_FALSE(accepted(their_config, their_statement(), proof));
  proof = their_proof();
  proof.b.y = -proof.b.y;
  CHECK_FALSE(accepted(their_config, their_statement(), proof));
  proof.a.y = -proof.a.y;  // e(−A, −B) = e(A, B): proofs can be randomised
  CHECK(accepted(their_config, their_statement(), proof));
}

TEST_CASE("the reference's proofs of its own seals are accepted", "[porep][verify]") {
  if (!zkgpu::test::shared_present("golden/reference/groth16/c2.txt")) return;
  const auto proofs = zkgpu::test::porep::golden_lines("golden/reference/groth16/c2.txt");
  const auto vk =
      zkgpu::test::read_bytes(zkgpu::test::shared_dir() / "golden/reference/groth16/porep-2KiB.vk");
  // Its toxic waste is known: anyone could forge proofs.
  const zkgpu::PreparedVerifyingKey<Bls12_381> key(
      zkgpu::io::parse_bellman_vk<Bls12_381>(vk, "vk", true).key);
  for (const std::string name : {"A", "B"}) {
    const auto seal = zkgpu::test::porep::golden_lines("golden/reference/seal/" + name + ".txt");
    const SealConfig config = registered_proof(seal.at("registered-proof")).config();
    SealStatement statement{{prover_id_of_miner(1000), 1, filled(1)},
                            node(seal.at("comm-d")),
                            node(seal.at("comm-r")),
                            filled(2)};
    const Proof proof =
        zkgpu::io::parse_proof<Bls12_381>(bytes_of_hex(proofs.at(name + ".proof")), "proof");
    CHECK(accepted(key, config, statement, proof));
    CHECK_FALSE(accepted(config, statement, proof));  // by another key
    statement.seed = filled(3);
    CHECK_FALSE(accepted(key, config, statement, proof));
  }
}
