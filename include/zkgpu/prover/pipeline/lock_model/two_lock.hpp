// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// Lock policy: a lock for the device's memory, held while a proof is uploaded, and one for its
/// kernels. Phase 10. Neither is an admission: whether so many workers' memory fits at once is for
/// the plan to say.
class two_lock {
 public:
  static constexpr bool until_assembled = true;
  static std::size_t places(const PipelineLimits& limits, std::size_t) noexcept {
    return std::max<std::size_t>(1, limits.device_workers);
  }

  explicit two_lock(const PipelineLimits& limits) noexcept
      : workers_(std::max<std::size_t>(1, limits.device_workers)) {}
  void request(const LeaseRequest& wanted, Grant grant) {
    Tickets& tickets = wanted.scope == LeaseRequest::Scope::proof ? workers_
                       : wanted.stage == StageId::upload          ? memory_
                                                                  : kernels_;
    tickets.request(1, wanted.rank, std::move(grant));
  }

 private:
  Tickets workers_;
  Tickets memory_{1};
  Tickets kernels_{1};
};

}  // namespace zkgpu::pipeline
