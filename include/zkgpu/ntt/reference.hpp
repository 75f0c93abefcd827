// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/ntt/ntt.hpp>

/// The textbook: what every faster transform must agree with.
namespace zkgpu {

/// Σ coefficients[i]·xⁱ by Horner's rule.
template <NttField F>
constexpr F evaluate_polynomial(std::span<const F> coefficients, const F& x) noexcept {
  F value = F::zero();
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

/// The definition: one evaluation for each element of the coset. n² products
template <NttField F>
std::vector<F> dft_reference(const NttDomain<F>& domain, std::span<const F> coefficients,
                             const F& shift = F::one()) {
  std::vector<F> values;
  F x = shift;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    values.push_back(evaluate_polynomial(coefficients, x));
    x *= domain.root;
  }
  return values;
}

template <NttField F>
void bit_reverse_reference(std::span<F> x) {
  unsigned log_n = 0;
  while ((std::size_t{1} << log_n) < x.size()) ++log_n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t j = reverse_bits(i, log_n);
    if (i < j) std::swap(x[i], x[j]);
  }
}

/// Natural order to natural order: reorder, then the radix-2 levels from the smallest up.
/// @see T. Cormen et al., "Introduction to Algorithms", §30.3
template <NttField F>
void ntt_reference(const NttDomain<F>& domain, std::span<F> x, NttDirection direction) {
  const std::size_t n = domain.size();
  const bool inverse = direction == NttDirection::inverse;
  bit_reverse_reference(x);
  for (std::size_t half = 1; half < n; half *= 2) {
    F step = inverse ? domain.root.inverse() : domain.root;  // to order 2·half
    for (std::size_t order = n; order > 2 * half; order /= 2) step = step.square();
    for (std::size_t first = 0; first < n; first += 2 * half) {
      F twiddle = F::one();
      for (std::size_t i = first; i < first + half; ++i) {
        butterfly(x[i], x[i + half], twiddle);
        twiddle *= step;
      }
    }
  }
  if (!inverse) return;
  F scale = F::one();
  for (std::size_t order = n; order > 1; order /= 2) scale = scale.doubled();
  scale = scale.inverse();
  for (F& value : x) value *= scale;
}

}  // namespace zkgpu
