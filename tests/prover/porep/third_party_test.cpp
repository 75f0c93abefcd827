// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <optional>
#include <utility>
#include <vector>

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

TEST_CASE("a third party's proof is refused for any other configuration", "[porep][verify]") {
  const Proof proof = their_proof();
  const auto refused = [&](const auto& change) {
    SealConfig config = their_config;
    change(config);
    CHECK_FALSE(accepted(config, their_statement(), proof));
  };
  // The parents of version 1.0.0 stand in another order: the reference's negative twin.
  refused([](SealConfig& config) { config.api = ApiVersion::v1_0_0; });
  refused([](SealConfig& config) { config.challenges = Challenges::synthetic; });
  for (std::size_t i = 0; i < 32; ++i) {
    CAPTURE(i);
    refused([&](SealConfig& config) { config.porep_id[i] ^= std::byte{1}; });
  }
}

TEST_CASE("a third party's proof is refused for any other statement", "[porep][verify]") {
  const Proof proof = their_proof();
  const auto refused = [&](const auto& change) {
    SealStatement statement = their_statement();
    change(statement);
    CHECK_FALSE(accepted(their_config, statement, proof));
  };
  for (std::size_t i = 0; i < 32; ++i) {
    CAPTURE(i);
    refused([&](SealStatement& said) { said.sector.prover_id[i] ^= std::byte{1}; });
    refused([&](SealStatement& said) { said.sector.ticket[i] ^= std::byte{1}; });
    refused([&](SealStatement& said) { said.comm_d[i] ^= std::byte{1}; });
    refused([&](SealStatement& said) { said.comm_r[i] ^= std::byte{1}; });
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    CAPTURE(bit);
    refused([&](SealStatement& said) { said.sector.number ^= std::uint64_t{1} << bit; });
  }
  refused([](SealStatement& said) { std::swap(said.comm_d, said.comm_r); });
  refused([](SealStatement& said) { std::swap(said.sector.ticket, said.seed); });
}

TEST_CASE("a third party's proof is refused for any seed of other challenges", "[porep][verify]") {
  const Proof proof = their_proof();
  const auto theirs = seal_public_inputs(their_config, their_statement());
  unsigned same = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    CAPTURE(i);
    SealStatement statement = their_statement();
    statement.seed[i] ^= std::byte{1};
    // Of 63 · 63 pairs of challenges one is theirs: a seed may draw it, and then the proof holds.
    const bool drawn = seal_public_inputs(their_config, statement) == theirs;
    CHECK(accepted(their_config, statement, proof) == drawn);
    if (drawn) ++same;
  }
  CHECK(same == 0);
}

TEST_CASE("a third party's proof is refused with any one public input changed", "[porep][verify]") {
  const zkgpu::PreparedVerifyingKey<Bls12_381> key(their_key().key);
  const std::vector<Fr> inputs = seal_public_inputs(their_config, their_statement()).at(0);
  REQUIRE(inputs.size() == 39);
  const auto holds = [&](const std::vector<Fr>& changed) {
    std::vector<Fr::Integer> values;
    for (const Fr& input : changed) values.push_back(input.to_integer());
    return zkgpu::verify<Bls12_381>(key, std::span<const Fr::Integer>(values), their_proof());
  };
  CHECK(holds(inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CAPTURE(i);
    std::vector<Fr> changed = inputs;
    changed[i] = inputs[i] + Fr::one();
    CHECK_FALSE(holds(changed));
    changed[i] = -inputs[i];
    CHECK_FALSE(holds(changed));
    if (i + 1 == inputs.size() || inputs[i] == inputs[i + 1]) continue;
    changed = inputs;
    std::swap(changed[i], changed[i + 1]);
    CHECK_FALSE(holds(changed));
  }
}

TEST_CASE("a third party's proof with any one point changed is refused", "[porep][verify]") {
  using G1 = Bls12_381::G1;
  using G2 = Bls12_381::G2;
  const auto refused = [](const auto& change) {
    Proof proof = their_proof();
    change(proof);
    CHECK_FALSE(accepted(their_config, their_statement(), proof));
  };
  refused([](Proof& proof) { std::swap(proof.a, proof.c); });
  for (G1::Affine Proof::*point : {&Proof::a, &Proof::c}) {
    refused([&](Proof& proof) { (proof.*point).y = -(proof.*point).y; });
    refused([&](Proof& proof) { proof.*point = G1::generator(); });
    refused([&](Proof& proof) { proof.*point = G1::Affine{}; });  // infinity
    refused([&](Proof& proof) {
      proof.*point = G1::Jacobian::from_affine(proof.*point).doubled().to_affine();
    });
  }
  refused([](Proof& proof) { proof.b.y = -proof.b.y; });
  refused([](Proof& proof) { proof.b = G2::generator(); });
  refused([](Proof& proof) { proof.b = G2::Affine{}; });
  refused([](Proof& proof) { proof.b = G2::Jacobian::from_affine(proof.b).doubled().to_affine(); });
  Proof proof = their_proof();
  proof.a.y = -proof.a.y;
  proof.b.y = -proof.b.y;  // e(−A, −B) = e(A, B): proofs can be randomised
  CHECK(accepted(their_config, their_statement(), proof));
}

TEST_CASE("a third party's proof with a changed byte is malformed or refused", "[porep][verify]") {
  const std::vector<std::byte> good = bytes_of_hex(polka::proof);
  REQUIRE(good.size() == 192);
  unsigned malformed = 0, refused = 0;
  const auto try_one = [&](std::size_t byte, unsigned bit) {
    CAPTURE(byte, bit);
    std::vector<std::byte> changed = good;
    changed[byte] ^= std::byte{1} << bit;
    std::optional<Proof> proof;
    try {
      proof = zkgpu::io::parse_proof<Bls12_381>(changed, "proof");
    } catch (const zkgpu::Malformed&) {
      ++malformed;
      return;
    }
    CHECK_FALSE(accepted(their_config, their_statement(), *proof));
    ++refused;
  };
  for (std::size_t byte = 0; byte < good.size(); ++byte) try_one(byte, byte % 8);
  for (const std::size_t point : {0UL, 48UL, 144UL}) {  // compressed, infinity, sign
    for (const unsigned bit : {7U, 6U, 5U}) try_one(point, bit);
  }
  CHECK(malformed > 50);  // no point there, or none of the subgroup
  CHECK(refused >= 3);    // the signs
}

TEST_CASE("a third party's proof that is cut off or has a rest is malformed", "[porep][verify]") {
  const std::vector<std::byte> good = bytes_of_hex(polka::proof);
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(zkgpu::io::parse_proof<Bls12_381>(std::span(good).first(size), "proof"),
                    zkgpu::Malformed);
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(zkgpu::io::parse_proof<Bls12_381>(longer, "proof"), zkgpu::Malformed);
  longer = good;
  longer.insert(longer.end(), good.begin(), good.end());
  CHECK_THROWS_AS(zkgpu::io::parse_proof<Bls12_381>(longer, "proof"), zkgpu::Malformed);
}

TEST_CASE("a third party's proof is refused by any other key", "[porep][verify]") {
  const auto refused = [](const auto& change) {
    zkgpu::VerifyingKey<Bls12_381> key = their_key().key;
    change(key);
    CHECK_FALSE(accepted(zkgpu::PreparedVerifyingKey<Bls12_381>(key), their_config,
                         their_statement(), their_proof()));
  };
  refused([](auto& key) { key.alpha_g1.y = -key.alpha_g1.y; });
  refused([](auto& key) { key.beta_g2.y = -key.beta_g2.y; });
  refused([](auto& key) { key.gamma_g2.y = -key.gamma_g2.y; });
  refused([](auto& key) { key.delta_g2.y = -key.delta_g2.y; });
  refused([](auto& key) { std::swap(key.gamma_g2, key.delta_g2); });
  const std::size_t points = their_key().key.ic.size();
  REQUIRE(points == 40);
  for (std::size_t i = 0; i < points; ++i) {
    CAPTURE(i);
    refused([&](auto& key) { key.ic[i].y = -key.ic[i].y; });
  }
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
