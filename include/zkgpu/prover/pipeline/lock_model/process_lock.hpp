// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// Lock policy: one proof at a time has the device, from its upload to its end, whatever it does in
/// between. Phases 0 to 6: whole calls of a prover one after another.
class process_lock {
 public:
  static constexpr bool until_assembled = true;
  static constexpr std::size_t most_places = 1;
  static std::size_t places(const PipelineLimits&, std::size_t) noexcept { return most_places; }

  explicit process_lock(const PipelineLimits&) noexcept {}
  void request(const LeaseRequest& wanted, Grant grant) {
    if (wanted.scope == LeaseRequest::Scope::step) return grant(Lease());
    proof_.request(1, wanted.rank, std::move(grant));
  }

 private:
  Tickets proof_{1};
};

}  // namespace zkgpu::pipeline
