// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// Lock policy: limits.device_workers proofs are on the device, and one at a time computes there:
/// while one's kernels run, another's witness goes up, or it is assembled. Rows that the host made
/// go up as a step that computes does. Phase 7 with one worker, phases 8 and
/// 9 with two.
class device_lock {
 public:
  static constexpr bool until_assembled = true;
  static std::size_t places(const PipelineLimits& limits, std::size_t) noexcept {
    return std::max<std::size_t>(1, limits.device_workers);
  }

  explicit device_lock(const PipelineLimits& limits) noexcept
      : workers_(std::max<std::size_t>(1, limits.device_workers)) {}
  void request(const LeaseRequest& wanted, Grant grant) {
    if (wanted.scope == LeaseRequest::Scope::proof) {
      workers_.request(1, wanted.rank, std::move(grant));
    } else if (wanted.stage == StageId::upload) {
      grant(Lease());
    } else {
      kernels_.request(1, wanted.rank, std::move(grant));
    }
  }

 private:
  Tickets workers_;
  Tickets kernels_{1};
};

}  // namespace zkgpu::pipeline
