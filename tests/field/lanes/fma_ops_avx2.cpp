// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX2 and FMA; called only where the processor has them.
#include "fma_ops.hpp"

#if defined(__x86_64__)
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/lanes/radix52_avx2_impl.hpp>

namespace zkgpu::test {

namespace {

using Products = avx2_fma::Radix52Products<Bls12_381::Fr>;
static_assert(Products::limbs == fma_limbs && avx2_fma::width == fma_width);

avx2_fma::Vector load(const std::uint64_t* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}
void store(avx2_fma::Vector x, std::uint64_t* to) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(to), x);
}
/// Digits as an operand.
struct Operand {
  const FmaBlock& block;
  avx2_fma::Double operator()(std::size_t i) const {
    return avx2_fma::to_double(load(block.digit[i]));
  }
};
void put(const avx2_fma::Vector (&columns)[fma_limbs], FmaBlock& to) {
  for (std::size_t i = 0; i < fma_limbs; ++i) store(columns[i], to.digit[i]);
}

}  // namespace

void fma_halves(const FmaBlock& x, const FmaBlock& y, FmaBlock& high, FmaBlock& low) {
  const avx2_fma::RoundTowardZero scope;
  for (std::size_t i = 0; i < fma_limbs; ++i) {
    const auto a = Operand{x}(i), b = Operand{y}(i);
    const auto h = avx2_fma::high(a, b);
    avx2_fma::Vector upper = avx2_fma::splat(avx2_fma::start_of_sum(0, 1));
    avx2_fma::Vector lower = avx2_fma::splat(avx2_fma::start_of_sum(1, 0));
    avx2_fma::accumulate(upper, h);
    avx2_fma::accumulate(lower, avx2_fma::low(a, b, h));
    store(upper, high.digit[i]);
    store(lower, low.digit[i]);
  }
}

void fma_multiply_known(const FmaBlock& x, const FmaBlock& w, const FmaBlock& quotient,
                        FmaBlock& r) {
  const avx2_fma::RoundTowardZero scope;
  avx2_fma::Vector columns[fma_limbs];
  Products::multiply_known(columns, Operand{x}, [&](std::size_t i) {
    return i < fma_limbs ? Operand{w}(i) : Operand{quotient}(i - fma_limbs);
  });
  put(columns, r);
}
void fma_multiply_low(const FmaBlock& x, const FmaBlock& y, FmaBlock& r) {
  const avx2_fma::RoundTowardZero scope;
  avx2_fma::Vector columns[fma_limbs];
  Products::multiply_low(columns, Operand{x}, Operand{y});
  put(columns, r);
}
void fma_multiply(const FmaBlock& x, const FmaBlock& y, FmaBlock& r) {
  const avx2_fma::RoundTowardZero scope;
  avx2_fma::Vector columns[fma_limbs];
  Products::multiply<0>(columns, Operand{x}, Operand{y});
  put(columns, r);
}
void fma_multiply_less(const FmaBlock& x, const FmaBlock& y, FmaBlock& r) {
  const avx2_fma::RoundTowardZero scope;
  avx2_fma::Vector columns[fma_limbs];
  Products::multiply<1>(columns, Operand{x}, Operand{y});
  put(columns, r);
}

void fma_tenth(double& during, double& after) {
  volatile double one = 1, ten = 10;
  {
    const avx2_fma::RoundTowardZero scope;
    volatile double tenth = one / ten;
    during = tenth;
  }
  volatile double tenth = one / ten;
  after = tenth;
}

}  // namespace zkgpu::test
#endif
