// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include <zkgpu/prover/pipeline/control.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>

#include "session/session.hpp"

namespace zkgpu::cli {

/// Shows the stages of proofs in the progress bar, each as much of it as its cost in the graph, and
/// keeps their times: those of all proofs together.
class ProofProgress final : public pipeline::ProofObserver {
 public:
  /// @param graph   of each proof
  /// @param proofs  how many are made
  ProofProgress(Session& session, const pipeline::ProofGraph& graph, std::size_t proofs)
      : session_(session), graph_(graph), proofs_(proofs), threads_(session.threads()) {}

  /// The proofs begin.
  void begin() {
    double total = 0;
    for (const pipeline::StageNode& node : graph_.nodes) total += node.cost;
    total *= static_cast<double>(proofs_);
    session_.progress().begin("prove", static_cast<std::uint64_t>(total));
    session_.progress().expect_rate(costs_a_second * static_cast<double>(threads_));
  }

  void stage_began(std::size_t, pipeline::StageId stage) noexcept override {
    session_.progress().step(to_string(stage));
  }
  void stage_ended(const pipeline::StageRecord& record) noexcept override {
    session_.progress().advance(static_cast<std::uint64_t>(graph_[record.stage].cost));
    const std::lock_guard lock(mutex_);
    seconds_[static_cast<std::size_t>(record.stage)] += record.seconds();
  }

  /// Hands the times over; when the proofs are done.
  void report_times() {
    for (std::size_t i = 0; i < pipeline::stage_count; ++i) {
      session_.add_timing(to_string(pipeline::StageId(i)), seconds_[i], 1);
    }
  }

 private:
  /// Of the graph's cost, on one core of a Sapphire Rapids server: chain 2^16, `prove -v`.
  static constexpr double costs_a_second = 5e7;

  Session& session_;
  pipeline::ProofGraph graph_;
  std::size_t proofs_, threads_;
  std::mutex mutex_;
  double seconds_[pipeline::stage_count] = {};
};

}  // namespace zkgpu::cli
