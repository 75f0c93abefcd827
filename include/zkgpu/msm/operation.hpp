// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/curve.hpp>

namespace zkgpu {

/// Multi-scalar multiplication.
template <CurveGroup G, Backend B>
struct Msm {
  static_assert(always_false<G, B>,
                "no MSM for this backend: specialise zkgpu::Msm in include/zkgpu/msm/");
};

}  // namespace zkgpu
