// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// When a batch gives back what it was admitted with.
enum class AdmissionEnd : std::uint8_t {
  synthesized,  ///< all its witnesses are made
  placed,       ///< all its proofs have a place on the device
  computed,     ///< the device is done with it
  finished,
};

/// How many batches may have begun. Host memory is what it protects: a witness that waits for the
/// device is memory that waits.
namespace admission {

/// Batches begin as they come.
struct unbounded {
  static constexpr AdmissionEnd until = AdmissionEnd::synthesized;
  explicit unbounded(const PipelineLimits&) noexcept {}
  void request(std::size_t /*host_bytes*/, const Rank&, Grant grant) noexcept { grant(Lease()); }
};

/// So many permits, one a batch; its end says how long it is held.
template <AdmissionEnd end>
class permits {
 public:
  static constexpr AdmissionEnd until = end;
  explicit permits(std::size_t count) noexcept : tickets_(std::max<std::size_t>(1, count)) {}
  void request(std::size_t /*host_bytes*/, const Rank& rank, Grant grant) {
    tickets_.request(1, rank, std::move(grant));
  }

 private:
  Tickets tickets_;
};

/// limits.synthesis_workers batches make witnesses at a time; made ones wait in a queue of any
/// length. Phases 2 to 11.
struct worker_count : permits<AdmissionEnd::synthesized> {
  explicit worker_count(const PipelineLimits& limits) noexcept
      : permits(limits.synthesis_workers) {}
};

/// The same, and a worker keeps its permit until its batch is on the device: no queue. Phase 12.
struct held_through_queue : permits<AdmissionEnd::placed> {
  explicit held_through_queue(const PipelineLimits& limits) noexcept
      : permits(limits.synthesis_workers) {}
};

/// limits.synthesis_workers batches between the beginning of their witnesses and the device's end
/// with them: supply follows demand.
struct credits : permits<AdmissionEnd::computed> {
  explicit credits(const PipelineLimits& limits) noexcept : permits(limits.synthesis_workers) {}
};

/// limits.host_bytes for the host memory of all batches that have begun and not ended.
class byte_budget {
 public:
  static constexpr AdmissionEnd until = AdmissionEnd::finished;
  explicit byte_budget(const PipelineLimits& limits) noexcept
      : bytes_(limits.host_bytes != 0 ? limits.host_bytes
                                      : std::numeric_limits<std::size_t>::max()) {}
  /// @throws ResourceExhausted if the batch alone takes more than the budget
  void request(std::size_t host_bytes, const Rank& rank, Grant grant) {
    bytes_.request(host_bytes, rank, std::move(grant));
  }

 private:
  Tickets bytes_;
};

}  // namespace admission
}  // namespace zkgpu::pipeline
