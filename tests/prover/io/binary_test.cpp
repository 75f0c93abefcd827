// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/json/decimal.hpp>
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

/// A compressed point that a reader of proofs refuses, and why.
struct Damage {
  Bytes bytes;
  std::string why;
};

/// Off the curve, outside the subgroup, infinity, other flags.
template <CurveGroup G>
std::array<Damage, 4> damages() {
  const auto bytes_of = [](const typename G::Affine& point) {
    const auto bytes = encode_compressed(point);
    return Bytes(bytes.begin(), bytes.end());
  };
  const auto has_y = [](const typename G::BaseField& x) {
    typename G::BaseField y;
    return sqrt(x.square() * x + G::b(), y);
  };
  typename G::Affine off = G::generator();
  while (has_y(off.x)) off.x += G::BaseField::one();
  Bytes flags = bytes_of(G::generator());
  flags[0] &= std::byte{0x7f};
  return {Damage{bytes_of(off), std::string(to_string(PointStatus::not_on_curve))},
          Damage{bytes_of(point_outside_subgroup<G>(1)),
                 std::string(to_string(PointStatus::not_in_subgroup))},
          Damage{bytes_of(G::Affine::infinity()), "the point at infinity is not allowed"},
          Damage{flags, std::string(to_string(PointStatus::bad_flags))}};
}

/// `count` multiples of a generator, all different.
std::vector<Bls::G1::Affine> multiples(std::size_t count) {
  auto sum = Bls::G1::Jacobian::from_affine(Bls::G1::generator());
  std::vector<Bls::G1::Affine> points;
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back(sum.to_affine());
    sum += Bls::G1::generator();
  }
  return points;
}

void put(Bytes& to, std::size_t at, const Bytes& from) {
  std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
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

TEST_CASE("of many proofs the first bad one is named, with its point and its place", "[io][edge]") {
  constexpr std::size_t size = 48 + 96 + 48;
  const auto points = multiples(201);
  Bytes good;
  for (std::size_t i = 0; i < 200; ++i) {
    const Proof<Bls> proof{points[i], Bls::G2::generator(), points[i + 1]};
    const Bytes one = written([&](io::ByteSink& sink) { io::write_proof(sink, proof); });
    REQUIRE(one.size() == size);
    good.insert(good.end(), one.begin(), one.end());
  }
  const auto proofs = io::parse_proofs<Bls>(good, "p");
  REQUIRE(proofs.size() == 200);
  CHECK(proofs[137].c == points[138]);
  const auto g1 = damages<Bls::G1>();
  const auto g2 = damages<Bls::G2>();
  const std::size_t starts[] = {0, 48, 48 + 96};
  std::size_t next = 0;  // so that each point has each damage
  Bytes all = good;
  for (const std::size_t i : {199u, 64u, 63u, 7u, 0u}) {
    for (const std::size_t which : {2u, 1u, 0u}) {
      const Damage& damage = which == 1 ? g2[next % 4] : g1[next % 4];
      ++next;
      const std::size_t at = i * size + starts[which];
      Bytes bad = good;
      put(bad, at, damage.bytes);
      put(all, at, damage.bytes);  // with those of later points
      const std::string expected = "p: proof " + std::to_string(i) + " at byte " +
                                   std::to_string(at) + ": " + "ABC"[which] + ": " + damage.why;
      for (const Bytes* file : {&bad, &all}) {
        const Outcome outcome = outcome_of([&] { io::parse_proofs<Bls>(*file, "p"); });
        CHECK(outcome.kind == ErrorKind::malformed);
        CHECK(outcome.message == expected);
      }
    }
  }
}

TEST_CASE("of many points of IC the first bad one is named, binary and JSON", "[io][edge]") {
  VerifyingKey<Bls> key{.alpha_g1 = Bls::G1::generator(),
                        .beta_g2 = Bls::G2::generator(),
                        .gamma_g2 = Bls::G2::generator(),
                        .delta_g2 = -Bls::G2::generator(),
                        .ic = {}};
  const auto points = multiples(300);
  key.ic.assign(points.begin(), points.end());
  const Bytes good = written([&](io::ByteSink& sink) { io::write_waves_vk(sink, key); });
  REQUIRE(io::parse_waves_vk<Bls>(good, "v", true).ic == key.ic);
  const auto bad = damages<Bls::G1>();
  const auto outside = point_outside_subgroup<Bls::G1>(1);
  const std::size_t head = good.size() - 300 * 48;
  std::size_t next = 0;
  for (const std::vector<std::size_t>& where : std::vector<std::vector<std::size_t>>{
           {0}, {127}, {128}, {127, 128}, {128, 255}, {149, 150}, {256, 299}, {299}}) {
    const std::size_t first = where.front();
    const Damage& damage = bad[next++ % 4];
    INFO("point " << first << ": " << damage.why);
    Bytes bytes = good;
    VerifyingKey<Bls> other = key;
    for (const std::size_t i : where) {
      put(bytes, head + i * 48, damage.bytes);
      if (next % 2 == 0) {
        other.ic[i] = outside;
      } else {
        other.ic[i].y += Bls::Fq::one();
      }
    }
    const Outcome binary = outcome_of([&] { io::parse_waves_vk<Bls>(bytes, "v", true); });
    CHECK(binary.kind == ErrorKind::malformed);
    CHECK(binary.message == "v: verifying key at byte " + std::to_string(head + first * 48) +
                                ": IC point " + std::to_string(first) + ": " + damage.why);

    const std::string text = io::verification_key_json<Bls>(other, false);
    const Outcome json =
        outcome_of([&] { io::parse_verification_key_json<Bls>(io::bytes_of(text), "v", true); });
    CHECK(json.kind == ErrorKind::malformed);
    const std::string begin = "v: IC[" + std::to_string(first) + "] at byte ";
    INFO(json.message);
    REQUIRE(json.message.starts_with(begin));
    CHECK(json.message.ends_with(next % 2 == 0 ? ": not in the subgroup of prime order"
                                               : ": not on the curve"));
    const std::size_t y = text.find(io::to_decimal(other.ic[first].y.to_integer()));
    const std::size_t at = std::stoul(json.message.substr(begin.size()));
    CHECK(at >= text.rfind('[', y));
    CHECK(at <= text.find(']', y) + 1);
  }
}
