// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Order, admission, batches and throttles of a stream: who begins when, and what comes back.
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <zkgpu/prover/pipeline/lock_model/device_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/no_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/process_lock.hpp>
#include <zkgpu/prover/pipeline/lock_model/split_lock.hpp>
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/stream.hpp>

#include "run_schedule.hpp"

using namespace zkgpu;            // NOLINT
using namespace zkgpu::pipeline;  // NOLINT

namespace {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Plays the stages of a stream, and writes down what happened.
class Player final : public StepExecutor {
 public:
  std::function<void(std::size_t, StageId)> also;
  /// A stage that does not end before this has been seen.
  std::optional<StageId> lingers;
  std::function<bool(const Player&)> until;
  std::chrono::microseconds lasts{200};

  void execute(std::size_t proof, StageId stage) override {
    {
      const std::scoped_lock lock(mutex_);
      if (stage == StageId::synthesize) {
        begun.push_back(proof);
        ++synthesizing_;
        in_flight_.insert(proof);
        most_synthesizing = std::max(most_synthesizing, synthesizing_);
        most_in_flight = std::max(most_in_flight, in_flight_.size());
        synthesis_beside_host_sum = synthesis_beside_host_sum || host_sums_ != 0;
      }
      if (stage == StageId::upload) {
        uploaded.push_back(proof);
        waiting_.erase(proof);
      }
      if (stage == StageId::msm_b_g2) ++host_sums_;
    }
    std::this_thread::sleep_for(lasts);
    if (lingers == stage) {
      lingering_.until([&] {
        const std::scoped_lock lock(mutex_);
        return until(*this);
      });
    }
    {
      const std::scoped_lock lock(mutex_);
      if (stage == StageId::synthesize) {
        --synthesizing_;
        waiting_.insert(proof);
        most_waiting = std::max(most_waiting, waiting_.size());
      }
      if (stage == StageId::msm_b_g2) --host_sums_;
    }
    if (also) also(proof, stage);
  }
  void leave_device(std::size_t) noexcept override {}
  void end(std::size_t proof) noexcept override {
    const std::scoped_lock lock(mutex_);
    ended.push_back(proof);
    in_flight_.erase(proof);
  }

  std::vector<std::size_t> begun, uploaded, ended;
  std::size_t most_synthesizing = 0, most_waiting = 0, most_in_flight = 0;
  bool synthesis_beside_host_sum = false;

 private:
  test::Lingering lingering_;
  std::mutex mutex_;
  std::size_t synthesizing_ = 0, host_sums_ = 0;
  std::set<std::size_t> waiting_, in_flight_;
};

std::vector<ProofTag> jobs_of(std::size_t jobs, std::size_t partitions) {
  std::vector<ProofTag> tags;
  for (std::size_t job = 0; job < jobs; ++job) {
    for (std::size_t i = 0; i < partitions; ++i) {
      tags.push_back({.number = tags.size(), .job = job, .partition = i});
    }
  }
  return tags;
}

template <class Flow, class Locks = split_lock, class Pools = shared_pool>
StreamEnd play(Player& player, const std::vector<ProofTag>& tags, PipelineLimits limits,
               G2Place g2 = G2Place::device, bool stop = false, std::size_t host_bytes = 1) {
  limits.threads = limits.threads == 0 ? 4 : limits.threads;
  const ProofGraph graph = test::device_graph({.g2 = g2});
  Pools pools(limits);
  Locks locks(limits);
  const StreamPlan plan{graph, limits, &overlapped::plan, host_bytes, stop};
  const std::vector<const CancellationToken*> cancels(tags.size(), nullptr);
  StreamRun<Pools, Locks, Flow> stream(plan, tags, cancels, pools, locks, player, RunControl{});
  StreamEnd end = stream();
  CHECK(player.ended.size() == tags.size());
  CHECK(end.failures.size() == tags.size());
  return end;
}

template <class Unit = unit::partition, class Order = order::fifo,
          class Admission = admission::unbounded, class Batching = batching::continuous,
          class Throttle = throttle::none>
using made_flow = flow<Unit, Order, Admission, Batching, Throttle, grain::per_partition>;

bool all_made(const StreamEnd& end) {
  return !end.first && std::all_of(end.failures.begin(), end.failures.end(),
                                   [](const auto& failure) { return failure == nullptr; });
}

}  // namespace

TEST_CASE("the urgent come first in every order, then whom the order names", "[pipeline][law]") {
  const auto now = SteadyTime(std::chrono::seconds(1000));
  const ProofTag plain{.number = 5, .job = 2, .partition = 1};
  ProofTag high = plain;
  high.priority = Priority::high;
  high.number = 9;
  high.job = 9;
  high.deadline = now;
  CHECK(order::fifo::rank(high) < order::fifo::rank(plain));
  CHECK(order::priority::rank(high) < order::priority::rank(plain));
  CHECK(order::oldest_first::rank(high) < order::oldest_first::rank(plain));
  CHECK(order::deadline::rank(high) < order::deadline::rank(plain));

  ProofTag later = plain;
  later.number = 6;
  CHECK(order::fifo::rank(later) == order::fifo::rank(plain));
  CHECK(order::priority::rank(plain) < order::priority::rank(later));
  later.partition = 0;
  CHECK(order::oldest_first::rank(later) < order::oldest_first::rank(plain));
  later.job = 3;
  CHECK(order::oldest_first::rank(plain) < order::oldest_first::rank(later));

  ProofTag soon = later;
  soon.deadline = now;
  ProofTag past = later;
  past.deadline = SteadyTime(-std::chrono::seconds(5));
  CHECK(order::deadline::rank(soon) < order::deadline::rank(plain));  // who has none comes last
  CHECK(order::deadline::rank(past) < order::deadline::rank(soon));
}

TEST_CASE("batches are jobs, several jobs, or single proofs", "[pipeline][law]") {
  using Batches = std::vector<ProofBatch>;
  const auto tags = jobs_of(3, 2);
  const PipelineLimits wide{.proofs_in_flight = 10, .batch_jobs = 2};
  CHECK(made_flow<>::batches({}, wide).empty());
  CHECK(made_flow<>::batches(tags, wide) ==
        Batches{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
  CHECK(made_flow<unit::whole_proof>::batches(tags, wide) == Batches{{0, 2}, {2, 2}, {4, 2}});
  using Sectors =
      made_flow<unit::whole_proof, order::fifo, admission::unbounded, batching::sector_batch>;
  CHECK(Sectors::batches(tags, wide) == Batches{{0, 4}, {4, 2}});
  // No batch is larger than what may be in flight.
  CHECK(Sectors::batches(tags, {.proofs_in_flight = 3, .batch_jobs = 2}) ==
        Batches{{0, 3}, {3, 3}});
  CHECK(made_flow<unit::whole_proof>::batches(tags, {.proofs_in_flight = 1}) ==
        Batches{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
}

TEST_CASE("no more proofs are begun and not ended than the limit", "[pipeline][law]") {
  for (const std::size_t limit : {1U, 3U}) {
    Player player;
    player.lingers = StageId::msm_a;
    player.until = [&](const Player& seen) {
      return seen.most_in_flight >= std::min<std::size_t>(limit, 2);
    };
    CHECK(all_made(play<made_flow<>, no_lock>(player, jobs_of(8, 1), {.proofs_in_flight = limit})));
    CHECK(player.most_in_flight <= limit);
    if (limit > 1) CHECK(player.most_in_flight > 1);
  }
}

TEST_CASE("a stream runs on the caller's thread alone too", "[pipeline][law]") {
  Player player;
  player.lasts = {};
  using Mixed = made_flow<unit::whole_proof, order::oldest_first, admission::held_through_queue,
                          batching::none>;
  CHECK(all_made(
      play<Mixed, device_lock, inline_pool>(player, jobs_of(5, 3), {.proofs_in_flight = 7})));
}

TEST_CASE("permits bound the making of witnesses, or the queue for the device too",
          "[pipeline][law]") {
  const PipelineLimits limits{.proofs_in_flight = 20, .device_workers = 1, .synthesis_workers = 1};
  const auto tags = jobs_of(1, 10);
  SECTION("unbounded: all witnesses at once") {
    Player player;
    player.lingers = StageId::synthesize;
    player.until = [](const Player& seen) { return seen.most_synthesizing > 1; };
    CHECK(all_made(play<made_flow<>>(player, tags, limits)));
    CHECK(player.most_synthesizing > 1);
  }
  SECTION("worker_count: one is made, any number waits") {
    Player player;
    player.lingers = StageId::upload;
    player.until = [](const Player& seen) { return seen.most_waiting > 2; };
    using Counted = made_flow<unit::partition, order::fifo, admission::worker_count>;
    CHECK(all_made(play<Counted>(player, tags, limits)));
    CHECK(player.most_synthesizing == 1);
    CHECK(player.most_waiting > 2);
  }
  SECTION("held_through_queue: who waits keeps its permit") {
    Player player;
    using Held = made_flow<unit::partition, order::fifo, admission::held_through_queue>;
    CHECK(all_made(play<Held>(player, tags, limits)));
    CHECK(player.most_synthesizing == 1);
    CHECK(player.most_waiting <= 2);  // one has its place and has not begun to upload
  }
  SECTION("credits: until the device is done") {
    Player player;
    using Credits = made_flow<unit::partition, order::fifo, admission::credits>;
    CHECK(all_made(play<Credits>(player, tags, limits)));
    CHECK(player.most_waiting == 1);
  }
  SECTION("byte_budget: three of hundred bytes in 350, until they end") {
    Player player;
    using Bytes = made_flow<unit::partition, order::fifo, admission::byte_budget>;
    PipelineLimits bytes = limits;
    bytes.host_bytes = 350;
    CHECK(all_made(play<Bytes>(player, tags, bytes, G2Place::device, false, 100)));
    CHECK(player.most_in_flight <= 3);
    Player refused;
    bytes.host_bytes = 99;
    const StreamEnd end = play<Bytes>(refused, tags, bytes, G2Place::device, false, 100);
    CHECK(refused.begun.empty());
    for (const auto& failure : end.failures) {
      CHECK_THROWS_AS(std::rethrow_exception(failure), ResourceExhausted);
    }
  }
}

TEST_CASE("a batch goes to the device when all its witnesses are made", "[pipeline][law]") {
  Player player;
  std::mutex mutex;
  std::set<std::size_t> made;
  bool too_early = false;
  player.also = [&](std::size_t proof, StageId stage) {
    const std::scoped_lock lock(mutex);
    if (stage == StageId::synthesize) made.insert(proof);
    if (stage == StageId::upload) {
      for (std::size_t other = proof / 3 * 3; other < proof / 3 * 3 + 3; ++other) {
        too_early = too_early || !made.contains(other);
      }
    }
  };
  CHECK(all_made(
      play<made_flow<unit::whole_proof>>(player, jobs_of(4, 3), {.proofs_in_flight = 12})));
  CHECK_FALSE(too_early);
}

TEST_CASE("jobs that are not mixed follow each other; the oldest ends first", "[pipeline][law]") {
  const PipelineLimits limits{.proofs_in_flight = 12, .device_workers = 1, .jobs_in_flight = 1};
  Player player;
  using Apart = made_flow<unit::partition, order::fifo, admission::unbounded, batching::none>;
  CHECK(all_made(play<Apart>(player, jobs_of(4, 3), limits)));
  for (std::size_t i = 0; i < 12; ++i) CHECK(player.ended[i] / 3 == i / 3);

  // Two jobs' partitions in turns, to a device that takes one: it is given the older job's first.
  std::vector<ProofTag> tags;
  for (std::size_t i = 0; i < 10; ++i) {
    tags.push_back({.number = i, .job = i % 2, .partition = i / 2});
  }
  Player oldest;
  oldest.lingers = StageId::upload;  // the first, until all others are in line
  oldest.until = [](const Player& seen) { return seen.most_waiting == 9; };
  using Oldest = made_flow<unit::partition, order::oldest_first>;
  PipelineLimits wide = limits;
  wide.threads = 2;
  CHECK(all_made(play<Oldest, process_lock>(oldest, tags, wide)));
  std::vector<std::size_t> jobs;
  for (std::size_t i = 1; i < 10; ++i) jobs.push_back(oldest.uploaded[i] % 2);
  CHECK(std::is_sorted(jobs.begin(), jobs.end()));
}

TEST_CASE("a high priority overtakes those who wait", "[pipeline][law]") {
  std::vector<ProofTag> tags = jobs_of(6, 1);
  tags[5].priority = Priority::high;
  Player player;
  CHECK(all_made(play<made_flow<>, process_lock>(player, tags, {.proofs_in_flight = 1})));
  CHECK(player.begun.front() == 5);
}

TEST_CASE("a flag keeps witnesses from being begun beside a sum on the host; a quota counts them",
          "[pipeline][law]") {
  const PipelineLimits limits{.proofs_in_flight = 6, .synthesis_quota = 1};
  const auto tags = jobs_of(20, 1);
  Player free;
  free.lingers = StageId::msm_b_g2;
  free.until = [](const Player& seen) { return seen.synthesis_beside_host_sum; };
  CHECK(all_made(play<made_flow<>>(free, tags, limits, G2Place::cpu_detached)));
  CHECK(free.synthesis_beside_host_sum);
  Player counted;
  using Quota = made_flow<unit::partition, order::fifo, admission::unbounded, batching::continuous,
                          throttle::quota>;
  CHECK(all_made(play<Quota>(counted, tags, limits, G2Place::cpu_detached)));
  CHECK(counted.most_synthesizing == 1);
  // What was granted before the gate closed may begin behind it: nothing else does.
  Gate gate;
  int granted = 0;
  const auto ask = [&] { gate.request(Rank{}, [&](Lease) noexcept { ++granted; }); };
  ask();
  CHECK(granted == 1);
  {
    const Lease first = gate.close();
    {
      const Lease second = gate.close();
      ask();
      ask();
    }
    CHECK(granted == 1);
  }
  CHECK(granted == 3);
  Player flagged;
  using Flag = made_flow<unit::partition, order::fifo, admission::unbounded, batching::continuous,
                         throttle::yield_flag>;
  CHECK(all_made(play<Flag>(flagged, tags, limits, G2Place::cpu_detached)));
}

TEST_CASE("a proof that fails in any stage ends alone, or ends the call where that is asked for",
          "[pipeline][fault]") {
  using Strict = made_flow<unit::whole_proof, order::oldest_first, admission::held_through_queue,
                           batching::none, throttle::yield_flag>;
  for (std::size_t stage = 0; stage < stage_count; ++stage) {
    Player player;
    player.lasts = std::chrono::microseconds(20);
    player.also = [&](std::size_t proof, StageId at) {
      if (proof == 4 && at == StageId(stage)) throw Failure("stage");
    };
    const StreamEnd end =
        play<Strict>(player, jobs_of(3, 3), {.proofs_in_flight = 9}, G2Place::cpu_after_unlock);
    for (std::size_t i = 0; i < end.failures.size(); ++i)
      CHECK((end.failures[i] != nullptr) == (i == 4));
    CHECK_THROWS_AS(std::rethrow_exception(end.first), Failure);
  }
  Player player;
  player.also = [&](std::size_t proof, StageId) {
    if (proof == 0) throw Failure("stage");
  };
  const StreamEnd end =
      play<made_flow<>>(player, jobs_of(5, 1), {.proofs_in_flight = 1}, G2Place::device, true);
  CHECK_THROWS_AS(std::rethrow_exception(end.first), Failure);
  CHECK(player.begun == std::vector<std::size_t>{0});
  CHECK_THROWS_AS(std::rethrow_exception(end.failures[3]), Cancelled);
}
