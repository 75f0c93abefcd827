// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

constexpr const char* ceremonies[] = {"zcash-sapling-spend", "zcash-sapling-output",
                                      "zcash-sprout",        "ironfish-spend",
                                      "ironfish-output",     "ironfish-mint"};

Bytes from_hex(std::string_view text) {
  const auto digit = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  Bytes out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    out.push_back(static_cast<std::byte>(16 * digit(text[i]) + digit(text[i + 1])));
  }
  return out;
}

io::ParamsFile<Bls> read_params_bytes(std::span<const std::byte> bytes,
                                      bool allow_insecure = false) {
  RealEnv env;
  io::EnvRandom<RealEnv> random(env);
  io::SpanSource source(bytes, "test.params");
  return io::read_params<Bls>(
      source, {.random = &random, .checked = nullptr, .allow_insecure = allow_insecure});
}

template <class Write>
Bytes written(const Write& write) {
  io::MemorySink sink;
  write(sink);
  return sink.take();
}

}  // namespace

TEST_CASE("verifying keys of Zcash and Iron Fish are read and written back byte for byte",
          "[io][vec]") {
  if (!shared_present("fixtures/sapling")) return;
  for (const char* name : ceremonies) {
    INFO(name);
    const auto folder = shared_dir() / "fixtures" / "sapling" / name;
    const Bytes bytes = read_bytes(folder / "vk.bin");
    const auto vk = io::parse_bellman_vk<Bls>(bytes, "vk.bin");
    CHECK(written([&](io::ByteSink& sink) { io::write_bellman_vk(sink, vk); }) == bytes);
    const std::string json = read_text(folder / "verification_key.json");
    CHECK(io::parse_verification_key_json<Bls>(io::bytes_of(json), "vk.json") == vk.key);
  }
}

TEST_CASE("binary proofs equal their JSON form, one by one and in a row", "[io][vec]") {
  if (!shared_present("fixtures/sapling")) return;
  std::size_t count = 0;
  for (const char* name : ceremonies) {
    const auto folder = shared_dir() / "fixtures" / "sapling" / name;
    Bytes row;
    std::vector<Proof<Bls>> proofs;
    for (int i = 1; std::filesystem::exists(folder / ("proof-" + std::to_string(i) + ".bin"));
         ++i) {
      const std::string base = "proof-" + std::to_string(i);
      INFO(name << " " << base);
      const Bytes bytes = read_bytes(folder / (base + ".bin"));
      const std::string json = read_text(folder / (base + ".json"));
      const auto proof = io::parse_proof<Bls>(bytes, base);
      CHECK(proof == io::parse_proof_json<Bls>(io::bytes_of(json), base));
      CHECK(written([&](io::ByteSink& sink) { io::write_proof(sink, proof); }) == bytes);
      row.insert(row.end(), bytes.begin(), bytes.end());
      proofs.push_back(proof);
      ++count;
    }
    CHECK(io::parse_proofs<Bls>(row, "row") == proofs);
  }
  CHECK(count == 20);
}

TEST_CASE("keys and proofs of Waves are read", "[io][vec]") {
  if (!shared_present("fixtures/groth16-vectors")) return;
  const auto cases = nlohmann::json::parse(
      read_text(shared_dir() / "fixtures" / "groth16-vectors" / "waves-bls12-381.json"));
  std::size_t read = 0;
  for (const auto& entry : cases.at("cases")) {
    const Bytes key = from_hex(entry.at("vk").get<std::string>());
    const Bytes proof = from_hex(entry.at("proof").get<std::string>());
    const auto vk = io::parse_waves_vk<Bls>(key, "vk", true);
    CHECK(written([&](io::ByteSink& sink) { io::write_waves_vk(sink, vk); }) == key);
    CHECK_NOTHROW(io::parse_proof<Bls>(proof, "proof"));
    ++read;
  }
  CHECK(read == 11);
}

TEST_CASE("gnark's verifying key is read, one with a commitment is refused by name", "[io][vec]") {
  if (!shared_present("fixtures/groth16-vectors")) return;
  const auto folder = shared_dir() / "fixtures" / "groth16-vectors";
  const Bytes plain = read_bytes(folder / "gnark-vk-compressed.bin");
  const auto vk = io::parse_gnark_vk<Bls>(plain, "gnark-vk");
  CHECK(vk.key.ic.size() == (plain.size() - 432 - 4 - 8) / 48);
  const Bytes commitment = read_bytes(folder / "gnark-vk-commit-compressed.bin");
  const Outcome outcome =
      outcome_of([&] { io::parse_gnark_vk<Bls>(commitment, "gnark-vk-commit"); });
  CHECK(outcome.kind == ErrorKind::malformed);
  CHECK(outcome.message.find("commitments are not supported") != std::string::npos);
}

TEST_CASE("snarkjs's bellman export is read as what it is", "[io][vec]") {
  if (!snarkjs_present()) return;
  for (const char* circuit : {"mult", "manypub", "manypub-initial", "nopub", "unused"}) {
    const auto path = snarkjs_file(circuit, "circuit.mpcparams");
    if (!std::filesystem::exists(path)) continue;
    INFO(circuit);
    const bool insecure = is_insecure(circuit);
    const Bytes bytes = read_bytes(path);
    const auto params = read_params_bytes(bytes, insecure);
    const auto zkey =
        read_zkey_bytes(read_bytes(snarkjs_file(circuit, "circuit.zkey")), "zkey", insecure);
    CHECK(params.key.layout == QueryLayout::per_wire);
    CHECK(params.key.h_basis == HBasis::tau_powers);
    CHECK(params.report.warnings.size() == 1);
    CHECK(params.key.vk == zkey.key.vk);
    CHECK(params.key.a == zkey.key.a);
    CHECK(params.key.b_g1 == zkey.key.b_g1);
    CHECK(params.key.b_g2 == zkey.key.b_g2);
    CHECK(params.key.l == zkey.key.l);
    CHECK(params.key.h.size() + 1 == zkey.key.h.size());
    CHECK(params.key.domain_generator == zkey.key.domain_generator);
    CHECK(params.ceremony.present);
    CHECK(params.ceremony.contributions == zkey.ceremony.contributions.size());
    CHECK(params.ceremony.circuit_hash == zkey.ceremony.circuit_hash);
    CHECK(params.report.digest == io::digest_of(bytes));
    CHECK(written([&](io::ByteSink& sink) {
            io::write_params(sink, params.key, params.ceremony);
          }) == bytes);
  }
}

TEST_CASE("a proof of a wrong length or with an infinite point is refused", "[io][edge]") {
  for (const std::size_t size : {0u, 1u, 191u, 193u, 383u}) {
    CHECK(outcome_of([&] { io::parse_proofs<Bls>(Bytes(size), "p"); }).kind ==
          ErrorKind::malformed);
  }
  const auto g1 = Bls::G1::generator();
  const auto g2 = Bls::G2::generator();
  for (int which = 0; which < 4; ++which) {
    Proof<Bls> proof{g1, g2, g1};
    if (which == 0) proof.a = Bls::G1::Affine::infinity();
    if (which == 1) proof.b = Bls::G2::Affine::infinity();
    if (which == 2) proof.c = Bls::G1::Affine::infinity();
    const Bytes bytes = written([&](io::ByteSink& sink) { io::write_proof(sink, proof); });
    const Outcome outcome = outcome_of([&] { io::parse_proof<Bls>(bytes, "p"); });
    CHECK((outcome.kind == ErrorKind::malformed) == (which < 3));
  }
}
