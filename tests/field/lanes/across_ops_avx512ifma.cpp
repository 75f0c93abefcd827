// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX-512 IFMA; called only where the processor has it.
#include "across_ops.hpp"

#if defined(__x86_64__)
#include <zkgpu/field/lanes/across12_avx512ifma_impl.hpp>

namespace zkgpu::test {

namespace {

using A = arch::avx512ifma;
using Fq = Bls12_381::Fq;
using Across = Across12<Bls12_381::G2::Tower, A>;
constexpr unsigned line_bound = 12;

template <unsigned Bound>
Lanes2<Fq, A, Bound> load(const AcrossBlock& from) {
  Lanes2<Fq, A, Bound> r;
  for (std::size_t i = 0; i < lane_limbs<Fq>; ++i) {
    r.c0.limb[i] = ifma::Vector::load_aligned(from.part[0].digit[i]);
    r.c1.limb[i] = ifma::Vector::load_aligned(from.part[1].digit[i]);
  }
  return r;
}

template <AcrossOp op>
void run(const AcrossBlock& in_a, const AcrossBlock& in_b, AcrossBlock& result) {
  const Across a(load<Across::bound>(in_a));
  Across r;
  if constexpr (op == AcrossOp::multiply) r = a * Across(load<Across::bound>(in_b));
  if constexpr (op == AcrossOp::square) r = a.square();
  if constexpr (op == AcrossOp::cyclotomic_square) r = a.cyclotomic_square();
  if constexpr (op == AcrossOp::conjugate) r = a.conjugate();
  if constexpr (op == AcrossOp::frobenius) r = a.frobenius();
  if constexpr (op == AcrossOp::line) r = a.multiply_by_line(load<line_bound>(in_b));
  for (std::size_t i = 0; i < lane_limbs<Fq>; ++i) {
    r.pair().c0.limb[i].store_aligned(result.part[0].digit[i]);
    r.pair().c1.limb[i].store_aligned(result.part[1].digit[i]);
  }
}

template <AcrossOp op>
constexpr AcrossCase make(std::string_view name, unsigned bound_b) {
  return {name, op, Across::bound, bound_b, run<op>};
}

}  // namespace

std::span<const AcrossCase> across_cases() {
  static constexpr AcrossCase cases[] = {make<AcrossOp::multiply>("product", Across::bound),
                                         make<AcrossOp::square>("square", 1),
                                         make<AcrossOp::cyclotomic_square>("cyclotomic square", 1),
                                         make<AcrossOp::conjugate>("conjugate", 1),
                                         make<AcrossOp::frobenius>("Frobenius map", 1),
                                         make<AcrossOp::line>("product with a line", line_bound)};
  return cases;
}

}  // namespace zkgpu::test
#endif
