// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include <zkgpu/backend/cpu.hpp>

namespace zkgpu::test {

/// Does what is tested take the lanes of an architecture here? If not, scalar code is compared with
/// itself: says so.
template <CpuArch A = arch::avx512ifma>
bool lanes_run_here() {
  if (selected_cpu_level() >= cpu_level<A>) return true;
  WARN("no " + std::string(A::name) + " here, or not selected: scalar code stands in for lanes");
  return false;
}

}  // namespace zkgpu::test
