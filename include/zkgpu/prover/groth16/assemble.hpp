// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string_view>

#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/groth16/proof.hpp>
#include <zkgpu/prover/groth16/random_scalar.hpp>
#include <zkgpu/prover/groth16/secret_multiple.hpp>

namespace zkgpu {

/// The sums of a proof over the queries of its key.
template <Curve C>
struct QuerySums {
  typename C::G1::Jacobian a, h, l;
  typename C::G1::Jacobian b_g1;  ///< for given r and s only
  typename C::G2::Jacobian b_g2;
};

/// Stage: the proof from the five sums and given blinding scalars r and s, as the paper has it.
///
///     A = α + Σ z_i A_i + r δ
///     B = β + Σ z_i B_i + s δ                                   in G2
///     C = Σ z_i L_i + Σ h_i H_i + s A + r (β + Σ z_i B_i)       in G1
///
/// The usual r B₁ − r s δ, with B₁ = β + Σ z_i B_i + s δ, is r (B₁ − s δ): two multiplications
/// less.
/// @see J. Groth, "On the Size of Pairing-based Non-interactive Arguments", eprint 2016/260 §3.2
template <Curve C, Backend B>
struct Assemble {
  static constexpr std::string_view name = "assemble";
  using Input = QuerySums<C>;
  using Output = Proof<C>;

  const ProvingKey<C>* key = nullptr;
  const Blinding<typename C::Fr>* blinding = nullptr;

  /// @cost three constant-time multiplications in G1, one in G2
  Output operator()(StageContext<B>&, const Input& sums) const {
    using G1 = typename C::G1;
    using G2 = typename C::G2;
    const auto& r = blinding->r;
    const auto& s = blinding->s;
    const auto a = (sums.a + key->vk.alpha_g1 + secret_multiple<G1>(key->delta_g1, r)).to_affine();
    const auto b = sums.b_g2 + key->vk.beta_g2 + secret_multiple<G2>(key->vk.delta_g2, s);
    const auto b_without_s = (sums.b_g1 + key->beta_g1).to_affine();
    const auto c =
        sums.l + sums.h + secret_multiple<G1>(a, s) + secret_multiple<G1>(b_without_s, r);
    return {a, b.to_affine(), c.to_affine()};
  }
};

/// Stage: the proof from four sums, masked by scalars t ≠ 0 and u.
///
///     A₀ = α + Σ z_i A_i     B₀ = β + Σ z_i B_i     C₀ = Σ z_i L_i + Σ h_i H_i
///     A = t A₀               B = t⁻¹ B₀ + u δ       C = C₀ + u A
///
/// (A₀, B₀, C₀) is the proof with r = s = 0; the second line makes of it a uniform one of all
/// proofs that verify, as r and s do, but needs no Σ z_i B_i in G1.
/// @see docs/math/groth16.md, "Four sums instead of five"
template <Curve C, Backend B>
struct Mask {
  static constexpr std::string_view name = "assemble";
  using Input = QuerySums<C>;
  using Output = Proof<C>;

  const ProvingKey<C>* key = nullptr;
  const Masking<typename C::Fr>* masking = nullptr;

  /// @param both  both(f, g) runs f() and g(), at a time if it can; they work on secrets
  /// @cost two constant-time multiplications in G1, two in G2, an inversion
  template <class Both>
  Output operator()(StageContext<B>&, const Input& sums, const Both& both) const {
    using G1 = typename C::G1;
    using G2 = typename C::G2;
    Output made{};
    typename G2::Jacobian b{};
    typename G2::Jacobian b_shift{};
    const auto of_a = [&] {
      const auto a_plain = (sums.a + key->vk.alpha_g1).to_affine();
      made.a = secret_multiple<G1>(a_plain, masking->t()).to_affine();
      made.c = (sums.l + sums.h + secret_multiple<G1>(made.a, masking->u())).to_affine();
    };
    const auto of_b = [&] {
      const auto b_plain = (sums.b_g2 + key->vk.beta_g2).to_affine();
      auto t_inverse = masking->t().inverse_constant_time();
      b = secret_multiple<G2>(b_plain, t_inverse);
      secure_wipe(t_inverse);
    };
    const auto of_shift = [&] { b_shift = secret_multiple<G2>(key->vk.delta_g2, masking->u()); };
    both(of_a, [&] { both(of_b, of_shift); });
    made.b = (b + b_shift).to_affine();
    return made;
  }
};

}  // namespace zkgpu
