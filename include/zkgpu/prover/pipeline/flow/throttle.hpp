// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/gate.hpp>
#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

/// What keeps the making of witnesses from taking the memory system away from the device's side.
namespace zkgpu::pipeline::throttle {

struct none {
  explicit none(const PipelineLimits&) noexcept {}
  void begin_synthesis(const Rank&, Grant grant) noexcept { grant(Lease()); }
  [[nodiscard]] Lease begin_host_sum() noexcept { return {}; }
};

/// No witness is let into the pool while a sum of a proof runs on the host; one that was let in
/// before may still begin. Phase 11's third intervention.
class yield_flag {
 public:
  explicit yield_flag(const PipelineLimits&) noexcept {}
  void begin_synthesis(const Rank& rank, Grant grant) { gate_.request(rank, std::move(grant)); }
  [[nodiscard]] Lease begin_host_sum() noexcept { return gate_.close(); }

 private:
  Gate gate_;
};

/// limits.synthesis_quota witnesses are made at a time, however many batches were admitted.
class quota {
 public:
  explicit quota(const PipelineLimits& limits) noexcept
      : tickets_(std::max<std::size_t>(1, limits.synthesis_quota)) {}
  void begin_synthesis(const Rank& rank, Grant grant) {
    tickets_.request(1, rank, std::move(grant));
  }
  [[nodiscard]] Lease begin_host_sum() noexcept { return {}; }

 private:
  Tickets tickets_;
};

}  // namespace zkgpu::pipeline::throttle
