// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/field/lanes/fp2_avx512ifma_impl.hpp>

namespace zkgpu::msm_cpu {

using ifma::transpose;

}  // namespace zkgpu::msm_cpu
