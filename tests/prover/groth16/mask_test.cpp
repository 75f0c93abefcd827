// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Proofs from four sums: they are the ones of the paper for other r and s, which whoever knows the
// key's secret can compute.
#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/qap/at_point.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;

namespace {

/// Gives the integers it was made with, one after the other.
class Scripted final : public EntropySource {
 public:
  explicit Scripted(const std::vector<Fr>& scalars) : scalars_(scalars) {}
  void fill(std::span<std::byte> out) override {
    if (next_ == scalars_.size()) throw IoError("random generator: at its end");
    const Fr::Integer integer = scalars_[next_++].to_integer();
    REQUIRE(out.size() == sizeof integer);
    std::memcpy(out.data(), &integer, sizeof integer);
  }

 private:
  std::vector<Fr> scalars_;
  std::size_t next_ = 0;
};

struct Instance {
  test::RandomCircuit<Fr> circuit{.constraints = 100, .bits = 30};
  R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  Witness<Fr> witness = synthesize_witness<Fr>(circuit);
  ToxicWaste<Fr> waste{Fr(3), Fr(5), Fr(7), Fr(11), Fr(13)};
};

}  // namespace

TEST_CASE("a masked proof is the paper's for some r and s", "[groth16][agreement]") {
  const Instance instance;
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const auto key = generate_key<Bls>(instance.r1cs, instance.waste, form);
    NttDomain<Fr> domain;
    domain.log_n = key.log_domain;
    domain.root = key.domain_generator;
    const QapAtPoint<Fr> at = qap_at_point(instance.r1cs, domain, instance.waste.tau);
    Fr a = instance.waste.alpha;  // the logarithms of A₀ and B₀
    Fr b = instance.waste.beta;
    for (std::size_t i = 0; i < instance.witness.size(); ++i) {
      const Fr z = Fr::from_integer(instance.witness.values[i]);
      a += z * at.u[i];
      b += z * at.v[i];
    }
    const Fr by_delta = instance.waste.delta.inverse();
    const std::vector<std::pair<Fr, Fr>> cases = {{Fr(1), Fr(0)},  // r = s = 0
                                                  {Fr(-1), Fr(1)},
                                                  {Fr(12345).inverse(), Fr(-2)}};
    for (const auto& [t, u] : cases) {
      const Blinding<Fr> blinding((t - Fr(1)) * a * by_delta,
                                  (t.inverse() - Fr(1)) * b * by_delta + u);
      Prover<Bls, Host, pipeline::reference> paper(
          Host{}, key, {.r1cs = &instance.r1cs, .insecure_blinding = &blinding});
      Scripted scalars({Fr(0), t, u});  // zero is no t: it is drawn again
      Prover<Bls, Host, pipeline::cpu_only> masked(Host{}, key,
                                                   {.r1cs = &instance.r1cs, .entropy = &scalars});
      CHECK(masked.prove(instance.witness) == paper.prove(instance.witness));
    }
  }
}

TEST_CASE("a prover without given r and s plans no fifth sum", "[groth16][pipeline]") {
  const Instance instance;
  const auto key = generate_key<Bls>(instance.r1cs, instance.waste, KeyForm::snarkjs);
  const Blinding<Fr> blinding(Fr(1), Fr(2));
  using Prover = zkgpu::Prover<Bls, Host, pipeline::cpu_only>;
  const Prover masked(Host{}, key);
  const Prover paper(Host{}, key, {.insecure_blinding = &blinding});
  CHECK(masked.plan().peak_bytes < paper.plan().peak_bytes);
}
