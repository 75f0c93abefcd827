// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <limits>

#include <zkgpu/prover/pipeline/lock_model/lease.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// Lock policy: nobody waits for anybody. Right where the device is the CPU, which its threads
/// share.
struct no_lock {
  static constexpr bool until_assembled = false;
  static std::size_t places(const PipelineLimits&, std::size_t) noexcept {
    return std::numeric_limits<std::size_t>::max();
  }

  explicit no_lock(const PipelineLimits&) noexcept {}
  void request(const LeaseRequest&, Grant grant) noexcept { grant(Lease()); }
};

}  // namespace zkgpu::pipeline
