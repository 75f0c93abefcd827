// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/qap/cuda.hpp>

namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

class Lender : public BufferSource<Cuda> {
 public:
  explicit Lender(const Cuda& cuda) : cuda_(cuda) {}
  Buffer acquire(std::size_t bytes) override { return cuda_.allocate<std::byte>(bytes); }
  void release(Buffer&& buffer) noexcept override { const Buffer gone(std::move(buffer)); }

 private:
  Cuda cuda_;
};

Fr evaluate(const Array<Fr>& coefficients, const Fr& x) {
  Fr r = Fr::zero();
  for (std::size_t i = coefficients.size(); i-- > 0;) r = r * x + coefficients[i];
  return r;
}

/// Σ values[i]·L_i(x) over the domain: (x^n - 1)/n · Σ values[i]·ω^i/(x - ω^i).
Fr interpolate_at(const Array<Fr>& values, const NttDomain<Fr>& domain, const Fr& x) {
  Fr power = x;
  Fr size = Fr::one();
  for (unsigned k = 0; k < domain.log_n; ++k) power = power.square(), size = size.doubled();
  Array<Fr> denominators(values.size()), numerators(values.size()), scratch(values.size());
  Fr w = Fr::one();
  for (std::size_t i = 0; i < values.size(); ++i, w *= domain.root) {
    denominators[i] = x - w;
    numerators[i] = values[i] * w;
  }
  Fr product = Fr::one();
  for (std::size_t i = 0; i < values.size(); ++i) scratch[i] = product, product *= denominators[i];
  Fr inverse = product.inverse();
  Fr sum = Fr::zero();
  for (std::size_t i = values.size(); i-- > 0;) {
    sum += numerators[i] * inverse * scratch[i];
    inverse *= denominators[i];
  }
  return sum * (power - Fr::one()) * size.inverse();
}

}  // namespace

TEST_CASE("the quotient on the device satisfies a·b - c = h·(X^n - 1) at a random point",
          "[gpu][qap][fr]") {
  Cuda cuda(0);
  CudaQueue queue = cuda.make_queue();
  Lender lender(cuda);
  StageContext<Cuda> at{cuda, queue, lender};
  std::mt19937_64 random(51);
  for (unsigned log_n : {1u, 4u, 11u, 12u, 16u, 18u, 19u, 20u}) {
    INFO("2^" << log_n);
    const auto domain = QuotientDomain<Fr>::from_generator(log_n, Fr(log_n % 2 == 0 ? 5 : 7));
    const std::size_t n = domain.domain.size();
    const CudaQuotientTables<Fr> tables(cuda, queue, domain);
    Array<Fr> a(n), b(n), c(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto draw = [&random] {
        return Fr::from_integer(Limbs<4>{{random(), random(), random(), random() >> 2}});
      };
      a[i] = draw();
      b[i] = draw();
      c[i] = a[i] * b[i];
    }
    const Fr x = Fr(12345).inverse();
    Fr power = x;
    for (unsigned k = 0; k < log_n; ++k) power = power.square();
    const Fr difference =
        interpolate_at(a, domain.domain, x) * interpolate_at(b, domain.domain, x) -
        interpolate_at(c, domain.domain, x);
    for (QuotientForm form : {QuotientForm::coefficients, QuotientForm::odd_coset_values}) {
      auto da = cuda.allocate<Fr>(n);
      auto db = cuda.allocate<Fr>(n);
      queue.upload(std::span<const Fr>(a), da.span());
      queue.upload(std::span<const Fr>(b), db.span());
      const Quotient<Fr, Cuda> quotient{&tables, form};
      const auto h = quotient(at, {da.span(), db.span()});
      Array<Fr::Integer> integers(h.size());
      queue.download(DeviceSpan<const Fr::Integer>(h.span()), std::span<Fr::Integer>(integers));
      queue.wait();
      Array<Fr> values(integers.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        REQUIRE(Fr::is_canonical(integers[i]));
        values[i] = Fr::from_integer(integers[i]);
      }
      if (form == QuotientForm::coefficients) {
        CHECK(evaluate(values, x) * (power - Fr::one()) == difference);
      } else {
        // values / -2 are h on the coset σ⟨ω⟩: interpolate at x/σ there.
        const Fr h_at_x =
            interpolate_at(values, domain.domain, x * domain.shift.inverse()) * (-Fr(2)).inverse();
        CHECK(h_at_x * (power - Fr::one()) == difference);
      }
    }
  }
}
