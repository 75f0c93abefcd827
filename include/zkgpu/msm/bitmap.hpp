// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// Scalars most of which are 0 or 1, as witnesses of circuits are. All spans are the caller's.
///
/// Scalar i is 1 if bit i mod 64 of ones[i / 64] is set, values[j] if i = places[j], else 0.
template <PrimeField F>
struct MsmBitmap {
  std::size_t size = 0;                         ///< n
  std::span<const std::uint64_t> ones;          ///< ⌈n/64⌉ words; no bit beyond n is set
  std::span<const std::uint32_t> places;        ///< ascending, below n, their bits not set
  std::span<const typename F::Integer> values;  ///< as many; canonical
};

}  // namespace zkgpu
