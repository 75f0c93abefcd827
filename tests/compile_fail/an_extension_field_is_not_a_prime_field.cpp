// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: PrimeField
#include <zkgpu/curve/bls12_381.hpp>

template <zkgpu::PrimeField F>
auto canonical(const F& a) {
  return a.to_integer();
}

int main() {
  static_cast<void>(canonical(zkgpu::Bls12_381::Fq::one()));
#ifdef OFFENCE
  static_cast<void>(canonical(zkgpu::Bls12_381::Fq2::one()));
#endif
}
