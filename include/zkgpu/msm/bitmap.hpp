// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
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

/// @throws InvalidArgument unless all are below the order
template <PrimeField F>
void check_msm_scalars(std::span<const typename F::Integer> scalars) {
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (!F::is_canonical(scalars[i])) {
      throw InvalidArgument("msm: scalar " + std::to_string(i) +
                            " is not below the order of the group");
    }
  }
}

/// @throws InvalidArgument unless it describes scalars.size scalars, each once
template <PrimeField F>
void check_msm_bitmap(const MsmBitmap<F>& scalars) {
  const std::size_t n = scalars.size, words = n / 64 + (n % 64 == 0 ? 0 : 1);
  const auto number = [](std::size_t i) { return std::to_string(i); };
  if (scalars.ones.size() != words) {
    throw InvalidArgument("msm: a bitmap of " + number(scalars.ones.size()) + " words for " +
                          number(n) + " scalars, which take " + number(words));
  }
  if (n % 64 != 0 && scalars.ones.back() >> (n % 64) != 0) {
    throw InvalidArgument("msm: a bitmap of " + number(n) + " scalars has bits beyond them");
  }
  if (scalars.places.size() != scalars.values.size()) {
    throw InvalidArgument("msm: a bitmap with " + number(scalars.places.size()) + " places for " +
                          number(scalars.values.size()) + " wide scalars");
  }
  for (std::size_t i = 0; i < scalars.places.size(); ++i) {
    const std::size_t place = scalars.places[i];
    const auto fail = [&](const std::string& problem) {
      throw InvalidArgument("msm: wide scalar " + number(i) + " of a bitmap, at place " +
                            number(place) + ", " + problem);
    };
    if (place >= n) fail("is beyond its " + number(n) + " scalars");
    if (i > 0 && place <= scalars.places[i - 1]) {
      fail("is out of order: the one before it is at " + number(scalars.places[i - 1]));
    }
    if ((scalars.ones[place / 64] >> (place % 64) & 1) != 0) fail("is marked as a one");
    if (!F::is_canonical(scalars.values[i])) fail("is not below the order of the group");
  }
}

}  // namespace zkgpu
