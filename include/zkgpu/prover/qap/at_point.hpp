// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

/// The polynomials of a constraint system at one secret point, for the key generator.
namespace zkgpu {

/// x^n for n = 2^log_n.
template <Field F>
[[nodiscard]] F power_of_two_power(F x, unsigned log_n) noexcept {
  for (unsigned k = 0; k < log_n; ++k) x = x.square();
  return x;
}

/// L_j(τ) for the Lagrange polynomials of the n points x_j = s·ω^j:
///
///     L_j(τ) = (τ^n − s^n)·x_j / (n·s^n·(τ − x_j))
///
/// @throws InvalidArgument if τ is one of the points
/// @cost   1 inversion + 6M a point
template <NttField F>
[[nodiscard]] SecretArray<F> lagrange_at(const NttDomain<F>& domain, const F& s, const F& tau) {
  const std::size_t n = domain.size();
  const F s_to_n = power_of_two_power(s, domain.log_n);
  const F vanishing = power_of_two_power(tau, domain.log_n) - s_to_n;
  if (vanishing.is_zero()) throw InvalidArgument("key generation: tau lies in the domain");
  F size = F::one();
  for (unsigned k = 0; k < domain.log_n; ++k) size = size.doubled();

  SecretArray<F> values(n);
  SecretArray<F> scratch(n);
  F x = s;
  for (std::size_t j = 0; j < n; ++j, x = x * domain.root) values[j] = tau - x;
  batch_inverse(std::span<F>(values), std::span<F>(scratch));
  x = s * vanishing * (size * s_to_n).inverse();
  for (std::size_t j = 0; j < n; ++j, x = x * domain.root) values[j] = values[j] * x;
  return values;
}

/// u_i(τ), v_i(τ), w_i(τ): the polynomials that interpolate column i of A, B, C over the domain.
template <PrimeField F>
struct QapAtPoint {
  SecretArray<F> u, v, w;  ///< one value a wire
};

/// How many rows a domain must have for a constraint system: its own, and one a public wire and the
/// constant one.
template <Field F>
[[nodiscard]] std::size_t domain_rows(const R1cs<F>& r1cs) noexcept {
  return r1cs.num_constraints() + r1cs.num_public + 1;
}

/// With the input rows: row num_constraints + i has A = wire i, and neither B nor C.
///
/// @throws InvalidArgument if the rows do not fit the domain, or τ lies in it
/// @cost   lagrange_at, and 1M a non-zero entry
template <NttField F>
[[nodiscard]] QapAtPoint<F> qap_at_point(const R1cs<F>& r1cs, const NttDomain<F>& domain,
                                         const F& tau) {
  if (domain_rows(r1cs) > domain.size()) {
    throw InvalidArgument("key generation: " + std::to_string(domain_rows(r1cs)) +
                          " rows do not fit a domain of " + std::to_string(domain.size()));
  }
  const SecretArray<F> lagrange = lagrange_at(domain, F::one(), tau);
  QapAtPoint<F> at;
  const auto fold = [&](const CsrMatrix<F>& matrix, SecretArray<F>& column) {
    column.assign(r1cs.num_wires, F::zero());
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      for (std::uint64_t i = matrix.row_start[row]; i < matrix.row_start[row + 1]; ++i) {
        F& value = column[matrix.column[i]];
        value = value + matrix.value[i] * lagrange[row];
      }
    }
  };
  fold(r1cs.a, at.u);
  fold(r1cs.b, at.v);
  fold(r1cs.c, at.w);
  for (std::size_t i = 0; i <= r1cs.num_public; ++i) {
    at.u[i] = at.u[i] + lagrange[r1cs.num_constraints() + i];
  }
  return at;
}

}  // namespace zkgpu
