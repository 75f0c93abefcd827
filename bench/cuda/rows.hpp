// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string>

#include "measure.hpp"

namespace zkgpu::bench {

void field_rows(const Cuda& cuda, Report& report);  ///< products, squares, point additions
void pair_rows(const Cuda& cuda, Report& report);   ///< rounds of affine additions
void ntt_rows(const Cuda& cuda, Report& report);
void quotient_rows(const Cuda& cuda, Report& report);
void msm_rows(const Cuda& cuda, Report& report);
void msm_quick_rows(const Cuda& cuda, Report& report);   ///< a few sizes, between changes
void msm_window_rows(const Cuda& cuda, Report& report);  ///< tuning: one row a window width
void streamed_rows(const Cuda& cuda, Report& report);    ///< operands in the host's memory
void bitmap_rows(const Cuda& cuda, Report& report);      ///< witnesses as bitmaps

/// Measures plans of sums and writes the fastest ones as include/zkgpu/msm/cuda/tuned/rows.hpp.
void tune_rows(const Cuda& cuda, const std::string& path);
void profile_runs(const Cuda& cuda);  ///< each kernel once, for a profiler

}  // namespace zkgpu::bench
