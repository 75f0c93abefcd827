// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/backend.hpp>

/// Devices for which tests make plans.
namespace zkgpu::test {

inline constexpr std::size_t gib = std::size_t{1} << 30;

inline DeviceProperties h200() {
  DeviceProperties machine;
  machine.compute_units = 132;
  machine.memory_bytes = 139 * gib;
  return machine;
}

}  // namespace zkgpu::test
