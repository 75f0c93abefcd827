// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/prover/groth16/generate.hpp>
#include <zkgpu/prover/groth16/verify.hpp>
#include <zkgpu/prover/prover.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/builder.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using Bls = Bls12_381;
using Fr = Bls::Fr;
using Host = Cpu<arch::scalar>;

namespace {

ToxicWaste<Fr> some_waste() { return {Fr(11), Fr(12), Fr(13), Fr(14), Fr(15)}; }

/// Proves the circuit with fresh r and s; the prover checks the proof before it returns it.
template <class Program>
Proof<Bls> prove_with(const ProvingKey<Bls>& key, const R1cs<Fr>& r1cs, const Program& circuit) {
  Prover<Bls, Host, pipeline::cpu_only> prover(Host{}, key, {.r1cs = &r1cs});
  return prover.prove(circuit);
}

/// One unused auxiliary wire, and a public value.
struct UnusedWire {
  template <class CS>
  void synthesize(CS& cs) const {
    const Variable x = cs.allocate([] { return Fr(3); });
    cs.allocate([] { return Fr(4); });
    make_public(cs, x);
  }
};

/// No public value, and a domain that is exactly full: 3 rows and that of the constant one.
struct FullDomain {
  template <class CS>
  void synthesize(CS& cs) const {
    Variable x = cs.allocate([] { return Fr(3); });
    for (int i = 0; i < 3; ++i) x = multiply(cs, x, x);
  }
};

/// Only public values, none of which is constrained beyond its input row.
struct OnlyPublic {
  template <class CS>
  void synthesize(CS& cs) const {
    for (int i = 0; i < 3; ++i) cs.allocate_public([=] { return Fr(i); });
  }
};

}  // namespace

TEST_CASE("own keys of both forms give proofs that verify", "[groth16][law]") {
  RealEnv env;
  EnvEntropy<RealEnv> kernel(env);
  const test::SquaringsCircuit<Fr> circuit{.squarings = 40};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const Witness<Fr> witness = synthesize_witness<Fr>(circuit);
  for (const KeyForm form : {KeyForm::snarkjs, KeyForm::bellman}) {
    const auto key = setup<Bls>(r1cs, kernel, form);
    const auto proof = prove_with(key, r1cs, circuit);
    const PreparedVerifyingKey<Bls> vk(key.vk);
    CHECK(verify<Bls>(vk, witness.public_values(1), proof));
    const auto other = setup<Bls>(r1cs, kernel, form);
    CHECK_FALSE(verify<Bls>(PreparedVerifyingKey<Bls>(other.vk), witness.public_values(1), proof));
    CHECK((key.vk.gamma_g2 == Bls::G2::generator()) == (form == KeyForm::snarkjs));
    CHECK_FALSE(key.vk.delta_g2 == key.vk.gamma_g2);
  }
}

TEST_CASE(
    "the two forms differ in roots, basis and matrices, and a constraint system stands in for "
    "the matrices",
    "[groth16][law]") {
  const test::SquaringsCircuit<Fr> circuit{.squarings = 12};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  auto key = generate_key<Bls>(r1cs, some_waste(), KeyForm::snarkjs);
  CHECK(key.has_matrices());
  CHECK(key.a_matrix.rows() == key.domain_size());
  CHECK(key.domain_generator == NttDomain<Fr>::from_generator(key.log_domain, Fr(5)).root);
  CHECK(key.coset_shift.square() == key.domain_generator);
  const auto bellman = generate_key<Bls>(r1cs, some_waste(), KeyForm::bellman);
  CHECK_FALSE(bellman.has_matrices());
  CHECK(bellman.domain_generator == NttDomain<Fr>::from_generator(key.log_domain, Fr(7)).root);
  CHECK(bellman.h.size() + 1 == key.h.size());
  // With the matrices taken away, the constraint system stands in for them.
  const Blinding<Fr> blinding(Fr(5), Fr(6));
  Prover<Bls, Host, pipeline::cpu_only> with(Host{}, key, {.insecure_blinding = &blinding});
  const auto expected = with.prove(circuit);
  auto bare = key;
  bare.a_matrix = {};
  bare.b_matrix = {};
  Prover<Bls, Host, pipeline::cpu_only> without(Host{}, bare,
                                                {.r1cs = &r1cs, .insecure_blinding = &blinding});
  CHECK(without.prove(circuit) == expected);
}

TEST_CASE("circuits at the edge: unused wires, a full domain, public values alone",
          "[groth16][edge]") {
  const auto check = [](const auto& circuit, std::size_t domain, bool bellman_works) {
    const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
    const auto key = generate_key<Bls>(r1cs, some_waste(), KeyForm::snarkjs);
    CHECK(key.domain_size() == domain);
    CHECK_NOTHROW(prove_with(key, r1cs, circuit));
    if (!bellman_works) {
      CHECK_THROWS_AS(generate_key<Bls>(r1cs, some_waste(), KeyForm::bellman), InvalidArgument);
      return;
    }
    CHECK_NOTHROW(
        prove_with(generate_key<Bls>(r1cs, some_waste(), KeyForm::bellman), r1cs, circuit));
  };
  check(UnusedWire{}, 4, false);
  check(FullDomain{}, 4, true);
  check(OnlyPublic{}, 4, true);
  check(test::XorCircuit<Fr>{false, false}, 8, true);
}

TEST_CASE("secrets that cannot be divided by, or lie in the domain, are refused",
          "[groth16][edge]") {
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(test::XorCircuit<Fr>{});
  const auto refused = [&](const ToxicWaste<Fr>& waste) {
    CHECK_THROWS_AS(generate_key<Bls>(r1cs, waste, KeyForm::bellman), InvalidArgument);
  };
  refused({Fr(11), Fr(12), Fr(13), Fr(0), Fr(15)});
  refused({Fr(11), Fr(12), Fr(13), Fr(14), Fr(0)});
  refused({NttDomain<Fr>(3).root, Fr(12), Fr(13), Fr(14), Fr(15)});
  CHECK_THROWS_AS(generate_key<Bls>(R1cs<Fr>{}, some_waste(), KeyForm::bellman), InvalidArgument);
}

TEST_CASE("keys and circuits that do not fit together are refused", "[groth16][edge]") {
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(test::SquaringsCircuit<Fr>{.squarings = 5});
  const R1cs<Fr> other = synthesize_r1cs<Fr>(test::SquaringsCircuit<Fr>{.squarings = 6});
  const auto bellman = generate_key<Bls>(r1cs, some_waste(), KeyForm::bellman);
  using Prover = zkgpu::Prover<Bls, Host, pipeline::cpu_only>;
  CHECK_THROWS_AS(Prover(Host{}, bellman), InvalidArgument);
  CHECK_THROWS_AS(Prover(Host{}, bellman, {.r1cs = &other}), InvalidArgument);
  auto truncated = generate_key<Bls>(r1cs, some_waste(), KeyForm::snarkjs);
  truncated.h.pop_back();
  CHECK_THROWS_AS(Prover(Host{}, truncated), InvalidArgument);
}

TEST_CASE("random scalars are below the order, differ, and fail when the source does",
          "[groth16][fr]") {
  struct Scripted final : EntropySource {
    std::vector<std::uint64_t> limbs;
    std::size_t at = 0;
    void fill(std::span<std::byte> out) override {
      for (std::size_t i = 0; i < out.size(); i += 8) {
        if (at == limbs.size()) throw IoError("random generator: at its end");
        for (std::size_t k = 0; k < 8; ++k)
          out[i + k] = static_cast<std::byte>(limbs[at] >> (8 * k));
        ++at;
      }
    }
  };
  Scripted source;
  const auto push = [&](const Fr::Integer& n) {
    for (const std::uint64_t limb : n.limb) source.limbs.push_back(limb);
  };
  Fr::Integer ones{{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}}};
  Fr::Integer top_bit{{42, 0, 0, std::uint64_t{1} << 63}};
  push(ones);                 // above the order even without the top bit: thrown away
  push(Fr::modulus());        // the order itself: thrown away
  push(Fr(-1).to_integer());  // the largest element
  push(top_bit);              // 42, because only 255 bits count
  CHECK(draw_scalar<Fr>(source) == Fr(-1));
  CHECK(draw_scalar<Fr>(source) == Fr(42));
  CHECK_THROWS_AS(draw_scalar<Fr>(source), IoError);

  RealEnv env;
  EnvEntropy<RealEnv> kernel(env);
  const Masking<Fr> first(kernel);
  const Masking<Fr> second(kernel);
  CHECK_FALSE(first.t() == first.u());
  CHECK_FALSE(first.t() == second.t());
}

TEST_CASE("no randomness, no proof", "[groth16][fault]") {
  struct Broken final : EntropySource {
    void fill(std::span<std::byte>) override { throw IoError("random generator: broken"); }
  };
  Broken broken;
  const test::XorCircuit<Fr> circuit{true, true};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const auto key = generate_key<Bls>(r1cs, some_waste(), KeyForm::snarkjs);
  Prover<Bls, Host, pipeline::cpu_only> prover(Host{}, key, {.entropy = &broken});
  CHECK_THROWS_AS(prover.prove(circuit), IoError);
  CHECK(prover.scratch_bytes_in_use() == 0);
  CHECK_THROWS_AS(setup<Bls>(r1cs, broken, KeyForm::snarkjs), IoError);
}
