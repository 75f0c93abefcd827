// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/control.hpp>
#include <zkgpu/prover/pipeline/graph.hpp>
#include <zkgpu/prover/pipeline/policy.hpp>
#include <zkgpu/prover/pipeline/schedule.hpp>

namespace zkgpu::pipeline {

/// What a run may be told from outside; each may be absent.
struct RunControl {
  const CancellationToken* cancel = nullptr;
  ProofObserver* observer = nullptr;
  /// Set by whoever wants no further step of any proof to begin.
  const std::atomic<bool>* stop = nullptr;
};

/// One proof of a run.
struct RunProof {
  std::size_t number = 0;  ///< what observers and the executor call it
  Rank rank = Rank::of(Priority::normal);
  const CancellationToken* cancel = nullptr;  ///< of this proof alone; may be absent
};

/// Who does the work of a step.
class StepExecutor {
 public:
  StepExecutor() = default;
  StepExecutor(const StepExecutor&) = delete;
  StepExecutor& operator=(const StepExecutor&) = delete;
  /// Called by several threads, for several steps of one proof too. What it throws ends the proof.
  virtual void execute(std::size_t proof, StageId stage) = 0;
  /// Nothing of the proof is needed any more on the device: its place is about to be given back.
  virtual void leave_device(std::size_t proof) noexcept = 0;
  /// Every step of the proof has ended.
  virtual void end(std::size_t proof) noexcept = 0;

 protected:
  ~StepExecutor() = default;
};

/// Who is told how far a run has come.
class RunOwner {
 public:
  RunOwner() = default;
  RunOwner(const RunOwner&) = delete;
  RunOwner& operator=(const RunOwner&) = delete;
  /// Called once for each value, in their order but for `placed`, which may come with `computed`.
  virtual void reached(AdmissionEnd point) noexcept = 0;
  virtual void failed(const std::exception_ptr& why) noexcept = 0;

 protected:
  ~RunOwner() = default;
};

/// Where the steps of a run stand in line.
template <ThreadPools Pools, LockModel Locks, ThrottleModel Throttle>
struct RunLines {
  Pools& pools;
  Locks& locks;
  Throttle& throttle;
};

/// A step that ends without being executed. That may make others ready that end so, too, also of
/// other runs; they do so one after another, and not one inside the other.
class PassedStep {
 public:
  PassedStep() = default;
  PassedStep(const PassedStep&) = delete;
  PassedStep& operator=(const PassedStep&) = delete;

  /// Now, or when the one that this thread is at is done.
  void pass() noexcept {
    static thread_local Line line;  // nothing stands in it when the first call returns
    next_ = std::exchange(line.first, this);
    if (line.is_served) return;
    line.is_served = true;
    while (line.first != nullptr) {
      PassedStep* step = line.first;
      line.first = step->next_;
      step->end();  // its run may be gone now
    }
    line.is_served = false;
  }

 protected:
  ~PassedStep() = default;
  virtual void end() noexcept = 0;

 private:
  struct Line {
    PassedStep* first = nullptr;
    bool is_served = false;
  };
  PassedStep* next_ = nullptr;
};

/// Executes one schedule: the shell around the stages, for any policy.
///
/// A step becomes ready when the last step that it waits for has ended; then its leases are asked
/// for, and when they are granted it is submitted: nobody waits in a thread. It gives its own back
/// when it ends, so that somebody more urgent gets the device; the proof's place is given back
/// after its last step on the device, or at its end. Uploads are ready when every witness of the
/// run is made.
///
/// After a failure the steps of that proof are passed over without being executed: so every lease
/// that was asked for is granted, and comes back.
template <ThreadPools Pools, LockModel Locks, ThrottleModel Throttle>
class ScheduleRun {
 public:
  using Lines = RunLines<Pools, Locks, Throttle>;

  /// Everything must outlive the run. @param proofs  of the schedule, in its numbers
  ScheduleRun(const Schedule& schedule, const ProofGraph& graph, std::vector<RunProof> proofs,
              const Lines& lines, StepExecutor& executor, RunOwner& owner,
              const RunControl& control)
      : schedule_(schedule),
        graph_(graph),
        lines_(lines),
        executor_(executor),
        owner_(owner),
        control_(control),
        followers_(schedule.steps.size()),
        not_synthesized_(static_cast<std::uint32_t>(proofs.size())),
        not_placed_(static_cast<std::uint32_t>(proofs.size())),
        not_computed_(static_cast<std::uint32_t>(proofs.size())),
        not_finished_(static_cast<std::uint32_t>(proofs.size())) {
    for (const RunProof& proof : proofs) proofs_.emplace_back(proof);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const ScheduleStep& step = schedule.steps[i];
      waiting_.emplace_back(static_cast<std::uint32_t>(step.after.size()));
      passed_.emplace_back(*this, i);
      for (const std::uint32_t before : step.after) {
        followers_[before].push_back(static_cast<std::uint32_t>(i));
      }
      Proof& proof = proofs_[step.proof];
      ++proof.steps;
      if (is_on_device(step)) ++proof.device_steps;
    }
  }

  /// Asks for all that the first steps need; the run ends in the pools' threads.
  void start() noexcept {
    for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
      if (schedule_.steps[i].after.empty()) become_ready(i);
    }
  }
  /// All proofs end with this failure; to be called before `start`.
  void refuse(const std::exception_ptr& why) noexcept {
    for (Proof& proof : proofs_) fail(proof, why);
  }
  /// Null if the proof was made. To be asked when the run has ended.
  [[nodiscard]] const std::exception_ptr& failure(std::size_t proof) const noexcept {
    return proofs_[proof].failure;
  }

 private:
  struct Proof {
    explicit Proof(const RunProof& given_) : given(given_) {}
    RunProof given;
    Lease place;                 ///< on the device
    Lease kept_of_upload, kept;  ///< of a schedule with one wait: from its first steps to it
    bool has_device = false;     ///< then: `kept` was granted
    std::atomic<std::uint32_t> steps{0}, device_steps{0};  ///< not ended
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::exception_ptr failure;
  };

  [[nodiscard]] bool is_on_device(const ScheduleStep& step) const noexcept {
    return step.stage == StageId::upload || graph_[step.stage].resource == Resource::device;
  }
  [[nodiscard]] Proof& proof_of(std::size_t index) noexcept {
    return proofs_[schedule_.steps[index].proof];
  }

  /// All that the step waits for has ended.
  void become_ready(std::size_t index) noexcept {
    const StageId stage = schedule_.steps[index].stage;
    if (stage == StageId::synthesize) return ask_for_synthesis(index);
    if (stage == StageId::upload) return gather();
    ask_for_device(index);
  }
  void ask_for_synthesis(std::size_t index) noexcept {
    try {
      lines_.throttle.begin_synthesis(
          proof_of(index).given.rank,
          [this, index](Lease lease) noexcept { submit(index, std::move(lease)); });
    } catch (...) {
      pass_over(index, std::current_exception());
    }
  }
  /// The last witness lets all uploads go on.
  void gather() noexcept {
    if (not_synthesized_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    owner_.reached(AdmissionEnd::synthesized);
    for (std::size_t i = 0; i < schedule_.steps.size(); ++i) {
      if (schedule_.steps[i].stage == StageId::upload) ask_for_place(i);
    }
  }
  void ask_for_place(std::size_t index) noexcept {
    try {
      LeaseRequest place;
      place.scope = LeaseRequest::Scope::proof;
      place.rank = proof_of(index).given.rank;
      place.bytes = schedule_.peak_bytes / proofs_.size();
      lines_.locks.request(place, [this, index](Lease lease) noexcept {
        proof_of(index).place = std::move(lease);
        placed();
        ask_for_device(index);
      });
    } catch (...) {
      placed();
      pass_over(index, std::current_exception());
    }
  }
  void placed() noexcept {
    if (not_placed_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      owner_.reached(AdmissionEnd::placed);
    }
  }
  void ask_for_device(std::size_t index) noexcept {
    try {
      const ScheduleStep& step = schedule_.steps[index];
      const StageNode& node = graph_[step.stage];
      if (node.resource != Resource::device) return submit(index, Lease());
      if (proof_of(index).has_device) return submit(index, Lease());
      LeaseRequest device;
      device.rank = proof_of(index).given.rank;
      device.stage = step.stage;
      device.bytes = node.scratch_bytes + node.output_bytes;
      lines_.locks.request(device,
                           [this, index](Lease lease) noexcept { begin(index, std::move(lease)); });
    } catch (...) {
      pass_over(index, std::current_exception());
    }
  }
  /// With the device's lease, which the step keeps, or its proof until the one wait.
  void begin(std::size_t index, Lease lease) noexcept {
    if (!schedule_.one_wait) return submit(index, std::move(lease));
    Proof& proof = proof_of(index);  // its steps on the device come one after another
    const bool computes = schedule_.steps[index].stage != StageId::upload;
    (computes ? proof.kept : proof.kept_of_upload) = std::move(lease);
    proof.has_device = computes;
    submit(index, Lease());
  }
  void submit(std::size_t index, Lease lease) noexcept {
    try {
      lines_.pools.submit(
          schedule_.steps[index].role,
          [this, index, held = std::move(lease)]() mutable { run(index, std::move(held)); });
    } catch (...) {
      pass_over(index, std::current_exception());
    }
  }

  void run(std::size_t index, Lease lease) noexcept {
    Proof& proof = proof_of(index);
    if (!proof.failed.load(std::memory_order_acquire)) {
      try {
        execute(proof, schedule_.steps[index].stage);
      } catch (...) {
        fail(proof, std::current_exception());
      }
    }
    if (is_on_device(schedule_.steps[index])) end_on_device(proof);
    lease = Lease();
    end(index);
  }
  void execute(const Proof& proof, StageId stage) {
    if (control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed)) {
      throw Cancelled("proof: another one of its call failed");
    }
    if (control_.cancel != nullptr) control_.cancel->check();
    if (proof.given.cancel != nullptr) proof.given.cancel->check();
    if (control_.observer != nullptr) control_.observer->stage_began(proof.given.number, stage);
    const auto begin = std::chrono::steady_clock::now();
    if (graph_[stage].computes_on_host) {
      [[maybe_unused]] const Lease held = lines_.throttle.begin_host_sum();
      executor_.execute(proof.given.number, stage);
    } else {
      executor_.execute(proof.given.number, stage);
    }
    if (control_.observer != nullptr) {
      control_.observer->stage_ended(
          {proof.given.number, stage, begin, std::chrono::steady_clock::now()});
    }
  }

  void end_on_device(Proof& proof) noexcept {
    if (proof.device_steps.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    executor_.leave_device(proof.given.number);
    proof.kept = Lease();
    proof.kept_of_upload = Lease();
    if constexpr (!Locks::until_assembled) proof.place = Lease();
    if (not_computed_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      owner_.reached(AdmissionEnd::computed);
    }
  }
  /// The step is done with: others may become ready. Nothing of the run is touched after its last
  /// step has ended.
  void end(std::size_t index) noexcept {
    Proof& proof = proof_of(index);
    for (const std::uint32_t next : followers_[index]) {
      // The last predecessor sees the results of all: acquire what the others released.
      if (waiting_[next].fetch_sub(1, std::memory_order_acq_rel) == 1) become_ready(next);
    }
    if (proof.steps.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    executor_.end(proof.given.number);
    proof.place = Lease();
    if (not_finished_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      owner_.reached(AdmissionEnd::finished);
    }
  }
  void pass_over(std::size_t index, const std::exception_ptr& why) noexcept {
    fail(proof_of(index), why);
    passed_[index].pass();
  }
  class Passed final : public PassedStep {
   public:
    Passed(ScheduleRun& run, std::size_t index) noexcept : run_(run), index_(index) {}

   private:
    void end() noexcept override {
      if (run_.is_on_device(run_.schedule_.steps[index_])) {
        run_.end_on_device(run_.proof_of(index_));
      }
      run_.end(index_);
    }
    ScheduleRun& run_;
    std::size_t index_;
  };
  void fail(Proof& proof, const std::exception_ptr& why) noexcept {
    proof.failed.store(true, std::memory_order_release);
    {
      const std::scoped_lock lock(proof.mutex);
      if (proof.failure) return;
      proof.failure = why;
    }
    owner_.failed(why);
  }

  const Schedule& schedule_;
  const ProofGraph& graph_;
  const Lines lines_;
  StepExecutor& executor_;
  RunOwner& owner_;
  const RunControl& control_;
  std::deque<std::atomic<std::uint32_t>> waiting_;  // a deque: atomics do not move
  std::deque<Passed> passed_;                       // at most once each
  std::vector<std::vector<std::uint32_t>> followers_;
  std::deque<Proof> proofs_;
  std::atomic<std::uint32_t> not_synthesized_, not_placed_, not_computed_, not_finished_;
};

}  // namespace zkgpu::pipeline
