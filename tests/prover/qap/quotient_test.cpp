// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include <random>
#include <vector>

#include <zkgpu/ntt/cpu_impl.hpp>
#include <zkgpu/prover/pipeline/memory/memory.hpp>
#include <zkgpu/prover/qap/quotient_impl.hpp>
#include <zkgpu/prover/qap/reference.hpp>

#include "field/lanes/lanes_here.hpp"
#include "toy_curve.hpp"

using namespace zkgpu;  // NOLINT
using Host = Cpu<arch::scalar>;
using Fr = Bls12_381::Fr;
using test::ToyField;

static_assert(Stage<Quotient<Fr, Host>, Host>);
static_assert(Stage<QuotientReference<Fr, arch::scalar>, Host>);

namespace {

template <class F>
std::vector<F> random_values(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<F> values;
  for (std::size_t i = 0; i < n; ++i) {
    F x = F::zero();  // Σ 2^31 · digit: far from uniform in the top bits, but any element will do
    for (int k = 0; k < 9; ++k) x = x * F(1 << 30) + F(static_cast<int>(random() >> 34));
    values.push_back(x);
  }
  return values;
}

/// h by the stage S, over the domain whose roots come from `generator`.
template <class S, class H = Host, class F>
std::vector<F> run(QuotientForm form, const QuotientDomain<F>& domain, std::vector<F> a,
                   std::vector<F> b) {
  H cpu;
  typename H::Queue queue = cpu.make_queue();
  pipeline::simple_memory::Source<H> memory{cpu, pipeline::unplanned};
  StageContext<H> at{cpu, queue, memory};
  const NttTwiddles<F> twiddles(domain.domain,
                                std::min(selected_cpu_level(), cpu_level<typename H::Arch>));
  S stage;
  stage.twiddles = &twiddles;
  stage.shift = domain.shift;
  stage.form = form;
  std::vector<F> h;
  {
    const auto out = stage(at, {a, b});
    for (const auto& integer : out.span()) h.push_back(F::from_integer(integer));
  }
  CHECK(memory.account().in_use_bytes() == 0);
  return h;
}

/// Is a·b − c = h·(X^n − 1) as polynomials? At one random point, which errs with chance 2n/|F|.
template <class F>
bool identity_holds_at(const QuotientDomain<F>& domain, std::vector<F> a, std::vector<F> b,
                       const std::vector<F>& h, const F& x) {
  std::vector<F> c;
  for (std::size_t i = 0; i < a.size(); ++i) c.push_back(a[i] * b[i]);
  for (std::vector<F>* values : {&a, &b, &c}) {
    ntt_reference<F>(domain.domain, *values, NttDirection::inverse);
  }
  F x_to_n = x;
  for (unsigned k = 0; k < domain.domain.log_n; ++k) x_to_n = x_to_n.square();
  const auto at_x = [&](const std::vector<F>& p) { return evaluate_polynomial<F>(p, x); };
  return at_x(a) * at_x(b) - at_x(c) == at_x(h) * (x_to_n - F::one());
}

}  // namespace

TEMPLATE_TEST_CASE("six transforms and seven give the same quotient", "[qap][agreement]", Fr,
                   ToyField) {
  using F = TestType;
  for (const unsigned log_n : {0U, 1U, 2U, 3U, 5U, 9U}) {
    for (const F& generator : {F::generator(), smallest_non_residue<F>()}) {
      const auto domain = QuotientDomain<F>::from_generator(log_n, generator);
      const std::size_t n = domain.domain.size();
      const auto a = random_values<F>(n, 11 + log_n);
      const auto b = random_values<F>(n, 77 + log_n);
      for (const auto form : {QuotientForm::coefficients, QuotientForm::odd_coset_values}) {
        const auto h = run<Quotient<F, Host>>(form, domain, a, b);
        const auto expected = run<QuotientReference<F, arch::scalar>>(form, domain, a, b);
        CHECK(h.size() == quotient_size(form, n));
        CHECK(h == expected);
        if (form == QuotientForm::coefficients) {
          CHECK(identity_holds_at(domain, a, b, h, F(1234)));
        }
      }
    }
  }
}

#if defined(__x86_64__)
TEMPLATE_TEST_CASE("the quotient in lanes is the scalar one", "[qap][agreement]", arch::avx2,
                   arch::avx512ifma) {
  test::lanes_run_here<TestType>();
  using Lanes = Cpu<TestType>;  // where the processor has none, this is scalar code too
  for (const unsigned log_n : {0U, 5U, 6U, 7U, 10U, 13U, 14U}) {
    for (const int generator : {5, 7}) {
      const auto domain = QuotientDomain<Fr>::from_generator(log_n, Fr(generator));
      const std::size_t n = domain.domain.size();
      auto a = random_values<Fr>(n, 21 + log_n);
      const auto b = random_values<Fr>(n, 87 + log_n);
      a[0] = Fr::zero();
      a[n - 1] = -Fr::one();
      for (const auto form : {QuotientForm::coefficients, QuotientForm::odd_coset_values}) {
        CAPTURE(log_n, generator, form == QuotientForm::coefficients);
        const bool agree = run<Quotient<Fr, Lanes>, Lanes>(form, domain, a, b) ==
                           run<Quotient<Fr, Host>>(form, domain, a, b);
        CHECK(agree);
      }
    }
  }
}
#endif

TEST_CASE("values on the half coset are minus twice the quotient's", "[qap][law]") {
  const auto domain = QuotientDomain<Fr>::from_generator(12, Fr(5));
  const auto a = random_values<Fr>(4096, 1);
  const auto b = random_values<Fr>(4096, 2);
  auto h = run<Quotient<Fr, Host>>(QuotientForm::coefficients, domain, a, b);
  CHECK(identity_holds_at(domain, a, b, h, Fr(987654321)));
  const auto values = run<Quotient<Fr, Host>>(QuotientForm::odd_coset_values, domain, a, b);
  h.push_back(Fr::zero());
  scale_by_powers<Fr>(h, domain.shift);
  ntt_reference<Fr>(domain.domain, h, NttDirection::forward);
  for (std::size_t j = 0; j < values.size(); ++j) REQUIRE(values[j] == Fr(-2) * h[j]);
}

TEST_CASE("the smallest non-residue of the scalar field is 5, and its root is not that of 7",
          "[qap][fr]") {
  CHECK(smallest_non_residue<Fr>() == Fr(5));
  const auto five = QuotientDomain<Fr>::from_generator(16, Fr(5));
  const auto seven = QuotientDomain<Fr>::from_generator(16, Fr(7));
  CHECK(five.domain.root != seven.domain.root);
  CHECK(five.shift.square() == five.domain.root);
}

TEST_CASE("a coset that does not lie half way, and wrong sizes, are refused", "[qap][edge]") {
  auto domain = QuotientDomain<Fr>::from_generator(3, Fr(7));
  const auto x = random_values<Fr>(8, 3);
  const auto shorter = random_values<Fr>(7, 3);
  const auto form = QuotientForm::coefficients;
  CHECK_THROWS_AS((run<Quotient<Fr, Host>>(form, domain, x, shorter)), InvalidArgument);
  domain.shift = Fr(7);
  CHECK_THROWS_AS((run<Quotient<Fr, Host>>(form, domain, x, x)), InvalidArgument);
  CHECK_THROWS_AS(QuotientDomain<Fr>::from_generator(32, Fr(7)), InvalidArgument);
}
