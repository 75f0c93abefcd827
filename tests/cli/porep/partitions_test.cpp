// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A seal of several partitions, with forged proofs: the secret of the reference's key is known.
#include <catch2/catch.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/curve/scalar_mul.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/porep/statement/public_inputs.hpp>

#include "seal_a.hpp"

using namespace zkgpu::test;
using zkgpu::Bls12_381;
namespace porep = zkgpu::porep;

namespace {

using Fr = Bls12_381::Fr;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

porep::Node node_of(const std::string& hex) {
  const std::string bytes = bytes_of_hex(hex);
  porep::Node node{};
  for (std::size_t i = 0; i < node.size(); ++i) node[i] = static_cast<std::byte>(bytes.at(i));
  return node;
}

G1::Jacobian times(const G1::Affine& point, const Fr& k) {
  return zkgpu::scalar_mul(point, k.to_integer());
}

/// A valid proof for any inputs: C = (a b - alpha beta) / delta - gamma / delta * sum of inputs.
zkgpu::Proof<Bls12_381> forge(const zkgpu::VerifyingKey<Bls12_381>& vk,
                              const std::vector<Fr>& inputs, int blinding) {
  const Fr alpha(48577), beta(22580), gamma(53332), delta(5481);  // shared/golden/README.md
  const Fr a(blinding), b(blinding + 1);
  G1::Jacobian sum = G1::Jacobian::from_affine(vk.ic[0]);
  for (std::size_t i = 0; i < inputs.size(); ++i) sum = sum + times(vk.ic[i + 1], inputs[i]);
  const Fr per_delta = delta.inverse();
  zkgpu::Proof<Bls12_381> proof;
  proof.a = times(G1::generator(), a).to_affine();
  proof.b = zkgpu::scalar_mul(G2::generator(), b.to_integer()).to_affine();
  proof.c = (times(G1::generator(), (a * b - alpha * beta) * per_delta) +
             times(sum.to_affine(), -gamma * per_delta))
                .to_affine();
  return proof;
}

/// The reference's non-interactive seal, 13 partitions.
class SealOfParts : public SealA {
 public:
  SealOfParts() {
    const auto seal = lines_of(golden("seal/ni.txt"));
    claim["registered_proof"] = seal.at("registered-proof");
    claim["comm_d"] = seal.at("comm-d");
    claim["comm_r"] = seal.at("comm-r");
    const porep::SealConfig config = porep::registered_proof(seal.at("registered-proof")).config();
    const porep::SealStatement statement{
        {porep::prover_id_of_miner(1000), 1, node_of(repeated("01"))},
        node_of(seal.at("comm-d")),
        node_of(seal.at("comm-r")),
        node_of(repeated("02"))};
    const std::string file = golden("groth16/porep-2KiB.vk");
    const auto key = zkgpu::io::parse_bellman_vk<Bls12_381>(zkgpu::io::bytes_of(file), "vk", true);
    zkgpu::io::MemorySink sink;
    for (const std::vector<Fr>& inputs : porep::seal_public_inputs(config, statement)) {
      zkgpu::io::write_proof(sink, forge(key.key, inputs, ++count));
    }
    for (const std::byte byte : sink.bytes()) bytes += static_cast<char>(byte);
  }
  [[nodiscard]] std::string part(std::size_t k) const { return bytes.substr(192 * k, 192); }
  void replace(std::size_t k, const std::string& by) { proof.replace(192 * k, 192, by); }
  Outcome verify_bytes(const std::string& what) {
    proof = what;
    return verify();
  }
  std::string bytes;
  int count = 0;
};

}  // namespace

TEST_CASE("partitions of a seal are each verified, in their order", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  SealOfParts seal;
  REQUIRE(seal.count == 13);
  const Outcome outcome = seal.verify_bytes(seal.bytes);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "valid\n");
  const auto refused = [&](const std::string& words) {
    const Outcome said = seal.verify();
    CAPTURE(said.err);
    CHECK(said.status == 1);
    CHECK(said.out == words);
  };
  seal.replace(0, seal.part(1));
  seal.replace(1, seal.part(0));
  refused("invalid: partitions 0 1\n");
  seal.proof = seal.part(12) + seal.bytes.substr(0, std::size_t{12} * 192);
  refused("invalid: partitions 0 1 2 3 4 5 6 7 8 9 10 11 12\n");
  seal.proof = seal.bytes;
  seal.replace(7, seal.part(6));
  refused("invalid: partitions 7\n");
}

TEST_CASE("proofs that lack a partition, or have one too many, are malformed", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  SealOfParts seal;
  const auto malformed = [&](const std::string& bytes) {
    const Outcome said = seal.verify_bytes(bytes);
    CAPTURE(bytes.size(), said.err);
    CHECK(said.status == 3);
    CHECK(is_one_error_line(said.err, 3));
    CHECK(said.err.find(std::to_string(bytes.size()) + " bytes; ") != std::string::npos);
  };
  malformed("");
  malformed(seal.part(0));
  malformed(seal.bytes.substr(192));
  malformed(seal.bytes.substr(0, seal.bytes.size() - 1));
  malformed(seal.bytes + "x");
  malformed(seal.bytes + seal.part(0));
}

TEST_CASE("all partitions of a seal are exported", "[cli][porep]") {
  if (!shared_present("golden/reference/groth16/porep-2KiB.vk")) return;
  SealOfParts seal;
  seal.proof = seal.bytes;
  const Outcome outcome = seal.run_verb("export", {seal.path()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto verify = [&](int inputs, int proof) {
    return seal
        .run({"verify", seal / "verification_key.json",
              seal / ("public-" + std::to_string(inputs) + ".json"),
              seal / ("proof-" + std::to_string(proof) + ".json")})
        .status;
  };
  for (int k = 0; k < seal.count; ++k) CHECK(verify(k, k) == 0);
  CHECK(verify(0, 1) == 1);
  CHECK(verify(12, 11) == 1);
}
