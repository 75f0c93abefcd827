// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "field/lane_loops.hpp"

#if defined(__x86_64__)
#include <zkgpu/field/lanes_avx512ifma_impl.hpp>

namespace zkgpu::bench {

namespace {
template <class F, class Step>
void run(std::size_t steps, const Step& step) {
  using L = Lanes<F, arch::avx512ifma, 2>;
  L x[6];
  for (L& value : x) value = L::broadcast_digits(L::Constants::from_field);
  for (std::size_t i = 0; i < steps; ++i) {
    for (L& value : x) {
      step(value);
      asm volatile("" : : "m"(value) : "memory");
    }
  }
}
}  // namespace

template <class F>
void lane_products(std::size_t steps) {
  using L = Lanes<F, arch::avx512ifma, 2>;
  const L factor = L::broadcast_digits(L::Constants::from_field);
  run<F>(steps, [&](L& x) { x = x * factor; });
}
template <class F>
void lane_squares(std::size_t steps) {
  run<F>(steps, [](auto& x) { x = x.square(); });
}

template void lane_products<Bls12_381::Fq>(std::size_t);
template void lane_products<Bls12_381::Fr>(std::size_t);
template void lane_squares<Bls12_381::Fq>(std::size_t);
template void lane_squares<Bls12_381::Fr>(std::size_t);

}  // namespace zkgpu::bench
#endif
