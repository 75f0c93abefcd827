// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Groth16 over a curve whose points are scalars modulo 64513, so that every value of a textbook
// example can be looked at; and the same example's values over BLS12-381.
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/msm/cpu_impl.hpp>
#include <zkgpu/ntt/cpu_impl.hpp>
#include <zkgpu/prover/groth16/generate_impl.hpp>
#include <zkgpu/prover/groth16/verify_impl.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/prover_impl.hpp>
#include <zkgpu/prover/qap/quotient_impl.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/witness/evaluate_impl.hpp>

#include "small_circuits.hpp"
#include "toy_pairing.hpp"

using namespace zkgpu;  // NOLINT
using test::toy_log;
using test::ToyCurve;
using test::ToyField;
using Host = Cpu<arch::scalar>;
using Fr = Bls12_381::Fr;

namespace {

template <class F>
ToxicWaste<F> example_waste() {
  return {F(3673), F(48577), F(22580), F(53332), F(5481)};  // tau, alpha, beta, gamma, delta
}

Fr from_hex(const std::string& text) {
  Fr value = Fr::zero();
  for (const char digit : text) {
    value = value * Fr(16) + Fr(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  return value;
}

/// Gives the same bytes again and again.
struct FixedBytes final : EntropySource {
  explicit FixedBytes(std::vector<std::uint64_t> words_) : words(std::move(words_)) {}
  void fill(std::span<std::byte> out) override {
    for (std::size_t i = 0; i < out.size(); ++i, ++taken) {
      out[i] = static_cast<std::byte>(words[taken / 8 % words.size()] >> (8 * (taken % 8)));
    }
  }
  std::vector<std::uint64_t> words;
  std::size_t taken = 0;
};

/// The quotient's coefficients for a witness, by the stages of the prover.
template <class F>
std::vector<F> quotient_of(const R1cs<F>& r1cs, const Witness<F>& witness, unsigned log_n) {
  Host cpu;
  auto queue = cpu.make_queue();
  pipeline::simple_memory::Source<Host> memory(cpu, pipeline::unplanned);
  StageContext<Host> at{cpu, queue, memory};
  const auto ab =
      Evaluate<F, Host>{DomainRows<F>::of(r1cs), std::size_t{1} << log_n}(at, witness.values);
  const auto domain = QuotientDomain<F>::from_generator(log_n, F::generator());
  const NttTwiddles<F> twiddles(domain.domain);
  const auto h = Quotient<F, Host>{&twiddles, domain.shift, QuotientForm::coefficients}(
      at, {ab.a.span(), ab.b.span()});
  std::vector<F> out;
  for (const auto& value : h.span()) out.push_back(F::from_integer(value));
  return out;
}

template <class Policy>
Proof<ToyCurve> prove(const ProvingKey<ToyCurve>& key, const R1cs<ToyField>& r1cs,
                      const Witness<ToyField>& witness, const Blinding<ToyField>& blinding) {
  Prover<ToyCurve, Host, Policy> prover(Host{}, key,
                                        {.r1cs = &r1cs, .insecure_blinding = &blinding});
  return prover.prove(witness);
}

}  // namespace

TEST_CASE("a toy group is its logarithms", "[groth16][law]") {
  using G1 = ToyCurve::G1;
  for (const int s : {0, 1, 2, 77, 64512}) {
    const auto p = test::toy_point<G1>(ToyField(s));
    CHECK(p.is_on_curve());
    CHECK(toy_log(p) == ToyField(s));
    for (const int t : {0, 1, 5, 64512, 64436}) {
      const auto q = test::toy_point<G1>(ToyField(t));
      const auto sum = G1::Jacobian::from_affine(p) + G1::Jacobian::from_affine(q);
      CHECK(toy_log(sum.to_affine()) == ToyField(s) + ToyField(t));
      CHECK(toy_log(secret_multiple<G1>(p, ToyField(t)).to_affine()) == ToyField(s) * ToyField(t));
    }
  }
}

TEST_CASE("the key of the scalar example has the sizes and values of the textbook",
          "[groth16][vec]") {
  const R1cs<ToyField> r1cs = synthesize_r1cs<ToyField>(test::XorCircuit<ToyField>{});
  const auto key = generate_key<ToyCurve>(r1cs, example_waste<ToyField>(), KeyForm::bellman);
  CHECK(key.domain_size() == 8);
  CHECK(key.domain_generator == ToyField(20201));
  CHECK(key.h.size() == 7);
  CHECK(key.l.size() == 2);
  CHECK(key.vk.ic.size() == 2);
  CHECK(key.a.size() == 4);
  CHECK(key.b_g1.size() == 2);
  CHECK(key.b_g2.size() == 2);
  CHECK(toy_log(key.vk.alpha_g1) == ToyField(48577));
  CHECK(toy_log(key.vk.beta_g2) == ToyField(22580));
  CHECK(toy_log(key.vk.gamma_g2) == ToyField(53332));
  CHECK(toy_log(key.vk.delta_g2) == ToyField(5481));
  CHECK(toy_log(key.beta_g1) == ToyField(22580));
  CHECK(toy_log(key.delta_g1) == ToyField(5481));
  // u(τ) for (one, c, a, b), v(τ) for (a, b), w(τ); l and ic follow from them.
  const std::vector<int> u = {59158, 48317, 21767, 10402};
  const std::vector<int> v = {0, 0, 60619, 30791};
  const std::vector<int> w = {0, 23320, 41193, 41193};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(toy_log(key.a[i]) == ToyField(u[i]));
    const ToyField k =
        ToyField(22580) * ToyField(u[i]) + ToyField(48577) * ToyField(v[i]) + ToyField(w[i]);
    if (i < 2) CHECK(toy_log(key.vk.ic[i]) == k * ToyField(53332).inverse());
    if (i >= 2) CHECK(toy_log(key.l[i - 2]) == k * ToyField(5481).inverse());
    if (i >= 2) CHECK(toy_log(key.b_g1[i - 2]) == ToyField(v[i]));
    if (i >= 2) CHECK(toy_log(key.b_g2[i - 2]) == ToyField(v[i]));
  }
  ToyField tau_to_8(3673);
  for (int k = 0; k < 3; ++k) tau_to_8 = tau_to_8.square();
  ToyField h = (tau_to_8 - ToyField(1)) * ToyField(5481).inverse();
  for (const auto& point : key.h) {
    CHECK(toy_log(point) == h);
    h *= ToyField(3673);
  }
}

TEST_CASE("the proof of the scalar example is the sum of its parts", "[groth16][vec]") {
  const test::XorCircuit<ToyField> circuit{true, false};
  const R1cs<ToyField> r1cs = synthesize_r1cs<ToyField>(circuit);
  const Witness<ToyField> witness = synthesize_witness<ToyField>(circuit);
  const std::vector<int> h = {5040, 11763, 10755, 63633, 128, 9747, 8739};
  const auto quotient = quotient_of(r1cs, witness, 3);
  REQUIRE(quotient.size() == h.size());
  for (std::size_t i = 0; i < h.size(); ++i) CHECK(quotient[i] == ToyField(h[i]));

  const auto key = generate_key<ToyCurve>(r1cs, example_waste<ToyField>(), KeyForm::bellman);
  const Blinding<ToyField> blinding(ToyField(27134), ToyField(17146));
  const Proof<ToyCurve> proof = prove<pipeline::reference>(key, r1cs, witness, blinding);

  // By the equations of the textbook: a = 1, b = 0, c = 1.
  const ToyField delta(5481);
  const ToyField r(27134);
  const ToyField s(17146);
  const ToyField a =
      ToyField(48577) + ToyField(59158) + ToyField(48317) + ToyField(21767) + r * delta;
  const ToyField b = ToyField(22580) + ToyField(60619) + s * delta;
  ToyField c = toy_log(key.l[0]) + s * a + r * b - r * s * delta;
  for (std::size_t i = 0; i < h.size(); ++i) c += ToyField(h[i]) * toy_log(key.h[i]);
  CHECK(toy_log(proof.a) == a);
  CHECK(toy_log(proof.b) == b);
  CHECK(toy_log(proof.c) == c);
  CHECK(prove<pipeline::cpu_only>(key, r1cs, witness, blinding) == proof);

  const PreparedVerifyingKey<ToyCurve> vk(key.vk);
  CHECK(verify<ToyCurve>(vk, witness.public_values(1), proof));
  const ToyField::Integer zero{};
  CHECK_FALSE(verify<ToyCurve>(vk, std::span(&zero, 1), proof));
}

TEST_CASE("both forms of key give proofs on the toy curve, whatever the size of the circuit",
          "[groth16][law]") {
  for (const std::size_t squarings : {1U, 2U, 5U, 6U, 13U, 30U, 200U}) {
    const test::SquaringsCircuit<ToyField> circuit{squarings, ToyField(3)};
    const R1cs<ToyField> r1cs = synthesize_r1cs<ToyField>(circuit);
    const Witness<ToyField> witness = synthesize_witness<ToyField>(circuit);
    for (const KeyForm form : {KeyForm::bellman, KeyForm::snarkjs}) {
      const auto key = generate_key<ToyCurve>(r1cs, example_waste<ToyField>(), form);
      const Blinding<ToyField> blinding(ToyField(1), ToyField(2));
      CHECK(prove<pipeline::cpu_only>(key, r1cs, witness, blinding) ==
            prove<pipeline::reference>(key, r1cs, witness, blinding));
    }
  }
}

TEST_CASE("the same example over BLS12-381 has the published intermediate values",
          "[groth16][vec]") {
  const test::XorCircuit<Fr> circuit{true, false};
  const R1cs<Fr> r1cs = synthesize_r1cs<Fr>(circuit);
  const auto at = qap_at_point(r1cs, NttDomain<Fr>(3), Fr(3673));
  const auto hex = [](const char* text) { return from_hex(text); };
  CHECK(at.u[0] == hex("2c7e01821422f1afd8de07e54d11284c12785e629922d1a6b9481f0c68bc0776"));
  CHECK(at.u[1] == hex("73eda753299d7d483339d80809a1d80553bda402fffd6d562f8fb6c60ea5b2f5"));
  CHECK(at.u[2] == hex("4868259234e3a5365130facf7cb7cfec29ee387e204649c118e6133f97aacd8e"));
  CHECK(at.u[3] == hex("030c79aacf3e78e3d77e1dfbf03f466511c7618046b7e85fce27b5f4350899f7"));
  CHECK(at.v[2] == hex("00000000000000000000000000000000000000000000eeca176267614524f275"));
  CHECK(at.v[3] == hex("5b1e6cc7e002185b6ab74b6fd2ed8d93ad0e8cc0496ae1e549fc875bb95f460b"));
  const auto h = quotient_of(r1cs, synthesize_witness<Fr>(circuit), 3);
  const std::vector<Fr> expected = {
      hex("090e91127f404dc9a40084e0a0c0a4e06a8ad0d03bffdf2febffffffec000000"),
      hex("33d62598f3b854ac4beee6ed2cd45f99fd0b0e89481e705af3498bee6518363f"),
      hex("32066efba711deb72b21ff8d0cadd839e7bc17f93c1e76eaf7498bee6918363f"),
      hex("5cce03821b89e599ca3b44ccb16162a66b7c25b220dcd815fe9307dce2306c7e"),
      hex("5e9dba1f68305b8eeb082c2cd187ea0680cb1c422cdcd185fa9307dcde306c7e"),
      hex("3036b85e5a6b68c20a55182cec8750d9d26d2169301e7d7afb498bee6d18363f"),
      hex("2e6701c10dc4f2cce98830cccc60c979bd1e2ad9241e840aff498bee7118363f")};
  CHECK(h == expected);
}

TEST_CASE("a weight of a batch is a + b z^2 with random a and b of 64 bits, and not zero",
          "[groth16][law]") {
  using Params = Bls12_381::G1::Params;
  constexpr std::uint64_t most = ~std::uint64_t{0}, some = 0x8123456789abcdef;
  const std::pair<std::uint64_t, std::uint64_t> pairs[] = {
      {1, 0}, {0, 1}, {some, 3}, {3, some}, {most, most}, {most, 0}, {0, most}};
  const Fr z = Fr::from_integer(Fr::Integer::from_uint64(Params::z_magnitude));
  for (const auto& [a, b] : pairs) {
    FixedBytes source({0, 0, a, b});  // the first draw is zero: another one is made
    const auto weight = detail::draw_weight<Bls12_381>(source);
    CAPTURE(a, b);
    CHECK(source.taken == 32);
    const auto element = [](std::uint64_t n) {
      return Fr::from_integer(Fr::Integer::from_uint64(n));
    };
    CHECK(Fr::from_integer(weight) == element(a) + element(b) * z * z);
    const BaseZSquaredDigits digits = base_z_squared_digits<Params>(weight);
    CHECK(digits.magnitude[0] == Limbs<2>{{a, 0}});
    CHECK(digits.magnitude[1] == Limbs<2>{{b, 0}});
    CHECK_FALSE((a != 0 && digits.negative[0]));
    CHECK_FALSE((b != 0 && digits.negative[1]));
    const auto& g = Bls12_381::G1::generator();
    CHECK(scalar_mul(g, weight) ==
          scalar_mul_double_and_add(Bls12_381::G1::Jacobian::from_affine(g), weight));
  }
}
