// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/msm/cuda/tuned/row.hpp>

/// Written by `tools/gpu-check tune`; see docs/performance/gpu-msm-operands.md.
namespace zkgpu {

inline constexpr CudaMsmTunedRow cuda_msm_tuned_rows[] = {
    {},  // none yet
};

}  // namespace zkgpu
