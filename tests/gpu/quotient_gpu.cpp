// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstddef>

#include <catch2/catch.hpp>

#include "agreement/quotients.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;

/// Is a·b - c = h·(X^n - 1) at a random point, in both forms?
void check_at_point(unsigned log_n) {
  INFO("2^" << log_n);
  QuotientCase at(log_n);
  const NttDomain<Fr>& domain = at.domain.domain;
  const Fr x = operand<Fr>(9000 + log_n);
  const Fr vanishing = power_of(x, domain.size()) - Fr::one();
  const Fr a = interpolate_at(domain, x, [&](std::size_t i) { return at.a[i]; });
  const Fr b = interpolate_at(domain, x, [&](std::size_t i) { return at.b[i]; });
  const Fr c = interpolate_at(domain, x, [&](std::size_t i) { return at.a[i] * at.b[i]; });
  const auto h = elements_of(at.by_device(QuotientForm::coefficients));
  CHECK(h.size() == domain.size() - 1);
  CHECK(evaluate(h, x) * vanishing == a * b - c);
  // The values of the other form are -2h on the coset: interpolate at x/σ there.
  const auto values = elements_of(at.by_device(QuotientForm::odd_coset_values));
  const Fr on_coset = interpolate_at(domain, x * at.domain.shift.inverse(),
                                     [&](std::size_t i) { return values[i]; });
  CHECK(on_coset * (-Fr(2)).inverse() * vanishing == a * b - c);
}

}  // namespace

TEST_CASE("the quotient on the device satisfies a·b - c = h·(X^n - 1) at a random point",
          "[gpu][qap][fr][oracle]") {
  for (unsigned log_n = 1; log_n <= 22; ++log_n) check_at_point(log_n);
}

TEST_CASE("large quotients on the device satisfy it too", "[gpu][qap][fr][slow][oracle]") {
  for (unsigned log_n = 23; log_n <= 27; ++log_n) check_at_point(log_n);
}
