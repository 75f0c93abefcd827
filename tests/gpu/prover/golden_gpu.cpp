// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Circuits and keys of other implementations on the device: their proofs, byte for byte.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "prover/groth16/golden_files.hpp"
#include "prover/groth16/snarkjs_files.hpp"
#include "small_circuits.hpp"

using namespace zkgpu;        // NOLINT
using namespace zkgpu::test;  // NOLINT
using Bls = Bls12_381;

namespace {

std::vector<std::byte> bytes_of(const Proof<Bls>& proof) {
  io::MemorySink sink;
  io::write_proof(sink, proof);
  return sink.take();
}

/// What is to be proved.
struct Instance {
  const ProvingKey<Bls>& key;
  const R1cs<Fr>& r1cs;
  const Witness<Fr>& witness;
};

Proof<Bls> prove_on_cpu(const Instance& what, const Blinding<Fr>& blinding) {
  return with_best_cpu([&]<class Machine>(const Machine& cpu) {
    Prover<Bls, Machine, pipeline::cpu_only> prover(
        cpu, what.key, {.r1cs = &what.r1cs, .insecure_blinding = &blinding});
    return prover.prove(what.witness);
  });
}

template <class Policy>
void check_on_device(const Instance& what, const Blinding<Fr>& blinding,
                     const Proof<Bls>& expected) {
  Prover<Bls, Cuda, Policy> prover(Cuda(0), what.key,
                                   {.r1cs = &what.r1cs, .insecure_blinding = &blinding});
  CHECK(bytes_of(prover.prove(what.witness)) == bytes_of(expected));
  CHECK(prover.scratch_bytes_in_use() == 0);
  CHECK(prover.peak_scratch_bytes() <= prover.plan().peak_bytes);
}

/// By the CPU, by a device that holds the key, and by one that gives everything back.
void check_everywhere(const Instance& what, const Blinding<Fr>& blinding,
                      const Proof<Bls>& expected) {
  CHECK(bytes_of(prove_on_cpu(what, blinding)) == bytes_of(expected));
  check_on_device<pipeline::datacenter>(what, blinding, expected);
  check_on_device<pipeline::low_memory>(what, blinding, expected);
}

/// A proof without r and s takes another way, by sums without that over b in G1.
void check_masked(const Instance& what) {
  const PreparedVerifyingKey<Bls> key(what.key.vk);
  const auto publics = what.witness.public_values(what.key.num_public());
  Prover<Bls, Cuda, pipeline::datacenter> prover(Cuda(0), what.key, {.r1cs = &what.r1cs});
  const Proof<Bls> first = prover.prove(what.witness);
  CHECK(verify<Bls>(key, publics, first));
  CHECK_FALSE(prover.prove(what.witness) == first);
}

/// From its bytes in hexadecimal.
Proof<Bls> golden_proof(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return io::parse_proof<Bls>(bytes, "golden proof");
}

void check_golden(const std::string& name, const Instance& what) {
  INFO(name);
  const auto text = read_golden_text(name);
  CHECK(sha256_hex(r1cs_stream(what.r1cs)) == text.at("r1cs-digest"));
  check_everywhere(what, golden_blinding(), golden_proof(text.at("proof")));
  check_everywhere(what, {Fr(0), Fr(0)}, golden_proof(text.at("proof-r0-s0")));
  if (std::filesystem::exists(golden_file(name + ".proof"))) {
    CHECK(hex(read_bytes(golden_file(name + ".proof"))) == text.at("proof"));
  }
  check_masked(what);
}

ProvingKey<Bls> read_golden_key(const std::string& name) {
  const auto bytes = read_bytes(golden_file(name + ".params"));
  RealEnv env;
  io::EnvRandom<RealEnv> random(env);
  io::SpanSource source(bytes, name);
  return io::read_params<Bls>(source, {.random = &random}).key;
}

SquaringsCircuit<Fr> squarings(unsigned log_rows) {
  return {.squarings = (std::size_t{1} << log_rows) - 3};
}

}  // namespace

TEST_CASE("golden circuits with keys from files have their golden proofs on the device",
          "[gpu][prover][golden]") {
  if (!golden_present()) return;
  for (const std::string name : {"xor", "squarings-4", "squarings-8"}) {
    const R1cs<Fr> r1cs = read_golden_r1cs(name);
    const Witness<Fr> witness = read_golden_witness(name);
    const ProvingKey<Bls> key = read_golden_key(name);
    check_golden(name, {key, r1cs, witness});
  }
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(squarings(10));
  const Witness<Fr> witness = synthesize_witness<Fr>(squarings(10));
  const ProvingKey<Bls> key = read_golden_key("squarings-10");
  check_golden("squarings-10", {key, r1cs, witness});
}

TEST_CASE("golden chains too large for a stored key have their golden proofs on the device",
          "[gpu][prover][golden]") {
  if (!golden_present()) return;
  for (const unsigned log_rows : {14U, 16U, 18U}) {
    const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(squarings(log_rows));
    const Witness<Fr> witness = synthesize_witness<Fr>(squarings(log_rows));
    const ProvingKey<Bls> key = generate_key<Bls>(r1cs, golden_waste(), KeyForm::bellman);
    check_golden("squarings-" + std::to_string(log_rows), {key, r1cs, witness});
  }
}

TEST_CASE("with the same r and s, proofs of the device equal those of snarkjs",
          "[gpu][prover][golden]") {
  if (!shared_present("fixtures/snarkjs")) return;
  for (const std::string& circuit : snarkjs_circuits()) {
    const SnarkjsCircuit made(circuit);
    const Instance what{made.key, made.r1cs, made.witness};
    for (const SnarkjsBlinding& fixed : snarkjs_blindings()) {
      INFO(circuit << ' ' << fixed.proof_file);
      check_everywhere(what, {fixed.r, fixed.s}, read_snarkjs_proof(circuit, fixed.proof_file));
    }
    INFO(circuit);
    const auto vk = io::parse_verification_key_json<Bls>(
        read_bytes(snarkjs_file(circuit, "verification_key.json")), circuit, true);
    CHECK(vk == made.key.vk);
    check_masked(what);
  }
}
