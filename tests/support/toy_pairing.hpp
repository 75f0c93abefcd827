// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/groth16/verify.hpp>

#include "toy_curve.hpp"

namespace zkgpu::test {

inline bool points_are_valid(const Proof<ToyCurve>& proof) noexcept {
  const auto valid = [](const auto& p) { return !p.is_infinity() && p.is_on_curve(); };
  return valid(proof.a) && valid(proof.b) && valid(proof.c);
}

}  // namespace zkgpu::test

namespace zkgpu {

/// The pairing of the toy curve is the product of the logarithms: e(sG, tG) = st.
template <>
class PreparedVerifyingKey<test::ToyCurve> {
 public:
  explicit PreparedVerifyingKey(const VerifyingKey<test::ToyCurve>& vk) : key_(vk) {}
  [[nodiscard]] const VerifyingKey<test::ToyCurve>& key() const noexcept { return key_; }
  [[nodiscard]] bool equation_holds(const Proof<test::ToyCurve>& proof,
                                    const test::ToyCurve::G1::Affine& x) const noexcept {
    using test::toy_log;
    return toy_log(proof.a) * toy_log(proof.b) == toy_log(key_.alpha_g1) * toy_log(key_.beta_g2) +
                                                      toy_log(x) * toy_log(key_.gamma_g2) +
                                                      toy_log(proof.c) * toy_log(key_.delta_g2);
  }

 private:
  VerifyingKey<test::ToyCurve> key_;
};

}  // namespace zkgpu
