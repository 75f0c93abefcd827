// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/hash/poseidon.hpp>

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

#include "support/shared.hpp"

namespace zkgpu {

namespace {

using F = Bls12_381::Fr;

F from_hex(const char* digits) {
  F::Integer integer{};
  const std::string text(digits);
  for (std::size_t i = 0; i < 4; ++i) {
    integer.limb[3 - i] = std::stoull(text.substr(16 * i, 16), nullptr, 16);
  }
  return F::from_integer(integer);
}

std::vector<F> count_up(unsigned n) {
  std::vector<F> elements;
  for (unsigned i = 0; i < n; ++i) elements.push_back(F(static_cast<int>(i)));
  return elements;
}

std::string digest_of(std::span<const F> elements) {
  std::vector<F::Integer> integers;
  for (const F& x : elements) integers.push_back(x.to_integer());
  return io::to_hex(io::digest_of(std::as_bytes(std::span(integers))));
}

/// The permutation as the paper states it: keys, S-boxes, one dense matrix, nothing moved.
F textbook(unsigned arity, const F& tag, std::span<const F> preimage) {
  const PoseidonConstants<F>& constants = poseidon<F>(arity).constants();
  const std::size_t width = arity + 1;
  std::vector<F> state{tag};
  state.insert(state.end(), preimage.begin(), preimage.end());
  const unsigned partial = constants.rounds.partial;
  for (unsigned round = 0; round < PoseidonRounds::full + partial; ++round) {
    const bool is_full = round < 4 || round >= 4 + partial;
    for (std::size_t i = 0; i < width; ++i) {
      state[i] += constants.plain_keys[round * width + i];
      if (is_full || i == 0) state[i] = state[i].square().square() * state[i];
    }
    std::vector<F> mixed(width, F::zero());
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0; i < width; ++i) mixed[j] += state[i] * constants.mds[i * width + j];
    }
    state = mixed;
  }
  return state[1];
}

}  // namespace

TEST_CASE("poseidon has the published numbers of rounds", "[prover][hash]") {
  struct Row {
    unsigned arity, partial;
  };
  for (const Row row : {Row{1, 55},
                        {2, 55},
                        {3, 56},
                        {4, 56},
                        {5, 56},
                        {6, 56},
                        {7, 57},
                        {8, 57},
                        {9, 57},
                        {10, 57},
                        {11, 57},
                        {16, 59},
                        {24, 59},
                        {36, 60}}) {
    CHECK(poseidon_rounds(row.arity) == PoseidonRounds{row.arity + 1, row.partial});
  }
  CHECK_THROWS_AS(poseidon_rounds(0), InvalidArgument);
  CHECK_THROWS_AS(poseidon<F>(37), InvalidArgument);
  CHECK_THROWS_AS(Poseidon<F>(37), InvalidArgument);
}

TEST_CASE("poseidon gives the published hashes", "[prover][hash]") {
  // Preimage 0, 1, 2, …; tag of a tree. neptune, src/poseidon.rs.
  struct Row {
    unsigned arity;
    const char* hash;
  };
  for (const Row& row :
       {Row{2, "396508d75e76a56b739e0fd902efe161a6fba9339d05a69d2e203c369a02e7ff"},
        Row{4, "58a54b10a9e5848a00db3c6579229399fb6b4605bf1327ec019814ff6662075d"},
        Row{8, "2394611da3a5de5512010042116770774b682e9d9cc4aed92a9934f56d38a5e6"},
        Row{11, "0c0fc1b2e5227f286ca537e232ebe87a09f3dcd8ccb08fc1cee3bbc32b693163"},
        Row{16, "2d3ae2663381ae8ac1c2fb5a6f871e635b8dbc6d30680a6f1291c74060266d37"},
        Row{24, "63beb8831f11ae15066f39bf783f3d9fc3e779f6468815b1d7ef3569f585b321"},
        Row{36, "699303082a6e5d5f540a30e03c10bbaa75cd368df8a8ac3c4473606dfa4e8140"}}) {
    CHECK(poseidon<F>(row.arity).hash(count_up(row.arity)) == from_hex(row.hash));
  }
  const std::vector<F> zero_one = count_up(2);
  F custom = F::one();
  for (int i = 0; i < 40; ++i) custom = custom.doubled();
  CHECK(poseidon<F>(2).hash(custom, zero_one) ==
        from_hex("314a35c4e7f0924ead1fc58134a0fe25e3580bea397367c7e5a74ec4bc077758"));
}

TEST_CASE("the quick permutation of poseidon is the textbook's", "[prover][hash][oracle]") {
  for (const unsigned arity : {1u, 2u, 3u, 4u, 8u, 11u}) {
    std::vector<F> preimage = count_up(arity);
    for (F& x : preimage) x = -(x.square() + F(5)).inverse();
    const F tag = poseidon<F>(arity).tree_tag();
    CHECK(poseidon<F>(arity).hash(preimage) == textbook(arity, tag, preimage));
    CHECK(poseidon<F>(arity).hash(F(17), preimage) == textbook(arity, F(17), preimage));
  }
}

TEST_CASE("poseidon's constants are those of the reference implementation", "[prover][hash]") {
  if (!test::shared_present("golden/reference/r1cs/poseidon-constants.txt")) return;
  std::string text(1, '\n');  // every line stands behind one
  text += test::read_text(test::shared_dir() / "golden/reference/r1cs/poseidon-constants.txt");
  const auto stated = [&](unsigned arity, const std::string& what) {
    const std::string key = "poseidon-" + std::to_string(arity) + "." + what + " ";
    const std::size_t at = text.find("\n" + key);
    REQUIRE(at != std::string::npos);
    const std::size_t first = at + 1 + key.size();
    return text.substr(first, text.find('\n', first) - first);
  };
  for (const unsigned arity : {2u, 4u, 8u, 11u}) {
    const PoseidonConstants<F>& constants = poseidon<F>(arity).constants();
    CHECK(stated(arity, "partial-rounds") == std::to_string(constants.rounds.partial));
    CHECK(stated(arity, "rc-count") == std::to_string(constants.plain_keys.size()));
    CHECK(stated(arity, "crc-count") == std::to_string(constants.keys.size()));
    CHECK(stated(arity, "rc") == digest_of(constants.plain_keys));
    CHECK(stated(arity, "crc") == digest_of(constants.keys));
    CHECK(stated(arity, "mds") == digest_of(constants.mds));
    CHECK(stated(arity, "pre") == digest_of(constants.pre_sparse));
    CHECK(stated(arity, "sparse") == digest_of(constants.sparse));
  }
}

}  // namespace zkgpu
