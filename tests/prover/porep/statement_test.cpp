// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "porep_values.hpp"

using namespace zkgpu::porep;
using zkgpu::test::porep::filled;
using zkgpu::test::porep::hex;
using zkgpu::test::porep::node;
using zkgpu::test::porep::numbers;

namespace {

/// The inputs after the first three, as numbers.
std::vector<std::uint64_t> places(const std::vector<Fr>& inputs) {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 3; i < inputs.size(); ++i) {
    const Fr::Integer n = inputs[i].to_integer();
    CHECK(n == Fr::Integer::from_uint64(n.limb[0]));
    all.push_back(n.limb[0]);
  }
  return all;
}

void check_first_inputs(const std::vector<Fr>& inputs, const Node& replica_id,
                        const SealStatement& statement) {
  REQUIRE(inputs.size() >= 3);
  CHECK(to_node(inputs[0]) == replica_id);
  CHECK(to_node(inputs[1]) == statement.comm_d);
  CHECK(to_node(inputs[2]) == statement.comm_r);
}

const char* const regression_prover =
    "101cbe4b9c42604f04c703c396f788c6cb2d6d7d58f45430b12eb2edd640076c";
const char* const regression_ticket =
    "e8867f2000d5597a0a5f4382c52b8b89890019df5320d486a067f38e6c68624b";
const char* const regression_seed =
    "56964257e0d6c11e074117b36172fff3ebd1a6ec18fa79555e58df5a9d889dcb";

SealStatement regression(const char* comm_d, const char* comm_r) {
  return {{node(regression_prover), 9259733836259213201U, node(regression_ticket)},
          node(comm_d),
          node(comm_r),
          node(regression_seed)};
}

}  // namespace

TEST_CASE("a miner's prover id is its number in LEB128", "[porep][statement]") {
  CHECK(hex(prover_id_of_miner(1000)).substr(0, 6) == "e80700");
  CHECK(prover_id_of_miner(0) == Node{});
  CHECK(hex(prover_id_of_miner(127)).substr(0, 4) == "7f00");
  CHECK(hex(prover_id_of_miner(128)).substr(0, 6) == "800100");
  CHECK(hex(prover_id_of_miner(~std::uint64_t{0})).substr(0, 22) == "ffffffffffffffffff0100");
}

TEST_CASE("registered proofs have the names, sizes and ids of the network", "[porep][statement]") {
  for (std::uint64_t number = 0; number < registered_proofs.size(); ++number) {
    const RegisteredProof& proof = registered_proof(number);
    CHECK(proof.number == number);
    CHECK(&registered_proof(proof.name) == &proof);
    CHECK(&registered_proof(proof.sector_name, proof.api, proof.challenges) == &proof);
    const std::string size(proof.sector_name);
    CHECK(proof.vanilla_key == "StackedDrg" + size + "V1");
    CHECK(proof.name.starts_with("StackedDrg" + size + "V1"));
    const SealConfig config = proof.config();
    CHECK(config.shape.name == size);
    CHECK(config.porep_id[0] == static_cast<std::byte>(number));
    CHECK(read_little_endian<8>(config.porep_id.data() + 1) == 0);
    CHECK(config.partitions() * config.shape.challenges >= config.least_challenges());
  }
  CHECK(registered_proof("StackedDrg32GiBV1_1").number == 8);
  CHECK(registered_proof("StackedDrg64GiBV1_2_Feat_NonInteractivePoRep").config().partitions() ==
        126);
  CHECK_THROWS_AS(registered_proof(20), zkgpu::InvalidArgument);
  CHECK_THROWS_AS(registered_proof("StackedDrg32GiBV2"), zkgpu::InvalidArgument);
  CHECK_THROWS_AS(registered_proof("4KiB", ApiVersion::v1_1_0, Challenges::interactive),
                  zkgpu::InvalidArgument);
  CHECK_THROWS_AS(registered_proof("2KiB", ApiVersion::v1_2_0, Challenges::interactive),
                  zkgpu::InvalidArgument);
}

// polka-storage ce0aa7ff, pallets/proofs/src/tests/porep.rs
TEST_CASE("a third party's statement gives the inputs that its proof has", "[porep][statement]") {
  const SealConfig config{shape_of_name("2KiB"), Node{}, ApiVersion::v1_1_0,
                          Challenges::interactive};
  const SealStatement statement{
      {Node{}, 77, filled(0x0c)},
      node("129c7562bb0c189544f5dccd365feaec2141eab458097a5ca8429c109d154421"),
      node("4afb35f82a95a10187a913bc14520d9a1d173328265b301b5dcf440ef2583950"),
      filled(0x0d)};
  const auto inputs = seal_public_inputs(config, statement);
  REQUIRE(inputs.size() == 1);
  check_first_inputs(inputs[0],
                     node("b9a46849a25004df1345838204c76a324d7adb7bbb100cdf323d7996a5ac9b34"),
                     statement);
  CHECK(places(inputs[0]) ==
        numbers("37 36 31 35 36 11 36 20 54 46 50 16 17 9 27 37 37 37 29 28 27 28 27 11 28 14 21 "
                "31 58 41 12 62 55 29 29 29"));

  SealConfig older = config;  // makes the same proof fail
  older.api = ApiVersion::v1_0_0;
  CHECK(places(seal_public_inputs(older, statement)[0]) != places(inputs[0]));
}

// rust-fil-proofs 19.1, filecoin-proofs/tests/seal_regression_records-v16.json
TEST_CASE("a 2 KiB seal of the network has the inputs of the reference", "[porep][statement]") {
  const SealStatement statement =
      regression("7e45f0925dc72593d6b296100e6ca63e3341c92a50c0e7a9461883a3c959ea28",
                 "d67d57ea6808fd67bdedb331388b5005d3f837b6153c37ff90e720f10f34fc29");
  const auto inputs = seal_public_inputs(registered_proof(5).config(), statement);
  REQUIRE(inputs.size() == 1);
  check_first_inputs(inputs[0],
                     node("da838d3efe2e28665cd17ebfa274f67af8c3b51dfb01e8c6bf8892e712d62006"),
                     statement);
  CHECK(places(inputs[0]) ==
        numbers("57 56 56 48 50 42 55 46 41 13 46 44 31 3 15 57 57 57 58 57 45 11 54 56 57 51 52 "
                "38 18 33 8 54 40 58 58 58"));
}

TEST_CASE("a 32 GiB seal of the network has the inputs of the reference", "[porep][statement]") {
  const SealStatement statement =
      regression("eb7a26a6d07062559b9e8ca31cf56d76eb9d6a5e861dd2956d17e09c73ad1936",
                 "a816696e8028e4d2ea7d3376b7a1d239fd72c21bb533e0365c8e145b9b683360");
  const auto inputs = seal_public_inputs(registered_proof(8).config(), statement);
  REQUIRE(inputs.size() == 10);
  const std::vector<std::uint64_t> first = places(inputs[0]);
  CHECK(std::vector(first.begin(), first.begin() + 18) ==
        numbers("980979701 980979700 980978077 980952352 980979699 312222476 979455093 749539807 "
                "182735280 276707672 247452191 626879568 527945222 307523740 346272975 980979701 "
                "980979701 980979701"));
  const Node replica_id = node("3ca7c8110b2ccdcc89d8d7dabeed81b7a5b87a4f73ed43d0b2eb2220de963129");
  check_first_inputs(inputs[9], replica_id, statement);
  std::vector<std::uint64_t> challenges;
  const std::vector<std::uint64_t> last = places(inputs[9]);
  for (std::size_t i = 0; i < last.size(); i += 18) challenges.push_back(last[i]);
  CHECK(challenges ==
        numbers("499831192 45639652 219423710 135158790 186566729 585122349 210426148 347789934 "
                "556200902 25948752 457931184 1057129339 31463408 1004777687 518644006 390066423 "
                "622266108 344547818"));
}

TEST_CASE("all ten partitions of a 32 GiB seal have the inputs of the reference",
          "[porep][statement]") {
  if (!zkgpu::test::shared_present("golden/reference/verify/records.txt")) return;
  auto golden = zkgpu::test::porep::golden_lines("golden/reference/verify/records.txt");
  const SealStatement statement =
      regression("eb7a26a6d07062559b9e8ca31cf56d76eb9d6a5e861dd2956d17e09c73ad1936",
                 "a816696e8028e4d2ea7d3376b7a1d239fd72c21bb533e0365c8e145b9b683360");
  const auto inputs = seal_public_inputs(registered_proof(8).config(), statement);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto expected = numbers(golden.at("official-32GiB.inputs-" + std::to_string(k)));
    CHECK(expected.size() == 18 * 18);
    CHECK(places(inputs[k]) == expected);
  }
}

TEST_CASE("a statement without commitments is refused", "[porep][statement]") {
  const SealConfig config = registered_proof(5).config();
  const SealStatement good{{filled(1), 1, filled(2)}, filled(3), filled(4), filled(5)};
  CHECK_NOTHROW(seal_public_inputs(config, good));
  SealStatement bad = good;
  bad.comm_d = {};
  CHECK_THROWS_WITH(seal_public_inputs(config, bad), "seal statement: comm_d is zero");
  bad = good;
  bad.comm_r = filled(0xff);
  CHECK_THROWS_WITH(seal_public_inputs(config, bad),
                    "seal statement: comm_r is not below the modulus of Fr");
  SealConfig too_few = config;
  too_few.shape.least_challenges = 3;
  CHECK_THROWS_AS(seal_public_inputs(too_few, good), zkgpu::InvalidArgument);
}
