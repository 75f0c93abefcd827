// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/progress.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/groth16/random_scalar.hpp>
#include <zkgpu/prover/groth16/toxic_waste.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// Whose keys a new key is like: basis of h, layout of the queries, roots of the domain, and
/// whether the matrices come with it.
enum class KeyForm {
  snarkjs,  ///< h in the odd coset's Lagrange basis, a slot a wire, roots of the smallest
            ///< non-residue, A and B with the key: what a .zkey holds
  bellman,  ///< h in powers of τ, points at infinity left out, roots of the field's generator, no
            ///< matrices: what a .params file holds
};

/// The key of a constraint system for a given secret. For tests, and for `setup`.
///
/// The domain is the smallest power of two that holds the constraints and one row a public wire and
/// the constant one.
/// @param observer  is told of the points made, in multiplications of G1; null: nobody
/// @throws InvalidArgument if the rows do not fit a domain of 2^31, τ lies in the domain (a random
///         one never does), a scalar of the secret that is divided by is zero, or, for bellman's
///         form, an auxiliary wire occurs in no constraint; ResourceExhausted if the key does not
///         fit into memory
/// @cost   one fixed-base multiplication a point, about 16 additions each; all threads of the arena
template <Curve C>
ProvingKey<C> generate_key(const R1cs<typename C::Fr>& r1cs,
                           const ToxicWaste<typename C::Fr>& waste, KeyForm form,
                           ProgressObserver* observer = nullptr);

namespace detail {

template <Curve C>
[[gnu::noinline]] ProvingKey<C> draw_and_generate(const R1cs<typename C::Fr>& r1cs,
                                                  EntropySource& entropy, KeyForm form,
                                                  ProgressObserver* observer) {
  using Waste = ToxicWaste<typename C::Fr>;
  Waste waste;
  form == KeyForm::snarkjs ? Waste::draw_with_unit_gamma(entropy, waste)
                           : Waste::draw(entropy, waste);
  return generate_key<C>(r1cs, waste, form, observer);
}

}  // namespace detail

/// A key from a fresh secret, which is wiped. Whoever runs this could have kept it: such a key is
/// as good as the trust in that one party. In snarkjs's form gamma is one, as in every .zkey.
/// @throws IoError if the source fails; as `generate_key`
template <Curve C>
ProvingKey<C> setup(const R1cs<typename C::Fr>& r1cs, EntropySource& entropy, KeyForm form,
                    ProgressObserver* observer = nullptr) {
  const StackWipe wipe;
  return detail::draw_and_generate<C>(r1cs, entropy, form, observer);
}

extern template ProvingKey<Bls12_381> generate_key<Bls12_381>(const R1cs<Bls12_381::Fr>&,
                                                              const ToxicWaste<Bls12_381::Fr>&,
                                                              KeyForm, ProgressObserver*);

}  // namespace zkgpu
