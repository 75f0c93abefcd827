// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdio>

#include <zkgpu/curve/bls12_381.hpp>

int main() {
  using G1 = zkgpu::Bls12_381::G1;
  const auto p = G1::Jacobian::from_affine(G1::generator());
  const bool good = p + p == p.doubled();
  std::puts(good ? "P + P == 2P" : "wrong");
  return good ? 0 : 1;
}
