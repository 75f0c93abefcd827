// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>

namespace zkgpu {

/// A constraint that an assignment does not satisfy, and the three values of its row: a·b != c.
template <PrimeField F>
struct Violation {
  std::size_t constraint = 0;  ///< from 0
  F a, b, c;
};

/// The first constraint that z violates, or nothing.
///
/// @param z  one canonical integer a wire; z[0] must be one
/// @throws InvalidArgument if the number of values is not the number of wires, or z[0] is not one
template <PrimeField F>
[[nodiscard]] std::optional<Violation<F>> first_violation(const R1cs<F>& r1cs,
                                                          std::span<const typename F::Integer> z) {
  using Integer = typename F::Integer;
  if (z.size() != r1cs.num_wires) {
    throw InvalidArgument("witness: the constraint system has " + std::to_string(r1cs.num_wires) +
                          " wires, the witness " + std::to_string(z.size()) + " values");
  }
  if (z.empty() || !(z[0] == Integer::from_uint64(1))) {
    throw InvalidArgument("witness: value 0 is not one");
  }
  const F radix = montgomery_radix<F>();
  for (std::size_t row = 0; row < r1cs.num_constraints(); ++row) {
    const F a = row_product(r1cs.a, row, z, radix);
    const F b = row_product(r1cs.b, row, z, radix);
    const F c = row_product(r1cs.c, row, z, radix);
    if (!(a * b == c)) return Violation<F>{row, a, b, c};
  }
  return std::nullopt;
}

}  // namespace zkgpu
