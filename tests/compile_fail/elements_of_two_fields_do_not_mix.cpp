// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: no match for 'operator+' | invalid operands to binary expression
#include <zkgpu/curve/bls12_381.hpp>

int main() {
  const auto base = zkgpu::Bls12_381::Fq::one();
  const auto scalar = zkgpu::Bls12_381::Fr::one();
  static_cast<void>(base + base);
  static_cast<void>(scalar + scalar);
#ifdef OFFENCE
  static_cast<void>(base + scalar);
#endif
}
