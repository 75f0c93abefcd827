// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <zkgpu/core/config.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/groth16/proof.hpp>
#include <zkgpu/prover/groth16/random_scalar.hpp>

namespace zkgpu {

namespace detail {

/// The lines of a point that stays, made when they are first asked for, from any thread. Copies
/// share them.
template <PairingCurve C>
class LazyPreparedG2 {
 public:
  explicit LazyPreparedG2(const typename C::G2::Affine& q);
  [[nodiscard]] const PreparedG2<C>& get() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// The cube of Π e(P_i, Q_i) over all terms.
/// @param lines  of the Q of the last terms, read where loops do not run in lanes
template <PairingCurve C>
[[nodiscard]] typename C::Fq12 cubed_pairings(std::span<const PairingTerm<C>> terms,
                                              std::span<const LazyPreparedG2<C>* const> lines);

}  // namespace detail

/// A verifying key with what does not change from proof to proof: e(α, β), and the lines of β, γ,
/// δ where they are read: in scalar code, β's for batches only. The bilinear part of verification,
/// and all of it that knows the pairing.
template <Curve C>
class PreparedVerifyingKey {
  static_assert(always_false<C>, "no pairing for this curve: specialise PreparedVerifyingKey");
};

template <PairingCurve C>
class PreparedVerifyingKey<C> {
 public:
  using G1 = typename C::G1::Affine;

  /// @param vk  points in their subgroups, alpha .. delta not infinity, as readers guarantee
  /// @throws ResourceExhausted if a copy of the key cannot be had
  explicit PreparedVerifyingKey(const VerifyingKey<C>& vk)
      : PreparedVerifyingKey(with_typed_memory_errors(
            "verify", [&vk] { return PreparedVerifyingKey(vk, Untyped{}); })) {}

  [[nodiscard]] const VerifyingKey<C>& key() const noexcept { return key_; }
  /// Lines are made by the first call that asks for them, 20 kB a point.
  /// @throws ResourceExhausted
  [[nodiscard]] const PreparedG2<C>& beta() const { return beta_.get(); }
  [[nodiscard]] const PreparedG2<C>& gamma() const { return gamma_.get(); }
  [[nodiscard]] const PreparedG2<C>& delta() const { return delta_.get(); }

  /// e(A, B) · e(−X, γ) · e(−C, δ) = e(α, β), both sides cubed, which changes no answer.
  /// @param x  Σ x_i · ic_i
  /// @throws ResourceExhausted if lines of points cannot be had, in scalar code
  [[nodiscard]] bool equation_holds(const Proof<C>& proof, const G1& x) const {
    const PairingTerm<C> terms[] = {
        {proof.a, proof.b}, {-x, key_.gamma_g2}, {-proof.c, key_.delta_g2}};
    const detail::LazyPreparedG2<C>* const lines[] = {&gamma_, &delta_};
    return detail::cubed_pairings<C>(terms, lines) == alpha_beta_cubed_;
  }

 private:
  struct Untyped {};  // errors of memory as they come
  PreparedVerifyingKey(const VerifyingKey<C>& vk, Untyped)
      : key_(vk), beta_(vk.beta_g2), gamma_(vk.gamma_g2), delta_(vk.delta_g2) {
    const PairingTerm<C> term{vk.alpha_g1, vk.beta_g2};
    alpha_beta_cubed_ = detail::cubed_pairings<C>(std::span<const PairingTerm<C>>(&term, 1), {});
  }

  VerifyingKey<C> key_;
  detail::LazyPreparedG2<C> beta_, gamma_, delta_;
  typename C::Fq12 alpha_beta_cubed_;
};

/// Are the proof's points on the curve, in their subgroups, and none of them infinity? Readers of
/// proofs guarantee it; what did not come from a reader is asked first.
template <PairingCurve C>
[[nodiscard]] bool points_are_valid(const Proof<C>& proof) noexcept {
  const auto valid = [](const auto& p) {
    return !p.is_infinity() && p.is_on_curve() && is_in_subgroup(p);
  };
  return valid(proof.a) && valid(proof.b) && valid(proof.c);
}

/// Σ x_i · ic_i with x_0 = 1.
///
/// @param publics  x_1 .. x_n, canonical
/// @throws InvalidArgument if their number is not the key's, or one is not below the order: values
///         are never reduced silently, because x and x + r would pass for two statements;
///         ResourceExhausted
template <Curve C>
[[nodiscard]] typename C::G1::Affine public_sum(const VerifyingKey<C>& vk,
                                                std::span<const typename C::Fr::Integer> publics);

/// Does the proof show the statement? True or false is a normal answer.
///
/// @param proof  points in their subgroups and not infinity, see `points_are_valid`
/// @throws InvalidArgument, ResourceExhausted as `public_sum`
/// @cost   three Miller loops, in scalar code two of them prepared, and one final exponentiation
template <Curve C>
[[nodiscard]] bool verify(const PreparedVerifyingKey<C>& key,
                          std::span<const typename C::Fr::Integer> publics, const Proof<C>& proof);

/// One proof with its statement, for `verify_batch`.
template <Curve C>
struct Statement {
  std::span<const typename C::Fr::Integer> publics;
  Proof<C> proof;
};

/// Do all proofs show their statements? One equation with weights of 128 random bits:
///
///     Π e(w_j A_j, B_j) = e(Σ w_j α, β) · e(Σ w_j X_j, γ) · e(Σ w_j C_j, δ)
///
/// If one proof is wrong the answer is yes with chance 2^-128. No proof is none wrong: yes.
/// @param weights  must be unpredictable for whoever made the proofs: the kernel's generator
/// @throws InvalidArgument as `public_sum`, with the number of the statement, from 0; IoError if
///         the source fails; ResourceExhausted if about 1 kB a statement cannot be had
/// @cost   per proof one Miller loop, half a multiplication in G1 and a share of a sum; the rest
///   once
/// @see    docs/math/groth16.md
template <PairingCurve C>
[[nodiscard]] bool verify_batch(const PreparedVerifyingKey<C>& key,
                                std::span<const Statement<C>> statements, EntropySource& weights);

extern template class detail::LazyPreparedG2<Bls12_381>;
extern template Bls12_381::Fq12 detail::cubed_pairings<Bls12_381>(
    std::span<const PairingTerm<Bls12_381>>,
    std::span<const detail::LazyPreparedG2<Bls12_381>* const>);
extern template class PreparedVerifyingKey<Bls12_381>;
extern template Bls12_381::G1::Affine public_sum<Bls12_381>(
    const VerifyingKey<Bls12_381>&, std::span<const Bls12_381::Fr::Integer>);
extern template bool verify<Bls12_381>(const PreparedVerifyingKey<Bls12_381>&,
                                       std::span<const Bls12_381::Fr::Integer>,
                                       const Proof<Bls12_381>&);
extern template bool verify_batch<Bls12_381>(const PreparedVerifyingKey<Bls12_381>&,
                                             std::span<const Statement<Bls12_381>>, EntropySource&);

}  // namespace zkgpu
