// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The whole life of a proof, with a circuit of our own: "I know x with x³ + x + 5 = y", y public.
#include <cstdio>

#include <zkgpu/core/env.hpp>
#include <zkgpu/prover/circuit/number.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

namespace {

using Curve = zkgpu::Bls12_381;
using Fr = Curve::Fr;

struct Cubic {
  Fr x;  // the secret

  template <zkgpu::ConstraintSystem CS>
  void synthesize(CS& cs) const {
    using Lc = zkgpu::LinearCombination<Fr>;
    const zkgpu::Variable secret = cs.allocate([&] { return x; });
    const zkgpu::Variable square = zkgpu::multiply(cs, secret, secret);
    const zkgpu::Variable cube = zkgpu::multiply(cs, square, secret);
    zkgpu::make_public(cs, Lc(cube) + Lc(secret) + Lc::constant(Fr(5)));
  }
};

bool prove_and_verify() {
  // Setup: whoever runs this could keep the secret of the key, so the verifier should be the one.
  zkgpu::RealEnv env;
  zkgpu::EnvEntropy<zkgpu::RealEnv> entropy(env);
  const auto r1cs = zkgpu::synthesize_r1cs<Fr>(Cubic{});
  const auto key = zkgpu::setup<Curve>(r1cs, entropy, zkgpu::KeyForm::snarkjs);

  // Prove, on all cores and with the best instructions of this machine.
  const zkgpu::Proof<Curve> proof = zkgpu::with_best_cpu([&key](auto cpu) {
    zkgpu::Prover<Curve, decltype(cpu), zkgpu::pipeline::cpu_only> prover(cpu, key);
    return prover.prove(Cubic{Fr(3)});
  });

  // Verify: the proof holds for y = 35, and for no other.
  const zkgpu::PreparedVerifyingKey<Curve> verifier(key.vk);
  const Fr::Integer y[] = {Fr(35).to_integer()};
  const Fr::Integer other[] = {Fr(36).to_integer()};
  return zkgpu::verify<Curve>(verifier, y, proof) && !zkgpu::verify<Curve>(verifier, other, proof);
}

}  // namespace

int main() {
  try {
    const bool good = prove_and_verify();
    std::puts(good ? "proved and verified: x^3 + x + 5 = 35 has a solution that I know" : "WRONG");
    return good ? 0 : 1;
  } catch (const zkgpu::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind());
  }
}
