// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <shared.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/json/groth16_json.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>

/// Keys, witnesses and proofs of small circuits that snarkjs made.
namespace zkgpu::test {

inline const std::vector<std::string>& snarkjs_circuits() {
  static const std::vector<std::string> names = {"mult",    "mult-beacon",     "nopub",
                                                 "manypub", "manypub-initial", "unused",
                                                 "bits",    "poseidon",        "chain10"};
  return names;
}

inline std::filesystem::path snarkjs_file(const std::string& circuit, const std::string& name) {
  return shared_dir() / "fixtures" / "snarkjs" / circuit / name;
}

struct SnarkjsCircuit {
  using Bls = Bls12_381;
  using Fr = Bls::Fr;

  explicit SnarkjsCircuit(const std::string& circuit)
      : key(read_key(circuit)),
        witness(read<Witness<Fr>>(circuit, "witness.wtns",
                                  [](io::ByteSource& in) { return io::read_wtns<Fr>(in); })),
        r1cs(read<io::R1csFile<Fr>>(circuit, "circuit.r1cs", [](io::ByteSource& in) {
               return io::read_r1cs<Fr>(in);
             }).system) {}

  template <class T, class Read>
  static T read(const std::string& circuit, const std::string& name, const Read& read) {
    const auto bytes = read_bytes(snarkjs_file(circuit, name));
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

inline Proof<Bls12_381> read_snarkjs_proof(const std::string& circuit, const std::string& name) {
  return io::parse_proof_json<Bls12_381>(read_bytes(snarkjs_file(circuit, name)), name);
}

inline Bls12_381::Fr field_from_hex(const std::string& text) {
  using Fr = Bls12_381::Fr;
  Fr value = Fr::zero();
  for (const char digit : text.substr(2)) {
    const int nibble = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    value = value * Fr(16) + Fr(nibble);
  }
  return value;
}

/// r and s for which every circuit has a proof by snarkjs.
struct SnarkjsBlinding {
  std::string proof_file;
  Bls12_381::Fr r, s;
};
inline const std::vector<SnarkjsBlinding>& snarkjs_blindings() {
  using Fr = Bls12_381::Fr;
  static const std::vector<SnarkjsBlinding> all = {
      {"proof-r0-s0.json", Fr(0), Fr(0)},
      {"proof-r5-s7.json", Fr(5), Fr(7)},
      {"proof-rmax-sbig.json", Fr(-1), field_from_hex("0x123456789abcdef0fedcba9876543210")}};
  return all;
}

}  // namespace zkgpu::test
