// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/pipeline/policy.hpp>

namespace zkgpu::pipeline {

/// Lock policy: nobody waits for anybody. Right where the device is the CPU, which its threads
/// share.
struct no_lock {
  struct Lease {
    [[nodiscard]] bool should_yield() const noexcept { return false; }
  };
  [[nodiscard]] Lease acquire(Priority) noexcept { return {}; }
};

}  // namespace zkgpu::pipeline
