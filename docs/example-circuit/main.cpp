// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// example-circuit LINKS CIRCUIT.r1cs WITNESS.wtns
//
// Writes the constraint system and the witness of the statement
//
//     "I know a number whose hash chain of LINKS links ends in this public number"
//
// for the program `zkgpu` to set up and prove. One link is a MiMC permutation of 110 rounds
// s ← (s + cᵢ)⁵, three constraints a round: 198 links fill a domain of 2^16. The round constants
// are powers of a generator, which serves an example and no security claim.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>

#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/io/iden3/r1cs_file.hpp>
#include <zkgpu/prover/io/iden3/wtns_file.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

namespace {

using Fr = zkgpu::Bls12_381::Fr;

constexpr unsigned rounds = 110;  // ⌈log₅ r⌉: the permutation has full degree

struct HashChain {
  Fr start;  // the secret
  unsigned links = 1;

  template <zkgpu::ConstraintSystem CS>
  void synthesize(CS& cs) const {
    using Lc = zkgpu::LinearCombination<Fr>;
    zkgpu::Variable state = cs.allocate([&] { return start; });
    for (unsigned link = 0; link < links; ++link) {
      Fr constant = Fr::one();
      for (unsigned round = 0; round < rounds; ++round) {
        const Lc shifted = Lc(state) + Lc::constant(constant);
        const zkgpu::Variable squared = zkgpu::multiply(cs, shifted, shifted);
        const zkgpu::Variable fourth = zkgpu::multiply(cs, squared, squared);
        state = zkgpu::multiply(cs, fourth, shifted);
        constant *= Fr::generator();
      }
    }
    zkgpu::make_public(cs, state);
  }
};

void write_circuit(zkgpu::RealEnv& env, const HashChain& chain, const std::string& path) {
  zkgpu::io::R1csFile<Fr> file;
  file.system = zkgpu::synthesize_r1cs<Fr>(chain);
  file.num_public_inputs = file.system.num_public;
  file.num_private_inputs = 1;
  file.num_labels = file.system.num_wires;
  file.wire_labels.resize(file.system.num_wires);
  std::iota(file.wire_labels.begin(), file.wire_labels.end(), std::uint64_t{0});
  zkgpu::io::AtomicFile sink(env, path);
  zkgpu::io::write_r1cs(sink, file);
  sink.commit();
  std::printf("%s: %zu constraints, %u wires, %u public\n", path.c_str(),
              file.system.num_constraints(), file.system.num_wires, file.system.num_public);
}

void write_witness(zkgpu::RealEnv& env, const HashChain& chain, const std::string& path) {
  zkgpu::io::AtomicFile sink(env, path, zkgpu::io::AtomicFile<zkgpu::RealEnv>::private_mode);
  zkgpu::io::write_wtns<Fr>(sink, zkgpu::synthesize_witness<Fr>(chain));
  sink.commit();
}

}  // namespace

int main(int argc, char** argv) {
  unsigned links = 0;
  const std::string_view count = argc == 4 ? argv[1] : "";
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), links);
  if (argc != 4 || parsed.ec != std::errc() || links == 0 || links > 1'000'000) {
    std::fputs("usage: example-circuit LINKS CIRCUIT.r1cs WITNESS.wtns\n", stderr);
    return 2;
  }
  try {
    zkgpu::RealEnv env;
    const HashChain chain{Fr(20261129), links};
    write_circuit(env, chain, argv[2]);
    write_witness(env, chain, argv[3]);
  } catch (const zkgpu::Error& error) {
    std::fprintf(stderr, "example-circuit: %s\n", error.what());
    return static_cast<int>(error.kind());
  }
  return 0;
}
