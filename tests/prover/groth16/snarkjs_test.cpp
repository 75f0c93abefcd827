// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Keys, witnesses and proofs made by snarkjs: with the same r and s the proofs are equal.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <string>

#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/qap/quotient.hpp>
#include <zkgpu/prover/witness/evaluate.hpp>

#include "snarkjs_files.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;

namespace {

template <class Policy>
void check_fixed_proofs(const SnarkjsCircuit& fixture, const std::string& circuit) {
  for (const SnarkjsBlinding& fixed : snarkjs_blindings()) {
    INFO(circuit << ' ' << fixed.proof_file);
    const Blinding<Fr> blinding(fixed.r, fixed.s);
    Prover<Bls, Host, Policy> prover(Host{}, fixture.key, {.insecure_blinding = &blinding});
    CHECK(prover.prove(fixture.witness) == read_snarkjs_proof(circuit, fixed.proof_file));
  }
}

}  // namespace

TEST_CASE("with the same r and s, proofs equal those of snarkjs", "[groth16][vec]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string& circuit : snarkjs_circuits()) {
    const SnarkjsCircuit fixture(circuit);
    check_fixed_proofs<pipeline::cpu_only>(fixture, circuit);
    if (fixture.key.log_domain <= 10) check_fixed_proofs<pipeline::reference>(fixture, circuit);
  }
}

TEST_CASE("proofs with fresh r and s verify with the key of snarkjs, and snarkjs's proofs too",
          "[groth16][vec]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string& circuit : snarkjs_circuits()) {
    INFO(circuit);
    const SnarkjsCircuit fixture(circuit);
    const auto vk = io::parse_verification_key_json<Bls>(
        read_bytes(snarkjs_file(circuit, "verification_key.json")), circuit, true);
    CHECK(vk == fixture.key.vk);
    const auto publics =
        io::parse_public_json<Bls>(read_bytes(snarkjs_file(circuit, "public.json")), circuit);
    const PreparedVerifyingKey<Bls> key(vk);
    CHECK(verify<Bls>(key, publics, read_snarkjs_proof(circuit, "proof.json")));

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
    const auto path = snarkjs_file(circuit, "intermediate.json");
    INFO(circuit);
    REQUIRE(std::filesystem::exists(path));
    const auto expected = nlohmann::json::parse(read_text(path));
    const SnarkjsCircuit fixture(circuit);
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
  SnarkjsCircuit fixture("manypub");
  fixture.witness.values.back() = Fr(12345).to_integer();
  Prover<Bls, Host, pipeline::cpu_only> blind(Host{}, fixture.key);
  CHECK_THROWS_AS(blind.prove(fixture.witness), SelfCheckFailed);
  Prover<Bls, Host, pipeline::cpu_only> seeing(Host{}, fixture.key, {.r1cs = &fixture.r1cs});
  CHECK_THROWS_AS(seeing.prove(fixture.witness), WitnessUnsatisfied);
  CHECK(seeing.scratch_bytes_in_use() == 0);
}
