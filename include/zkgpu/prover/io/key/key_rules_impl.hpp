// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include <zkgpu/batch/pairing.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/prover/groth16/keys.hpp>

/// What makes a key insecure in any format: whoever accepts it accepts forged proofs.
namespace zkgpu::io {

/// alpha, beta, gamma and delta are not infinity, and delta is not gamma: a key without a
/// contribution to its second phase has both at the generator, and anyone can forge proofs for it.
/// @throws InsecureKey
template <Curve C>
void check_key_rules(const VerifyingKey<C>& vk, const std::string& file) {
  const auto refuse_infinity = [&](const auto& point, const char* name) {
    if (point.is_infinity()) {
      throw InsecureKey(file + ": insecure key: " + name + " is the point at infinity");
    }
  };
  refuse_infinity(vk.alpha_g1, "alpha in G1");
  refuse_infinity(vk.beta_g2, "beta in G2");
  refuse_infinity(vk.gamma_g2, "gamma in G2");
  refuse_infinity(vk.delta_g2, "delta in G2");
  if (vk.delta_g2 == vk.gamma_g2) {
    throw InsecureKey(file +
                      ": insecure key: delta equals gamma (no contribution was made to this key); "
                      "anyone can forge proofs for it");
  }
}

/// The same, and the halves of beta and delta in G1 and G2 belong together.
/// @throws InsecureKey
/// @cost two products of two pairings
template <PairingCurve C>
void check_key_rules(const VerifyingKey<C>& vk, const typename C::G1::Affine& beta_g1,
                     const typename C::G1::Affine& delta_g1, const std::string& file) {
  check_key_rules(vk, file);
  const auto refuse_other = [&](const typename C::G1::Affine& g1, const typename C::G2::Affine& g2,
                                const char* name) {
    // e(x·G1, G2) = e(G1, y·G2) exactly for x = y
    const PairingTerm<C> terms[] = {{g1, C::G2::generator()}, {-C::G1::generator(), g2}};
    if (!batch::pairing_check<C>(terms)) {
      throw InsecureKey(file + ": insecure key: " + name +
                        " in G1 and in G2 do not belong together");
    }
  };
  refuse_other(beta_g1, vk.beta_g2, "beta");
  refuse_other(delta_g1, vk.delta_g2, "delta");
}

template <PairingCurve C>
void check_key_rules(const ProvingKey<C>& key, const std::string& file) {
  check_key_rules(key.vk, key.beta_g1, key.delta_g1, file);
}

}  // namespace zkgpu::io
