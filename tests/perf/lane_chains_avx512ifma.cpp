// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "lane_chains.hpp"

#if defined(__x86_64__)
#include <zkgpu/field/lanes_avx512ifma_impl.hpp>

namespace zkgpu::test {

using A = arch::avx512ifma;

void lane_madd_chain(std::size_t repetitions) {
  for (std::size_t i = 0; i < repetitions; ++i) {  // in registers that no compiler can move
    asm volatile(
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm1\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm2\n\t"
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm3\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm4\n\t"
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm5\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm6\n\t"
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm7\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm8\n\t"
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm9\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm10\n\t"
        "vpmadd52luq %%zmm0, %%zmm0, %%zmm11\n\tvpmadd52luq %%zmm0, %%zmm0, %%zmm12"
        :
        :
        : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
          "xmm11", "xmm12");
  }
}

template <class F>
void lane_product_chain(std::size_t repetitions) {
  using L = Lanes<F, A, 2>;
  L x[6];
  for (L& value : x) value = L::broadcast_digits(L::Constants::from_field);
  const L factor = x[0];
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (L& value : x) {
      value = value * factor;
      asm volatile("" : : "m"(value) : "memory");
    }
  }
}
template <class F>
void lane_square_chain(std::size_t repetitions) {
  using L = Lanes<F, A, 2>;
  L x[6];
  for (L& value : x) value = L::broadcast_digits(L::Constants::from_field);
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (L& value : x) {
      value = value.square();
      asm volatile("" : : "m"(value) : "memory");
    }
  }
}

template void lane_product_chain<Bls12_381::Fq>(std::size_t);
template void lane_product_chain<Bls12_381::Fr>(std::size_t);
template void lane_square_chain<Bls12_381::Fq>(std::size_t);
template void lane_square_chain<Bls12_381::Fr>(std::size_t);

}  // namespace zkgpu::test
#endif
