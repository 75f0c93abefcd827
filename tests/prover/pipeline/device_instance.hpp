// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"

namespace zkgpu::test {

/// A random circuit, its key, one witness, and the proof of the textbook for given r and s.
struct ProverInstance {
  using Bls = Bls12_381;
  using Fr = Bls::Fr;

  RandomCircuit<Fr> circuit;
  R1cs<Fr> r1cs;
  Witness<Fr> witness;
  ProvingKey<Bls> key;
  Blinding<Fr> blinding{Fr(123), Fr(456)};
  Proof<Bls> expected;

  explicit ProverInstance(std::size_t constraints, KeyForm form = KeyForm::snarkjs)
      : circuit{.constraints = constraints, .bits = constraints / 3},
        r1cs(synthesize_r1cs<Fr>(circuit)),
        witness(synthesize_witness<Fr>(circuit)),
        key(generate_key<Bls>(r1cs, ToxicWaste<Fr>(Fr(7), Fr(8), Fr(9), Fr(10), Fr(11)), form)),
        expected(Prover<Bls, Cpu<>, pipeline::reference>(Cpu<>{}, key, options()).prove(witness)) {}

  [[nodiscard]] ProverOptions<Bls> options() const {
    ProverOptions<Bls> made{.r1cs = &r1cs, .insecure_blinding = &blinding};
    made.limits.threads = 4;
    return made;
  }
};

}  // namespace zkgpu::test
