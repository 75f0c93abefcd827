// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include <zkgpu/prover/pipeline/lock_model/tickets.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// Lock policy: a proof reserves the bytes that it will take at most, carries them to its last
/// kernel, and then uses the device as it likes, with queues of its own. The device shares itself
/// among kernels better than a lock does; only memory does not stretch.
class reservation {
 public:
  static constexpr bool until_assembled = false;
  static std::size_t places(const PipelineLimits& limits, std::size_t bytes_of_one) noexcept {
    if (limits.memory_bytes == 0) return std::numeric_limits<std::size_t>::max();
    return std::max<std::size_t>(1, limits.memory_bytes / std::max<std::size_t>(1, bytes_of_one));
  }

  /// limits.memory_bytes of scratch memory, which the prover sets to what the device has free.
  explicit reservation(const PipelineLimits& limits) noexcept
      : bytes_(limits.memory_bytes != 0 ? limits.memory_bytes
                                        : std::numeric_limits<std::size_t>::max()) {}
  void request(const LeaseRequest& wanted, Grant grant) {
    if (wanted.scope == LeaseRequest::Scope::step) return grant(Lease());
    bytes_.request(wanted.bytes, wanted.rank, std::move(grant));
  }
  [[nodiscard]] std::size_t reserved_bytes() const { return bytes_.lent(); }

 private:
  Tickets bytes_;
};

}  // namespace zkgpu::pipeline
