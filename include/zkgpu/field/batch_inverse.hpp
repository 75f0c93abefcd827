// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// Replaces every element by its inverse; zeros stay zero (Montgomery's trick).
///
/// @param elements  in place
/// @param scratch   at least elements.size() elements, overwritten, no overlap with `elements`
/// @cost  3M an element + 1 inversion
template <Field F>
constexpr void batch_inverse(std::span<F> elements, std::span<F> scratch) noexcept {
  F product = F::one();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    scratch[i] = product;
    if (!elements[i].is_zero()) product = product * elements[i];
  }
  F inverse = product.inverse();
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (elements[i].is_zero()) continue;
    const F next = inverse * elements[i];
    elements[i] = inverse * scratch[i];
    inverse = next;
  }
}

}  // namespace zkgpu
