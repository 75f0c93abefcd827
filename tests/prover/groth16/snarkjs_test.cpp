// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Keys, witnesses and proofs made by snarkjs: with the same r and s the proofs are equal.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include <shared.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;

namespace {

const std::vector<std::string> circuits = {"mult",    "mult-beacon",     "nopub",
                                           "manypub", "manypub-initial", "unused",
                                           "bits",    "poseidon",        "chain10"};

std::filesystem::path file(const std::string& circuit, const std::string& name) {
  return shared_dir() / "fixtures" / "snarkjs" / circuit / name;
}

struct Fixture {
  explicit Fixture(const std::string& circuit)
      : key(read_key(circuit)),
        witness(read<Witness<Fr>>(circuit, "witness.wtns",
                                  [](io::ByteSource& in) { return io::read_wtns<Fr>(in); })),
        r1cs(read<io::R1csFile<Fr>>(circuit, "circuit.r1cs", [](io::ByteSource& in) {
               return io::read_r1cs<Fr>(in);
             }).system) {}

  template <class T, class Read>
  static T read(const std::string& circuit, const std::string& name, const Read& read) {
    const auto bytes = read_bytes(file(circuit, name));
    io::SpanSource source(bytes, name);
    return read(source);
  }
  static ProvingKey<Bls> read_key(const std::string& circuit) {
    RealEnv env;
    io::EnvRandom<RealEnv> random(env);
    // manypub-initial has no contribution, which makes it insecure on purpose.
    return read<io::ZkeyFile<Bls>>(circuit, "circuit.zkey",
                                   [&](io::ByteSource& in) {
                                     return io::read_zkey<Bls>(
                                         in, {.random = &random, .allow_insecure = true});
                                   })
        .key;
  }

  ProvingKey<Bls> key;
  Witness<Fr> witness;
  R1cs<Fr> r1cs;
};

Proof<Bls> read_proof(const std::string& circuit, const std::string& name) {
  return io::parse_proof_json<Bls>(read_bytes(file(circuit, name)), name);
}

Fr field_from_hex(const std::string& text) {
  Fr value = Fr::zero();
  for (const char digit : text.substr(2)) {
    const int nibble = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    value = value * Fr(16) + Fr(nibble);
  }
  return value;
}

struct FixedBlinding {
  std::string name;
  Fr r, s;
};
const std::vector<FixedBlinding> blindings = {
    {"proof-r0-s0.json", Fr(0), Fr(0)},
    {"proof-r5-s7.json", Fr(5), Fr(7)},
    {"proof-rmax-sbig.json", Fr(-1), field_from_hex("0x123456789abcdef0fedcba9876543210")}};

template <class Policy>
void check_fixed_proofs(const Fixture& fixture, const std::string& circuit) {
  for (const FixedBlinding& fixed : blindings) {
    INFO(circuit << ' ' << fixed.name);
    const Blinding<Fr> blinding(fixed.r, fixed.s);
    Prover<Bls, Host, Policy> prover(Host{}, fixture.key, {.insecure_blinding = &blinding});
    CHECK(prover.prove(fixture.witness) == read_proof(circuit, fixed.name));
  }
}

}  // namespace

TEST_CASE("with the same r and s, proofs equal those of snarkjs", "[groth16][vec]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string& circuit : circuits) {
    const Fixture fixture(circuit);
    check_fixed_proofs<pipeline::cpu_only>(fixture, circuit);
    if (fixture.key.log_domain <= 10) check_fixed_proofs<pipeline::reference>(fixture, circuit);
  }
}

TEST_CASE("proofs with fresh r and s verify with the key of snarkjs, and snarkjs's proofs too",
          "[groth16][vec]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string& circuit : circuits) {
    INFO(circuit);
    const Fixture fixture(circuit);
    const auto vk = io::parse_verification_key_json<Bls>(
        read_bytes(file(circuit, "verification_key.json")), circuit, true);
    CHECK(vk == fixture.key.vk);
    const auto publics =
        io::parse_public_json<Bls>(read_bytes(file(circuit, "public.json")), circuit);
    const PreparedVerifyingKey<Bls> key(vk);
    CHECK(verify<Bls>(key, publics, read_proof(circuit, "proof.json")));

    Prover<Bls, Host, pipeline::cpu_only> prover(Host{}, fixture.key, {.r1cs = &fixture.r1cs});
    const Proof<Bls> first = prover.prove(fixture.witness);
    const Proof<Bls> second = prover.prove(fixture.witness);
    CHECK(verify<Bls>(key, publics, first));
    CHECK_FALSE(first == second);
    if (publics.empty()) continue;
    auto other = publics;
    other[0] = (Fr::from_integer(other[0]) + Fr::one()).to_integer();
    CHECK_FALSE(verify<Bls>(key, other, first));
  }
}

TEST_CASE("rows and scalars of h are those that snarkjs computes", "[groth16][qap][vec]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string circuit :
       {"mult", "mult-beacon", "nopub", "manypub", "manypub-initial", "unused"}) {
    const auto path = file(circuit, "intermediate.json");
    INFO(circuit);
    REQUIRE(std::filesystem::exists(path));
    const auto expected = nlohmann::json::parse(read_text(path));
    const Fixture fixture(circuit);
    const std::size_t n = fixture.key.domain_size();
    REQUIRE(expected.at("domain").get<std::size_t>() == n);
    CHECK(fixture.key.coset_shift == field_from_hex(expected.at("root_2n")));

    Host cpu;
    auto queue = cpu.make_queue();
    pipeline::simple_memory::Source<Host> memory(cpu, pipeline::unplanned);
    StageContext<Host> at{cpu, queue, memory};
    const auto rows = DomainRows<Fr>::of(fixture.key.a_matrix, fixture.key.b_matrix);
    const auto abc = Evaluate<Fr, Host>{rows, n}(at, fixture.witness.values);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(abc.a.span()[i] == field_from_hex(expected.at("A").at(i)));
      CHECK(abc.b.span()[i] == field_from_hex(expected.at("B").at(i)));
    }
    NttDomain<Fr> domain;
    domain.log_n = fixture.key.log_domain;
    domain.root = fixture.key.domain_generator;
    const NttTwiddles<Fr> twiddles(domain);
    const Quotient<Fr, Host> quotient{&twiddles, fixture.key.coset_shift,
                                      QuotientForm::odd_coset_values};
    const auto h = quotient(at, {abc.a.span(), abc.b.span()});
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(Fr::from_integer(h.span()[i]) == field_from_hex(expected.at("d").at(i)));
    }
  }
}

TEST_CASE("a wrong witness gives no proof, and the constraints tell whose fault it is",
          "[groth16][edge]") {
  if (!shared_present("fixtures/snarkjs")) return;
  Fixture fixture("manypub");
  fixture.witness.values.back() = Fr(12345).to_integer();
  Prover<Bls, Host, pipeline::cpu_only> blind(Host{}, fixture.key);
  CHECK_THROWS_AS(blind.prove(fixture.witness), SelfCheckFailed);
  Prover<Bls, Host, pipeline::cpu_only> seeing(Host{}, fixture.key, {.r1cs = &fixture.r1cs});
  CHECK_THROWS_AS(seeing.prove(fixture.witness), WitnessUnsatisfied);
  CHECK(seeing.scratch_bytes_in_use() == 0);
}
