// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/arith/limb_ops.hpp>

/// Runs tests with each form of the field products that this machine has.
namespace zkgpu::test {

/// Calls f("portable"), then f("mulx/adx") where the processor has them; leaves the best form on.
template <class Function>
void for_each_product_form(Function&& f) {
#if defined(__x86_64__)
  limb_ops::x86::set_mulx_adx(false);
  f("portable");
  if (limb_ops::x86::set_mulx_adx(true)) f("mulx/adx");
#else
  f("portable");
#endif
}

}  // namespace zkgpu::test
