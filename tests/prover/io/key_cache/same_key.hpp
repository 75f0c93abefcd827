// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>

namespace zkgpu::test {

/// All that a prover knows of two keys is the same.
inline void expect_same_key(const ProvingKey<Bls12_381>& a, const ProvingKey<Bls12_381>& b) {
  CHECK(a.vk == b.vk);
  CHECK(a.beta_g1 == b.beta_g1);
  CHECK(a.delta_g1 == b.delta_g1);
  CHECK(a.a == b.a);
  CHECK(a.b_g1 == b.b_g1);
  CHECK(a.b_g2 == b.b_g2);
  CHECK(a.l == b.l);
  CHECK(a.h == b.h);
  CHECK(a.h_basis == b.h_basis);
  CHECK(a.layout == b.layout);
  CHECK(a.num_wires == b.num_wires);
  CHECK(a.log_domain == b.log_domain);
  CHECK(a.domain_generator == b.domain_generator);
  CHECK(a.coset_shift == b.coset_shift);
  CHECK(a.a_matrix == b.a_matrix);
  CHECK(a.b_matrix == b.b_matrix);
}

}  // namespace zkgpu::test
