// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: no match for 'operator==' | invalid operands to binary expression
#include <zkgpu/curve/bls12_381.hpp>

int main() {
  using zkgpu::Bls12_381;
  static_cast<void>(Bls12_381::G1::generator() == Bls12_381::G1::generator());
#ifdef OFFENCE
  static_cast<void>(Bls12_381::G1::generator() == Bls12_381::G2::generator());
#endif
}
