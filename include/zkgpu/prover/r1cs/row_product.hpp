// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// (M z)_row for an assignment of canonical integers.
///
/// A canonical integer z read as if it were in Montgomery form is the element z/R. So the sum of
/// coefficient · (z/R) is the row's value over R, and one product with R puts it right: one
/// multiplication a term and one a row, with no copy of z in Montgomery form.
///
/// @param z  one canonical integer a wire
/// @param r  R = 2^(64 N) as a field element, see `montgomery_radix`
template <PrimeField F>
[[nodiscard]] F row_product(const CsrMatrix<F>& matrix, std::size_t row,
                            std::span<const typename F::Integer> z, const F& r) noexcept {
  const std::uint64_t last = matrix.row_start[row + 1];
  F sum = F::zero();
  for (std::uint64_t i = matrix.row_start[row]; i < last; ++i) {
    sum = sum + matrix.value[i] * F::from_montgomery(z[matrix.column[i]]);
  }
  return sum * r;
}

/// R as an element of F: the integer R mod p is the Montgomery form of one.
template <PrimeField F>
[[nodiscard]] constexpr F montgomery_radix() noexcept {
  return F::from_integer(F::one().montgomery());
}

}  // namespace zkgpu
