// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <tuple>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/fake.hpp>

namespace zkgpu::test {

/// The backends that the conformance suite runs over on any machine. A new backend appends itself.
using HostBackends = std::tuple<Cpu<>, FakeDevice>;

}  // namespace zkgpu::test
