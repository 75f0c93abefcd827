// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <span>
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

/// body(i, j) for every i and its reversed place j, eight by eight: what is read of a cache line is
/// read while the line is there.
template <class Body>
void for_reversed_places(unsigned log_n, const Body& body) {
  constexpr unsigned bits = 3;
  if (log_n < 2 * bits) {
    for (std::size_t i = 0; i < std::size_t{1} << log_n; ++i) body(i, reverse_bits(i, log_n));
    return;
  }
  // i = (high, middle, low), three bits outside; its place has all three reversed.
  const unsigned log_middle = log_n - 2 * bits;
  constexpr std::size_t side = std::size_t{1} << bits;
  constexpr std::size_t reversed[side] = {0, 4, 2, 6, 1, 5, 3, 7};
  for_ranges(std::size_t{1} << log_middle, task_elements >> (2 * bits),
             [&](std::size_t first, std::size_t last) {
               for (std::size_t middle = first; middle < last; ++middle) {
                 const std::size_t from = middle << bits;
                 const std::size_t to = reverse_bits(middle, log_middle) << bits;
                 for (std::size_t high = 0; high < side; ++high) {
                   const std::size_t row = high << (log_n - bits) | from;
                   const std::size_t column = to | reversed[high];
                   for (std::size_t low = 0; low < side; ++low) {
                     body(row | low, reversed[low] << (log_n - bits) | column);
                   }
                 }
               }
             });
}

/// Swaps every element with the one at the reversed place.
template <NttField F>
void bit_reverse(F* x, unsigned log_n) {
  for_reversed_places(log_n, [=](std::size_t i, std::size_t j) {
    if (i < j) std::swap(x[i], x[j]);
  });
}

/// to = left, or left∘right if `right` is not empty.
template <NttField F>
void multiply(std::span<const F> left, std::span<const F> right, std::span<F> to) {
  for_ranges(to.size(), task_elements, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] = right.empty() ? left[i] : left[i] * right[i];
  });
}

}  // namespace zkgpu::ntt_cpu
