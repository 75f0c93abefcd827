// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <span>

#include <catch2/catch.hpp>

#include <zkgpu/prover/qap/quotient.hpp>

#include "quotients.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::gpu_test;

Integers by_cpu(const QuotientCase& on, QuotientForm form) {
  return with_best_cpu([&](auto cpu) {
    using Host = decltype(cpu);
    auto queue = cpu.make_queue();
    Lender<Host> lender{cpu};
    StageContext<Host> at{cpu, queue, lender};
    const NttTwiddles<Fr> twiddles(on.domain.domain);
    Quotient<Fr, Host> quotient;
    quotient.twiddles = &twiddles;
    quotient.shift = on.domain.shift;
    quotient.form = form;
    Array<Fr> a = on.a, b = on.b;
    const auto h = quotient(at, {std::span<Fr>(a), std::span<Fr>(b)});
    return Integers(h.span().begin(), h.span().end());
  });
}

}  // namespace

TEST_CASE("quotients are the CPU's, number by number, in both forms", "[gpu][qap][fr][agreement]") {
  for (unsigned log_n = 0; log_n <= 22; ++log_n) {
    INFO("2^" << log_n);
    QuotientCase at(log_n);
    for (const auto form : {QuotientForm::coefficients, QuotientForm::odd_coset_values}) {
      INFO("form " << static_cast<int>(form));
      CHECK(at.by_device(form) == by_cpu(at, form));
    }
  }
}
