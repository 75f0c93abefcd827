// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Real proofs of running systems (Zcash, Iron Fish, Waves) verify, alone and in batches, and
// nothing near them does.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <shared.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Integer = Fr::Integer;
using Json = nlohmann::json;

namespace {

std::vector<std::byte> from_hex(const std::string& text) {
  const auto nibble = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(16 * nibble(text[i]) + nibble(text[i + 1])));
  }
  return bytes;
}

std::vector<Integer> publics_of(const Json& decimals) {
  const std::string text = decimals.dump();
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return io::parse_public_json<Bls>(std::span(first, text.size()), "public");
}

struct Case {
  std::vector<Integer> publics;
  std::vector<std::byte> bytes;
  Proof<Bls> proof;

  Case(std::vector<Integer> publics_, std::vector<std::byte> bytes_)
      : publics(std::move(publics_)),
        bytes(std::move(bytes_)),
        proof(io::parse_proof<Bls>(bytes, "proof")) {}
  [[nodiscard]] Statement<Bls> statement() const { return {publics, proof}; }
};

struct System {
  VerifyingKey<Bls> vk;
  std::vector<Case> cases;

  explicit System(const std::string& name) {
    const auto folder = shared_dir() / "fixtures" / "sapling" / name;
    vk = io::parse_bellman_vk<Bls>(read_bytes(folder / "vk.bin"), name).key;
    for (int i = 1; std::filesystem::exists(folder / ("proof-" + std::to_string(i) + ".bin"));
         ++i) {
      const std::string number = std::to_string(i);
      cases.emplace_back(
          publics_of(Json::parse(read_text(folder / ("public-" + number + ".json")))),
          read_bytes(folder / ("proof-" + number + ".bin")));
    }
    if (!std::filesystem::exists(folder / "more.json")) return;
    for (const Json& more : Json::parse(read_text(folder / "more.json"))) {
      cases.emplace_back(publics_of(more.at("public")), from_hex(more.at("proof")));
    }
  }
  [[nodiscard]] std::vector<Statement<Bls>> statements() const {
    std::vector<Statement<Bls>> all;
    for (const Case& one : cases) all.push_back(one.statement());
    return all;
  }
};

const std::vector<std::string> systems = {"zcash-sapling-spend", "zcash-sapling-output",
                                          "zcash-sprout",        "ironfish-spend",
                                          "ironfish-output",     "ironfish-mint"};

RealEnv env;
EnvEntropy<RealEnv> kernel(env);

/// Does a byte string pass as a proof of the statement? Refused by the reader counts as no.
bool accepts(const PreparedVerifyingKey<Bls>& key, const std::vector<Integer>& publics,
             const std::vector<std::byte>& bytes) {
  Proof<Bls> proof;
  try {
    proof = io::parse_proof<Bls>(bytes, "proof");
  } catch (const Malformed&) {
    return false;
  }
  return verify<Bls>(key, publics, proof);
}

}  // namespace

TEST_CASE("real proofs verify one by one and as a batch", "[groth16][vec]") {
  if (!shared_present("fixtures/sapling")) return;
  std::size_t total = 0;
  for (const std::string& name : systems) {
    INFO(name);
    const System system(name);
    const PreparedVerifyingKey<Bls> key(system.vk);
    for (const Case& one : system.cases) {
      CHECK(points_are_valid(one.proof));
      CHECK(verify<Bls>(key, one.publics, one.proof));
    }
    CHECK(verify_batch<Bls>(key, system.statements(), kernel));
    total += system.cases.size();
  }
  CHECK(total == 82);  // 74 from Zcash's main net, 8 by Iron Fish's prover
}

TEST_CASE("the lines of a verifying key are those of its points, whoever asks first", "[groth16]") {
  const VerifyingKey<Bls> vk = System("zcash-sapling-spend").vk;
  const PreparedVerifyingKey<Bls> key(vk);
  const PreparedVerifyingKey<Bls> copy(key);  // NOLINT: shares what is made later
  std::array<const PreparedG2<Bls>*, 8> seen{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] { seen[i] = &(i % 2 == 0 ? key : copy).gamma(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto* lines : seen) CHECK(lines == &key.gamma());
  const auto check = [](const PreparedG2<Bls>& lines, const Bls::G2::Affine& q) {
    const PreparedG2<Bls> expected(q);
    CHECK_FALSE(lines.is_infinity());
    constexpr auto count = detail::miller_doublings<Bls> + detail::miller_additions<Bls>;
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(lines.line(i).constant == expected.line(i).constant);
      CHECK(lines.line(i).slope == expected.line(i).slope);
      CHECK(lines.line(i).vertical == expected.line(i).vertical);
    }
  };
  check(key.beta(), vk.beta_g2);
  check(copy.gamma(), vk.gamma_g2);
  check(key.delta(), vk.delta_g2);
}

TEST_CASE("a batch with one wrong statement is refused, wherever it stands", "[groth16][edge]") {
  if (!shared_present("fixtures/sapling")) return;
  const System system("zcash-sapling-spend");
  const PreparedVerifyingKey<Bls> key(system.vk);
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{13}, system.cases.size() - 1}) {
    auto statements = system.statements();
    statements[wrong].publics = system.cases[(wrong + 1) % system.cases.size()].publics;
    CHECK_FALSE(verify_batch<Bls>(key, statements, kernel));
    statements = system.statements();
    statements[wrong].proof.c = -statements[wrong].proof.c;
    CHECK_FALSE(verify_batch<Bls>(key, statements, kernel));
  }
  // Two errors that cancel without weights: C of one plus a point, of another minus the same.
  auto statements = system.statements();
  const auto delta = Bls::G1::Jacobian::from_affine(Bls::G1::generator());
  const auto shift = [&](std::size_t i, const Bls::G1::Jacobian& by) {
    auto& c = statements[i].proof.c;
    c = (Bls::G1::Jacobian::from_affine(c) + by).to_affine();
  };
  shift(2, delta);
  shift(5, -delta);
  CHECK_FALSE(verify_batch<Bls>(key, statements, kernel));
  CHECK(verify_batch<Bls>(key, std::span<const Statement<Bls>>{}, kernel));
}

TEST_CASE("public values of other proofs are refused", "[groth16][edge]") {
  if (!shared_present("fixtures/sapling")) return;
  for (const std::string& name : systems) {
    const System system(name);
    const PreparedVerifyingKey<Bls> key(system.vk);
    for (std::size_t i = 0; i < system.cases.size() && i < 6; ++i) {
      for (std::size_t j = 0; j < system.cases.size() && j < 6; ++j) {
        if (system.cases[i].publics == system.cases[j].publics) continue;
        CHECK_FALSE(verify<Bls>(key, system.cases[j].publics, system.cases[i].proof));
      }
    }
  }
}

TEST_CASE("exchanged public values are refused", "[groth16][edge]") {
  if (!shared_present("fixtures/sapling")) return;
  for (const std::string& name : systems) {
    const System system(name);
    const PreparedVerifyingKey<Bls> key(system.vk);
    for (const Case& one : system.cases) {
      auto publics = one.publics;
      for (std::size_t i = 0; i + 1 < publics.size(); ++i) {
        if (publics[i] == publics[i + 1]) continue;
        std::swap(publics[i], publics[i + 1]);
        CHECK_FALSE(verify<Bls>(key, publics, one.proof));
        std::swap(publics[i], publics[i + 1]);
      }
    }
  }
}

TEST_CASE("every bit flip of a proof is refused", "[groth16][edge]") {
  if (!shared_present("fixtures/sapling")) return;
  for (const std::string& name : systems) {
    const System system(name);
    const PreparedVerifyingKey<Bls> key(system.vk);
    const Case& one = system.cases[0];
    std::mt19937 random(20261129);
    for (int i = 0; i < 24; ++i) {
      const std::size_t bit = random() % (8 * one.bytes.size());
      auto bytes = one.bytes;
      bytes[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
      INFO(name << " bit " << bit);
      CHECK_FALSE(accepts(key, one.publics, bytes));
    }
  }
}

TEST_CASE("every single bit flip of every real proof is refused", "[groth16][edge][slow]") {
  if (!shared_present("fixtures/sapling")) return;
  for (const std::string& name : systems) {
    const System system(name);
    const PreparedVerifyingKey<Bls> key(system.vk);
    for (const Case& one : system.cases) {
      for (std::size_t bit = 0; bit < 8 * one.bytes.size(); ++bit) {
        auto bytes = one.bytes;
        bytes[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
        INFO(name << " bit " << bit);
        CHECK_FALSE(accepts(key, one.publics, bytes));
      }
    }
  }
}

TEST_CASE("the malleable twin of a proof verifies, as the equation says", "[groth16][law]") {
  if (!shared_present("fixtures/sapling")) return;
  const System system("zcash-sprout");
  const PreparedVerifyingKey<Bls> key(system.vk);
  Proof<Bls> twin = system.cases[0].proof;
  twin.a = -twin.a;
  CHECK_FALSE(verify<Bls>(key, system.cases[0].publics, twin));
  twin.b = -twin.b;
  CHECK(verify<Bls>(key, system.cases[0].publics, twin));
}

TEST_CASE("too few, too many or unreduced public values are an error, not an answer",
          "[groth16][edge]") {
  if (!shared_present("fixtures/sapling")) return;
  const System system("ironfish-mint");
  const PreparedVerifyingKey<Bls> key(system.vk);
  const Case& one = system.cases[0];
  auto publics = one.publics;
  publics.pop_back();
  CHECK_THROWS_AS(verify<Bls>(key, publics, one.proof), InvalidArgument);
  publics = one.publics;
  publics.push_back(Integer::zero());
  CHECK_THROWS_AS(verify<Bls>(key, publics, one.proof), InvalidArgument);
  Statement<Bls> statements[] = {one.statement(), one.statement(), {publics, one.proof}};
  CHECK_THROWS_AS(verify_batch<Bls>(key, statements, kernel), InvalidArgument);
  const std::string have = std::to_string(one.publics.size());
  const std::string got = std::to_string(publics.size());
  CHECK_THROWS_WITH(
      verify_batch<Bls>(key, statements, kernel),
      "verify: statement 2: the key has " + have + " public values, the statement " + got);
  CHECK_THROWS_WITH(verify<Bls>(key, publics, one.proof),
                    "verify: the key has " + have + " public values, the statement " + got);

  publics = one.publics;  // x + r, which fits 256 bits and is the same residue
  limb_ops::add(publics[1], publics[1], Fr::modulus());
  CHECK_THROWS_AS(verify<Bls>(key, publics, one.proof), InvalidArgument);
  statements[2] = {publics, one.proof};
  CHECK_THROWS_WITH(verify_batch<Bls>(key, statements, kernel),
                    "verify: statement 2: public value 1 is not below the order of the curve");
}

TEST_CASE("the vectors of Waves give the stated answers", "[groth16][vec]") {
  if (!shared_present("fixtures/groth16-vectors")) return;
  const Json file = Json::parse(
      read_text(shared_dir() / "fixtures" / "groth16-vectors" / "waves-bls12-381.json"));
  std::size_t valid = 0;
  for (const Json& one : file.at("cases")) {
    const PreparedVerifyingKey<Bls> key(
        io::parse_waves_vk<Bls>(from_hex(one.at("vk")), "waves", true));
    const bool expected = one.at("valid");
    CHECK(accepts(key, publics_of(one.at("public")), from_hex(one.at("proof"))) == expected);
    valid += expected ? 1 : 0;
    if (!expected) continue;
    const auto proof = from_hex(one.at("proof"));
    const auto publics = publics_of(one.at("public"));
    for (std::size_t bit = 0; bit < 8 * proof.size(); bit += 7) {
      auto bytes = proof;
      bytes[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
      INFO("bit " << bit);
      CHECK_FALSE(accepts(key, publics, bytes));
    }
    for (std::size_t i = 0; i + 1 < publics.size(); ++i) {
      auto exchanged = publics;
      std::swap(exchanged[i], exchanged[i + 1]);
      if (!(exchanged[i] == publics[i])) CHECK_FALSE(accepts(key, exchanged, proof));
    }
  }
  CHECK(file.at("cases").size() == 11);
  CHECK(valid == 6);
}
