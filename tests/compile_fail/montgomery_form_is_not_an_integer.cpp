// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: could not convert | no viable conversion | no matching function | cannot convert
#include <zkgpu/curve/bls12_381.hpp>

int main() {
  using Fr = zkgpu::Bls12_381::Fr;
  const Fr a = Fr::from_integer(Fr(7).to_integer());
  static_cast<void>(a);
#ifdef OFFENCE
  static_cast<void>(Fr::from_integer(a));  // two forms, two types
#endif
}
