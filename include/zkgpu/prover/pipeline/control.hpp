// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>

#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>

namespace zkgpu::pipeline {

/// How a caller ends a proof early: by hand from any thread, or by a deadline. Asked between
/// stages.
class CancellationToken {
 public:
  CancellationToken() = default;
  explicit CancellationToken(SteadyTime deadline) : deadline_(deadline) {}

  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }

  /// @throws Cancelled
  void check() const {
    if (cancelled_.load(std::memory_order_relaxed))
      throw Cancelled("proof: cancelled by the caller");
    if (deadline_.has_value() && std::chrono::steady_clock::now() >= *deadline_) {
      throw Cancelled("proof: the deadline has passed");
    }
  }

 private:
  std::atomic<bool> cancelled_{false};
  std::optional<SteadyTime> deadline_;
};

/// That one stage of one proof ran, and when.
struct StageRecord {
  std::size_t proof = 0;
  StageId stage = StageId::synthesize;
  SteadyTime begin{}, end{};

  [[nodiscard]] double seconds() const noexcept {
    return std::chrono::duration<double>(end - begin).count();
  }
};

/// Who is told what a proof is doing: a progress bar, a trace. Called from the threads that work,
/// by several at once; must be quick and must not throw.
class ProofObserver {
 public:
  ProofObserver() = default;
  ProofObserver(const ProofObserver&) = delete;
  ProofObserver& operator=(const ProofObserver&) = delete;
  virtual ~ProofObserver() = default;
  virtual void stage_began(std::size_t proof, StageId stage) noexcept = 0;
  /// Not called for a stage that failed.
  virtual void stage_ended(const StageRecord& record) noexcept = 0;
};

}  // namespace zkgpu::pipeline
