// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include <zkgpu/prover/pipeline/control.hpp>

namespace zkgpu::pipeline {

/// Keeps the latest stage records in a ring: no lock, no allocation while proofs run. A proof makes
/// `stage_count` records; what there is no room for is overwritten, the oldest first, and counted.
class Trace final : public ProofObserver {
 public:
  /// @param capacity  records that are kept, 40 bytes each; more than the threads that record at a
  ///   time, which would else write one record together
  explicit Trace(std::size_t capacity) : ring_(capacity) {}

  void stage_began(std::size_t, StageId) noexcept override {}
  void stage_ended(const StageRecord& record) noexcept override {
    const std::size_t number = count_.fetch_add(1, std::memory_order_relaxed);
    if (!ring_.empty()) ring_[number % ring_.size()] = record;
  }

  /// How many records were made, also those that the ring has since overwritten.
  [[nodiscard]] std::size_t count() const noexcept {
    return count_.load(std::memory_order_relaxed);
  }
  /// How many of these are not kept.
  [[nodiscard]] std::size_t dropped() const noexcept {
    return count() < ring_.size() ? 0 : count() - ring_.size();
  }
  /// The records that are kept, oldest first. Call it when no proof runs.
  [[nodiscard]] std::vector<StageRecord> records() const {
    const std::size_t total = count();
    const std::size_t kept = total < ring_.size() ? total : ring_.size();
    std::vector<StageRecord> out;
    out.reserve(kept);
    for (std::size_t i = total - kept; i < total; ++i) out.push_back(ring_[i % ring_.size()]);
    return out;
  }

 private:
  std::vector<StageRecord> ring_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace zkgpu::pipeline
