// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>

#include <zkgpu/backend/cpu.hpp>

namespace zkgpu::test {

/// Does what is tested take lanes here? If not, scalar code is compared with itself: says so.
inline bool lanes_run_here() {
  if (selected_cpu_level() >= CpuLevel::avx512ifma) return true;
  WARN("no AVX-512 IFMA here, or not selected: scalar code stands in for lanes");
  return false;
}

}  // namespace zkgpu::test
