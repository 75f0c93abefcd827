// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Keys and proofs of small circuits, byte for byte as another implementation made them with the
// same secret, r and s.
#include <catch2/catch.hpp>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/satisfied.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "golden_files.hpp"
#include "golden_sections.hpp"
#include "small_circuits.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;
using Host = Cpu<arch::scalar>;

namespace {

using Bytes = std::vector<std::byte>;

Bytes proof_bytes(const Proof<Bls>& proof) {
  io::MemorySink sink;
  io::write_proof(sink, proof);
  return sink.take();
}

struct Golden {
  std::map<std::string, std::string> text;
  R1cs<Fr> r1cs;
  Witness<Fr> witness;
  ProvingKey<Bls> key;

  Golden(const std::string& name, R1cs<Fr> r1cs_, Witness<Fr> witness_)
      : text(read_golden_text(name)),
        r1cs(std::move(r1cs_)),
        witness(std::move(witness_)),
        key(generate_key<Bls>(r1cs, golden_waste(), KeyForm::bellman)) {}

  void check_r1cs() const {
    CHECK(std::to_string(r1cs.num_public + 1) == text.at("inputs"));
    CHECK(std::to_string(r1cs.num_auxiliary()) == text.at("aux"));
    CHECK(std::to_string(r1cs.num_constraints()) == text.at("constraints"));
    CHECK(sha256_hex(r1cs_stream(r1cs)) == text.at("r1cs-digest"));
    CHECK_FALSE(first_violation<Fr>(r1cs, witness.values).has_value());
    CHECK(hex(std::as_bytes(witness.public_values(1))) == text.at("public-1"));
  }
  [[nodiscard]] Bytes vk_file() const {
    io::MemorySink sink;
    io::write_bellman_vk(sink, io::FullVerifyingKey<Bls>{key.vk, key.beta_g1, key.delta_g1});
    return sink.take();
  }
  [[nodiscard]] Bytes params_file() const {
    io::MemorySink sink;
    io::write_params(sink, key, io::ParamsCeremony{});
    return sink.take();
  }
  static void check_file(const std::string& name, const Bytes& bytes,
                         const std::map<std::string, std::string>& text) {
    GoldenDigest digest;
    digest.write(bytes);
    check_golden_file(name, digest, text);
  }
  template <class Policy>
  void check_proofs() const {
    const auto prove = [&](const Blinding<Fr>& blinding) {
      Prover<Bls, Host, Policy> prover(Host{}, key,
                                       {.r1cs = &r1cs, .insecure_blinding = &blinding});
      const auto bytes = proof_bytes(prover.prove(witness));
      CHECK(prover.scratch_bytes_in_use() == 0);
      CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
      return bytes;
    };
    CHECK(hex(prove(golden_blinding())) == text.at("proof"));
    CHECK(hex(prove({Fr(0), Fr(0)})) == text.at("proof-r0-s0"));
  }
  void check_everything() const {
    check_r1cs();
    check_golden_sections(key, text);
    check_file("vk", vk_file(), text);
    check_file("params", params_file(), text);
    check_proofs<pipeline::cpu_only>();
  }
};

Golden squarings(unsigned log_rows) {
  const SquaringsCircuit<Fr> circuit{.squarings = (std::size_t{1} << log_rows) - 3};
  return {"squarings-" + std::to_string(log_rows), synthesize_r1cs<Fr>(circuit),
          synthesize_witness<Fr>(circuit)};
}

}  // namespace

TEST_CASE("the key and proof of the exclusive or are reproduced byte for byte", "[groth16][vec]") {
  if (!golden_present()) return;
  const XorCircuit<Fr> circuit{true, false};
  const Golden golden("xor", synthesize_r1cs<Fr>(circuit), synthesize_witness<Fr>(circuit));
  CHECK(golden.r1cs == read_golden_r1cs("xor"));
  golden.check_everything();
  golden.check_proofs<pipeline::reference>();
  CHECK(golden.vk_file() == read_bytes(golden_file("xor.vk")));
  CHECK(golden.params_file() == read_bytes(golden_file("xor.params")));
  CHECK(golden.vk_file().size() == 1060);
  CHECK(golden.params_file().size() == 2904);
}

TEST_CASE("keys and proofs of chains of squarings are reproduced byte for byte", "[groth16][vec]") {
  if (!golden_present()) return;
  for (const unsigned log_rows : {4U, 8U}) {
    const Golden golden = squarings(log_rows);
    const std::string name = "squarings-" + std::to_string(log_rows);
    CHECK(golden.r1cs == read_golden_r1cs(name));
    CHECK(golden.witness.values == read_golden_witness(name).values);
    golden.check_everything();
    golden.check_proofs<pipeline::reference>();
    CHECK(golden.params_file() == read_bytes(golden_file(name + ".params")));
  }
  const Golden golden = squarings(10);
  golden.check_everything();
  CHECK(golden.params_file() == read_bytes(golden_file("squarings-10.params")));
}

TEST_CASE("keys and proofs of long chains have the digests of the reference",
          "[groth16][vec][slow]") {
  if (!golden_present()) return;
  for (const unsigned log_rows : {14U, 16U, 18U}) {
    INFO("squarings-" << log_rows);
    squarings(log_rows).check_everything();
  }
}

TEST_CASE("a point that is not the reference's shows in the section where it stands",
          "[groth16][vec]") {
  if (!golden_present()) return;
  Golden golden = squarings(4);
  const auto differs = [&](auto& points, const char* name) {
    const std::string good = section_text(points);
    CHECK(good == golden.text.at(std::string("section-") + name));
    std::swap(points[1], points[2]);
    CHECK_FALSE(section_text(points) == good);
    std::swap(points[1], points[2]);
  };
  differs(golden.key.h, "h");
  differs(golden.key.l, "l");
  differs(golden.key.a, "a");
  differs(golden.key.b_g1, "b_g1");
  differs(golden.key.b_g2, "b_g2");
}

TEST_CASE("golden proofs verify, and not for another statement", "[groth16][vec]") {
  if (!golden_present()) return;
  for (const std::string name : {"xor", "squarings-4", "squarings-8"}) {
    const auto vk = io::parse_bellman_vk<Bls>(read_bytes(golden_file(name + ".vk")), name);
    const PreparedVerifyingKey<Bls> key(vk.key);
    const auto proof = io::parse_proof<Bls>(read_bytes(golden_file(name + ".proof")), name);
    const Witness<Fr> witness = read_golden_witness(name);
    CHECK(verify<Bls>(key, witness.public_values(1), proof));
    const Fr::Integer other = Fr(9).to_integer();
    CHECK_FALSE(verify<Bls>(key, std::span(&other, 1), proof));
  }
}
