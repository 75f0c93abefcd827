// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/core/array.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// An assignment z to all wires of a circuit: z_0 = 1, then public, then auxiliary values.
///
/// Canonical integers, as files hold them and as multi-scalar multiplications take them. The memory
/// is wiped when it is given back.
template <PrimeField F>
struct Witness {
  using Integer = typename F::Integer;

  SecretArray<Integer> values;  ///< num_wires entries, each below the modulus; values[0] is one

  [[nodiscard]] std::size_t size() const noexcept { return values.size(); }

  /// The public part, z_1 .. z_num_public.
  [[nodiscard]] std::span<const Integer> public_values(std::size_t num_public) const noexcept {
    return std::span<const Integer>(values).subspan(1, num_public);
  }
};

}  // namespace zkgpu
