// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Who may use a device when: tickets and their order, and what each lock model lets happen at a
// time.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/no_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/process_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/reservation.hpp>
#include <zkgpu/prover/pipeline/lock_model/split_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/two_lock.hpp>
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/runner.hpp>

#include "run_schedule.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

static_assert(LockModel<no_lock> && LockModel<process_lock> && LockModel<device_lock> &&
              LockModel<two_lock> && LockModel<split_lock> && LockModel<reservation>);

namespace {

/// What ran at the same time.
class Watch {
 public:
  void begin(const ScheduleStep& step) {
    const std::scoped_lock lock(mutex_);
    const bool upload = step.stage == StageId::upload;
    const bool kernels = !upload && step.role == PoolRole::device;
    kernels_ += kernels ? 1 : 0;
    uploads_ += upload ? 1 : 0;
    most_kernels = std::max(most_kernels, kernels_);
    most_uploads = std::max(most_uploads, uploads_);
    if (upload) on_device_.insert(step.proof);
    if (step.stage == StageId::assemble) assembling_.insert(step.proof);
    most_proofs = std::max(most_proofs, on_device_.size());
    overlapped_end = overlapped_end || (uploads_ != 0 && !assembling_.empty());
  }
  void end(const ScheduleStep& step, bool until_assembled) {
    const std::scoped_lock lock(mutex_);
    const bool upload = step.stage == StageId::upload;
    kernels_ -= !upload && step.role == PoolRole::device ? 1 : 0;
    uploads_ -= upload ? 1 : 0;
    if (step.role == PoolRole::device && !upload && ++done_[step.proof] == 7 && !until_assembled) {
      on_device_.erase(step.proof);
    }
    if (step.stage == StageId::self_check) {
      on_device_.erase(step.proof);
      assembling_.erase(step.proof);
    }
  }
  /// Of has_seen.
  [[nodiscard]] bool is_assembling() const { return !assembling_.empty(); }
  bool has_seen(const std::function<bool()>& what) {
    const std::scoped_lock lock(mutex_);
    return what();
  }
  std::size_t most_kernels = 0, most_uploads = 0, most_proofs = 0;
  bool overlapped_end = false;  ///< did a proof go to the device while another was being assembled?

 private:
  std::mutex mutex_;
  std::size_t kernels_ = 0, uploads_ = 0;
  std::set<std::size_t> on_device_, assembling_;
  std::map<std::size_t, int> done_;
};

template <class Locks>
void run_proofs(Locks& locks, std::size_t proofs, Watch& watch,
                const std::function<void(StageId)>& also = {},
                const std::function<bool()>& until = {}) {
  const ProofGraph graph = test::device_graph();
  const Schedule schedule = overlapped::plan(graph, proofs, {});
  shared_pool pools(PipelineLimits{.threads = 4});
  std::atomic<int> ran = 0;
  test::Lingering lingering;
  test::RunOfTest run([&](std::size_t proof, StageId stage) {
    const ScheduleStep step{proof, stage, role_of(graph[stage]), {}};
    watch.begin(step);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    if (until && stage != StageId::synthesize && stage != StageId::upload) {
      lingering.until([&] { return watch.has_seen(until); });
    }
    ++ran;
    watch.end(step, Locks::until_assembled);
    if (also) also(stage);
  });
  run(schedule, graph, pools, locks);
  CHECK(run.ended == proofs);
  run.rethrow();
  CHECK(static_cast<std::size_t>(ran) == proofs * stage_count);
}

}  // namespace

TEST_CASE("tickets are granted in order of urgency, then of arrival, and nobody overtakes",
          "[pipeline][law]") {
  Tickets tickets(10);
  std::vector<int> granted;
  std::map<int, Lease> held;
  const auto ask = [&](int name, std::size_t units, Priority priority) {
    tickets.request(units, Rank::of(priority), Grant([&granted, &held, name](Lease lease) noexcept {
                      granted.push_back(name);
                      held[name] = std::move(lease);
                    }));
  };
  const auto give_back = [&](int name) { const Lease dying = std::move(held[name]); };
  ask(1, 6, Priority::normal);
  CHECK_FALSE(held[1].should_yield());
  ask(2, 8, Priority::normal);  // waits
  ask(3, 1, Priority::normal);  // would fit, and waits behind 2
  ask(4, 5, Priority::low);
  ask(5, 3, Priority::high);  // overtakes those who wait, not those who hold
  CHECK(granted == std::vector<int>{1, 5});
  ask(6, 9, Priority::high);
  CHECK(held[1].should_yield());
  CHECK_FALSE(held[5].should_yield());
  CHECK(tickets.lent() == 9);
  give_back(5);
  CHECK(granted == std::vector<int>{1, 5});
  give_back(1);
  CHECK(granted == std::vector<int>{1, 5, 6});
  give_back(6);
  CHECK(granted == std::vector<int>{1, 5, 6, 2, 3});
  give_back(3);
  CHECK(granted == std::vector<int>{1, 5, 6, 2, 3});
  give_back(2);
  CHECK(granted == std::vector<int>{1, 5, 6, 2, 3, 4});
  give_back(4);
  give_back(4);  // nothing is held any more
  CHECK(tickets.lent() == 0);
  CHECK_THROWS_AS(ask(7, 11, Priority::high), ResourceExhausted);
}

TEST_CASE("tickets asked for and given back by many threads are never too many",
          "[pipeline][law]") {
  Tickets tickets(7);
  std::atomic<std::size_t> out = 0;
  std::atomic<int> grants = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 500; ++i) {
        const std::size_t units = 1 + (t * 7 + i) % 5;
        std::atomic<bool> mine = false;
        Lease lease;
        tickets.request(units, Rank::of(Priority(i % 3)), Grant([&](Lease given) noexcept {
                          lease = std::move(given);
                          mine.store(true, std::memory_order_release);
                        }));
        while (!mine.load(std::memory_order_acquire)) std::this_thread::yield();
        ++grants;
        if (out.fetch_add(units) + units > 7) grants = -1000000;
        out.fetch_sub(units);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(grants == 2000);
  CHECK(tickets.lent() == 0);
}

TEST_CASE("a process lock lets one proof on the device at a time, to its end", "[pipeline][law]") {
  process_lock locks{PipelineLimits{}};
  Watch watch;
  run_proofs(locks, 6, watch);
  CHECK(watch.most_proofs == 1);
  CHECK_FALSE(watch.overlapped_end);
}

TEST_CASE("a device lock counts workers, and lets one compute at a time", "[pipeline][law]") {
  for (const std::size_t workers : {1U, 2U, 3U}) {
    device_lock locks{PipelineLimits{.device_workers = workers}};
    Watch watch;
    run_proofs(locks, 6, watch, {},
               [&] { return watch.most_proofs >= std::min<std::size_t>(workers, 2); });
    CHECK(watch.most_proofs <= workers);
    CHECK(watch.most_proofs >= std::min<std::size_t>(workers, 2));
    CHECK(watch.most_kernels == 1);
  }
}

TEST_CASE("two locks let one upload while another computes", "[pipeline][law]") {
  two_lock locks{PipelineLimits{.device_workers = 3}};
  Watch watch;
  run_proofs(locks, 6, watch, {}, [&] { return watch.most_proofs >= 2; });
  CHECK(watch.most_uploads == 1);
  CHECK(watch.most_kernels == 1);
  CHECK(watch.most_proofs <= 3);
  CHECK(watch.most_proofs >= 2);
}

TEST_CASE("a split lock makes room when the last kernel is done", "[pipeline][law]") {
  split_lock locks{PipelineLimits{.device_workers = 1}};
  Watch watch;
  run_proofs(locks, 6, watch, {}, [&] { return !watch.is_assembling() || watch.overlapped_end; });
  CHECK(watch.most_proofs == 1);
  CHECK(watch.most_kernels == 1);
  CHECK(watch.overlapped_end);
}

TEST_CASE("a reservation admits as many proofs as fit, and their kernels side by side",
          "[pipeline][law]") {
  const std::size_t of_one = overlapped::plan(test::device_graph(), 1, {}).peak_bytes;
  for (const std::size_t fit : {1U, 2U}) {
    reservation locks{PipelineLimits{.memory_bytes = fit * of_one + 10}};
    Watch watch;
    run_proofs(locks, 6, watch, {},
               [&] { return watch.most_proofs == fit && watch.most_kernels > 1; });
    CHECK(watch.most_proofs == fit);
    CHECK(watch.most_kernels > 1);
    CHECK(locks.reserved_bytes() == 0);
  }
  reservation small{PipelineLimits{.memory_bytes = of_one - 1}};
  Watch watch;
  CHECK_THROWS_AS(run_proofs(small, 2, watch), ResourceExhausted);
  CHECK(small.reserved_bytes() == 0);
}

TEMPLATE_TEST_CASE("after a failure of any step every lease comes back", "[pipeline][fault]",
                   no_lock, process_lock, device_lock, two_lock, split_lock, reservation) {
  struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  TestType locks{PipelineLimits{}};
  for (std::size_t at = 0; at < stage_count; ++at) {
    Watch watch;
    CHECK_THROWS_AS(run_proofs(locks, 3, watch,
                               [&](StageId stage) {
                                 if (stage == StageId(at)) throw Failure("step");
                               }),
                    Failure);
    Watch next;
    run_proofs(locks, 2, next);
  }
}
