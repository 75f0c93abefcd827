// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// W field elements side by side, limb-major: one SIMD instruction works on one limb of all of
/// them.
///
/// @tparam Bound  every element is at most Bound · modulus (a negated zero is just that). Sums and
///                differences add their bounds, a product takes any bounds whose product is at most
///                `max_bound_product` and gives less than 2: a formula that could overflow does not
///                compile.
///
/// Every architecture that has lanes specialises this in `lanes_<arch>_impl.hpp`; only units that
/// are compiled for that architecture include those.
template <PrimeField F, CpuArch A, unsigned Bound = 2>
struct Lanes {
  static_assert(always_false<F, A>,
                "no lanes for this architecture: specialise zkgpu::Lanes in include/zkgpu/field/");
};

}  // namespace zkgpu
