// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/env.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/groth16/random_scalar.hpp>

namespace zkgpu {

/// The secret behind a key. Whoever knows it can prove false statements, so whoever makes a key
/// alone must be trusted to forget it: a key for others needs a ceremony. Wiped when it dies, never
/// copied.
template <PrimeField F>
struct ToxicWaste {
  F tau, alpha, beta, gamma, delta;

  ToxicWaste() = default;
  ToxicWaste(const F& tau_, const F& alpha_, const F& beta_, const F& gamma_,
             const F& delta_) noexcept
      : tau(tau_), alpha(alpha_), beta(beta_), gamma(gamma_), delta(delta_) {}
  ToxicWaste(const ToxicWaste&) = delete;
  ToxicWaste& operator=(const ToxicWaste&) = delete;
  ~ToxicWaste() {
    for (F* scalar : {&tau, &alpha, &beta, &gamma, &delta}) secure_wipe(*scalar);
  }

  /// All five random and not zero.
  static void draw(EntropySource& source, ToxicWaste& waste) {
    for (F* scalar : {&waste.tau, &waste.alpha, &waste.beta, &waste.gamma, &waste.delta}) {
      *scalar = draw_nonzero_scalar<F>(source);
    }
  }
  /// The same with gamma = 1, as snarkjs keys have it.
  static void draw_with_unit_gamma(EntropySource& source, ToxicWaste& waste) {
    draw(source, waste);
    waste.gamma = F::one();
  }
};

}  // namespace zkgpu
