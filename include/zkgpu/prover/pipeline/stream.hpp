// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/flow/flow.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>

namespace zkgpu::pipeline {

/// What all proofs of a stream have in common.
struct StreamPlan {
  const ProofGraph& graph;
  const PipelineLimits& limits;
  /// Of a staging.
  Schedule (*plan)(const ProofGraph&, std::size_t, PipelineLimits);
  std::size_t host_bytes_of_one = 0;
  bool stop_at_failure = false;  ///< no step begins after the first failure of any proof
};

/// How a stream ended.
struct StreamEnd {
  std::vector<std::exception_ptr> failures;  ///< of each proof, null where it was made
  std::exception_ptr first;                  ///< the first one in time
};

/// Runs many proofs: jobs, batches and admission as the flow says, each batch by a ScheduleRun.
///
/// A batch begins when its job is in flight, there is room for its proofs among
/// limits.proofs_in_flight, and it is admitted; in this order, so that nobody who waits for a lease
/// holds one that an earlier line is waiting for.
template <ThreadPools Pools, LockModel Locks, FlowPolicy Flow>
class StreamRun {
  using Throttle = typename Flow::Throttle;
  using Admission = typename Flow::Admission;

 public:
  /// Everything must outlive the run. @param cancels  of each proof, or null
  StreamRun(const StreamPlan& plan, std::span<const ProofTag> tags,
            std::span<const CancellationToken* const> cancels, Pools& pools, Locks& locks,
            StepExecutor& executor, const RunControl& control)
      : plan_(plan),
        control_{control.cancel, control.observer, &stop_},
        pools_(pools),
        admission_(plan.limits),
        throttle_(plan.limits),
        jobs_(Flow::jobs_in_flight(plan.limits)),
        flight_(std::max<std::size_t>(1, plan.limits.proofs_in_flight)) {
    const typename Batch::Lines lines{pools, locks, throttle_};
    std::size_t last_job = 0;  // of the group made last, where there is one
    for (const ProofBatch& range : Flow::batches(tags, plan.limits)) {
      if (groups_.empty() || tags[range.first].job != last_job) {
        groups_.emplace_back(Flow::rank(tags[range.first]));
      }
      last_job = tags[range.first + range.count - 1].job;
      std::vector<RunProof> proofs;
      for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        proofs.push_back({i, Flow::rank(tags[i]), cancels[i]});
      }
      batches_.emplace_back(*this, groups_.back(), range, std::move(proofs), lines, executor);
      groups_.back().batches.push_back(&batches_.back());
    }
    for (Group& group : groups_) group.not_ended = group.batches.size();
  }

  /// Returns when every proof has ended.
  StreamEnd operator()() {
    std::vector<Group*> in_line;
    for (Group& group : groups_) in_line.push_back(&group);
    std::stable_sort(in_line.begin(), in_line.end(),
                     [](const Group* x, const Group* y) { return x->rank < y->rank; });
    for (Group* group : in_line) begin(*group);
    pools_.drain();
    StreamEnd made;
    made.first = first_failure_;
    for (const Batch& batch : batches_) {
      for (std::size_t i = 0; i < batch.range.count; ++i) {
        made.failures.push_back(batch.run.failure(i));
      }
    }
    return made;
  }

 private:
  struct Batch;
  /// The batches of a job.
  struct Group {
    explicit Group(const Rank& rank_) : rank(rank_) {}
    Rank rank;
    std::vector<Batch*> batches;
    std::atomic<std::size_t> not_ended{0};
    Lease job;
  };

  struct Batch final : RunOwner {
    using Lines = RunLines<Pools, Locks, Throttle>;

    Batch(StreamRun& stream_, Group& group_, const ProofBatch& range_, std::vector<RunProof> proofs,
          const Lines& lines, StepExecutor& executor)
        : stream(stream_),
          group(group_),
          range(range_),
          rank(
              std::min_element(proofs.begin(), proofs.end(),
                               [](const RunProof& x, const RunProof& y) { return x.rank < y.rank; })
                  ->rank),
          schedule(stream_.plan_.plan(stream_.plan_.graph, range_.count, stream_.plan_.limits)),
          run(schedule, stream_.plan_.graph, std::move(proofs), lines, executor, *this,
              stream_.control_) {}

    void reached(AdmissionEnd point) noexcept override {
      if (point == Admission::until) admitted = Lease();
      if (point == AdmissionEnd::finished) stream.end(*this);
    }
    void failed(const std::exception_ptr& why) noexcept override { stream.fail(why); }

    StreamRun& stream;
    Group& group;
    const ProofBatch range;
    const Rank rank;
    const Schedule schedule;
    Lease flight, admitted;
    ScheduleRun<Pools, Locks, Throttle> run;
  };

  void begin(Group& group) noexcept {
    const auto begin_batches = [this, &group](Lease lease) noexcept {
      group.job = std::move(lease);
      for (Batch* batch : group.batches) begin(*batch);
    };
    try {
      jobs_.request(1, group.rank, begin_batches);
    } catch (...) {
      for (Batch* batch : group.batches) refuse(*batch, std::current_exception());
    }
  }
  void begin(Batch& batch) noexcept {
    try {
      flight_.request(batch.range.count, batch.rank, [this, &batch](Lease lease) noexcept {
        batch.flight = std::move(lease);
        admit(batch);
      });
    } catch (...) {
      refuse(batch, std::current_exception());
    }
  }
  void admit(Batch& batch) noexcept {
    try {
      admission_.request(batch.range.count * plan_.host_bytes_of_one, batch.rank,
                         [&batch](Lease lease) noexcept {
                           batch.admitted = std::move(lease);
                           batch.run.start();
                         });
    } catch (...) {
      refuse(batch, std::current_exception());
    }
  }
  /// It runs to its end without executing anything.
  static void refuse(Batch& batch, const std::exception_ptr& why) noexcept {
    batch.run.refuse(why);
    batch.run.start();
  }
  void end(Batch& batch) noexcept {
    batch.flight = Lease();
    if (batch.group.not_ended.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      batch.group.job = Lease();
    }
  }
  void fail(const std::exception_ptr& why) noexcept {
    {
      const std::scoped_lock lock(mutex_);
      if (!first_failure_) first_failure_ = why;
    }
    // Not before: whoever sees it fails for that reason, and is not the first.
    if (plan_.stop_at_failure) stop_.store(true, std::memory_order_relaxed);
  }

  const StreamPlan plan_;
  std::atomic<bool> stop_{false};
  const RunControl control_;
  Pools& pools_;
  Admission admission_;
  Throttle throttle_;
  Tickets jobs_, flight_;
  std::mutex mutex_;
  std::exception_ptr first_failure_;
  std::deque<Group> groups_;
  std::deque<Batch> batches_;
};

}  // namespace zkgpu::pipeline
