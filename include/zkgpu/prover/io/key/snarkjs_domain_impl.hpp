// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/field/field.hpp>

namespace zkgpu::io::detail {

/// ffjavascript takes its roots of unity from the smallest non-residue, which is 5 in Fr of
/// BLS12-381; the field's generator is 7. Keys that snarkjs made have their rows in powers of this
/// root, and give invalid proofs with the other.
inline constexpr int snarkjs_non_residue = 5;

/// The root of unity of order 2^log_n that snarkjs uses.
template <NttField F>
F snarkjs_root_of_unity(unsigned log_n) noexcept {
  F root = F::two_adic_root(F(snarkjs_non_residue));
  for (unsigned k = F::two_adicity; k > log_n; --k) root = root.square();
  return root;
}

}  // namespace zkgpu::io::detail
