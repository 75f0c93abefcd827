// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <utility>

#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/butterfly.hpp>

namespace zkgpu::ntt_cpu {

/// Elements below which a loop is not worth a second thread.
inline constexpr std::size_t task_elements = std::size_t{1} << 12;

/// body(first, last) over [0, n), by several threads if n is worth it.
template <class Body>
void for_ranges(std::size_t n, std::size_t grain, const Body& body) {
  if (n <= grain) {
    body(std::size_t{0}, n);
    return;
  }
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, n, grain),
                            [&body](const auto& range) { body(range.begin(), range.end()); });
}

/// Swaps every element with the one at the reversed place.
template <NttField F>
void bit_reverse(F* x, unsigned log_n) {
  for_ranges(std::size_t{1} << log_n, task_elements, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t j = reverse_bits(i, log_n);
      if (i < j) std::swap(x[i], x[j]);
    }
  });
}

}  // namespace zkgpu::ntt_cpu
