// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace zkgpu {

/// body(constant<0>), ..., body(constant<N - 1>): an array that is indexed by nothing but constants
/// lives in registers. Of a loop that it unrolls, gcc 12 leaves the array's stores behind.
template <std::size_t N, class Body>
[[gnu::always_inline]] inline void unrolled(const Body& body) noexcept {
  [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
    (body(std::integral_constant<std::size_t, i>{}), ...);
  }
  (std::make_index_sequence<N>{});
}

}  // namespace zkgpu
