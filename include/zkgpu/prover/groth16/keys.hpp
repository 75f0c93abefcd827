// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// What a verifier needs: alpha, beta, gamma, delta, and one point a public wire.
template <Curve C>
struct VerifyingKey {
  using G1 = typename C::G1::Affine;
  using G2 = typename C::G2::Affine;

  G1 alpha_g1;
  G2 beta_g2, gamma_g2, delta_g2;
  Array<G1> ic;  ///< num_public + 1 points; ic[0] belongs to the constant one

  [[nodiscard]] std::size_t num_public() const noexcept { return ic.empty() ? 0 : ic.size() - 1; }
  friend bool operator==(const VerifyingKey&, const VerifyingKey&) = default;
};

/// In which basis the h query stands; it decides the last steps of the quotient.
///
/// With n the domain size, ω its root of unity and Z(X) = X^n − 1:
enum class HBasis : std::uint8_t {
  /// n points, one a value (A·B − C)(ω_2n^(2j+1)), without division by Z: on that coset Z is −2,
  /// which the points contain. snarkjs; there ω comes from the non-residue 5.
  lagrange_odd_coset,
  /// n − 1 points τ^i Z(τ)/δ, for the coefficients of h = (A·B − C)/Z. bellman; there ω comes from
  /// the generator 7 of BLS12-381.
  tau_powers,
};

/// Which wires the queries a, b_g1 and b_g2 have points for.
enum class QueryLayout : std::uint8_t {
  per_wire,  ///< one slot a wire, infinity where the wire is absent (snarkjs)
  filtered,  ///< no points at infinity: the circuit's densities say which wires remain
};

/// What a Groth16 prover needs. Points are affine and in the subgroups, (0,0) is infinity.
///
/// Wires: 0 the constant one, 1 .. num_public public, the rest auxiliary.
template <Curve C>
struct ProvingKey {
  using Fr = typename C::Fr;
  using G1 = typename C::G1::Affine;
  using G2 = typename C::G2::Affine;

  VerifyingKey<C> vk;
  G1 beta_g1, delta_g1;

  Array<G1> a;     ///< [A_i(τ)]₁            num_wires points, fewer when filtered
  Array<G1> b_g1;  ///< [B_i(τ)]₁            num_wires points, fewer when filtered (inputs first)
  Array<G2> b_g2;  ///< [B_i(τ)]₂            as many as b_g1
  Array<G1> l;     ///< [(β A_i + α B_i + C_i)(τ)/δ]₁   one a auxiliary wire
  Array<G1> h;     ///< see HBasis           n points, or n − 1

  HBasis h_basis = HBasis::lagrange_odd_coset;
  QueryLayout layout = QueryLayout::per_wire;

  std::uint32_t num_wires = 0;
  unsigned log_domain = 0;  ///< n = 2^log_domain
  Fr domain_generator;      ///< ω, of order exactly n
  Fr coset_shift;  ///< ω_2n with ω_2n² = ω (lagrange_odd_coset), or the field's generator

  /// A and B of the constraint system with the input rows, n rows each, when the file carries them
  /// (snarkjs; C is then taken as A∘B row by row). No rows when it does not (bellman).
  CsrMatrix<Fr> a_matrix, b_matrix;

  [[nodiscard]] std::size_t num_public() const noexcept { return vk.num_public(); }
  [[nodiscard]] std::size_t num_auxiliary() const noexcept { return l.size(); }
  [[nodiscard]] std::size_t domain_size() const noexcept { return std::size_t{1} << log_domain; }
  [[nodiscard]] bool has_matrices() const noexcept { return a_matrix.rows() != 0; }
};

}  // namespace zkgpu
