// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "arena_set.hpp"

#include <algorithm>
#include <utility>

#include <zkgpu/prover/pipeline/thread_pools/arena_pools.hpp>

namespace zkgpu::pipeline {

namespace {

/// How many threads oneTBB may use in all arenas together. By default as many as the machine runs
/// at once, one of which is whoever waits: arenas that overlap would take turns. The same number
/// for every set, since oneTBB obeys the smallest, and two engines shall not touch each other; it
/// is as many as oneTBB is ready to start on any machine.
std::size_t worker_limit() {
  const auto all = static_cast<std::size_t>(tbb::info::default_concurrency());
  return std::max<std::size_t>(256, 2 * all) + 1;
}

}  // namespace

struct ArenaSet::Member {
  explicit Member(const ArenaShape& shape) : arena(shape.threads, 0, CpuMask(shape.cpus)) {}
  std::deque<Task> waiting;
  std::size_t unfinished = 0;
  Arena arena;
};

ArenaSet::ArenaSet(const std::vector<ArenaShape>& shapes)
    : workers_(tbb::global_control::max_allowed_parallelism, worker_limit()) {
  if (shapes.empty()) throw InvalidArgument("threads: a set of arenas needs one");
  members_.reserve(shapes.size());
  for (const ArenaShape& shape : shapes) members_.push_back(std::make_unique<Member>(shape));
}

ArenaSet::~ArenaSet() { wait(); }

void ArenaSet::submit(std::size_t arena, Task task) {
  const std::scoped_lock lock(mutex_);
  submit_locked(*members_[arena], std::move(task));
}

void ArenaSet::submit_to_idlest(Task task) {
  const std::scoped_lock lock(mutex_);
  const auto idlest =
      std::min_element(members_.begin(), members_.end(),
                       [](const auto& a, const auto& b) { return a->unfinished < b->unfinished; });
  submit_locked(**idlest, std::move(task));
}

/// Tasks pass through a queue of our own: oneTBB is told only that there is one, so that nothing
/// has to be copied, and the order of submission is kept.
void ArenaSet::submit_locked(Member& member, Task&& task) {
  member.waiting.push_back(std::move(task));
  try {
    member.arena.arena.enqueue([this, &member] { run_next(member); });
  } catch (...) {
    member.waiting.pop_back();
    throw;
  }
  ++member.unfinished;
  ++unfinished_;
}

void ArenaSet::run_next(Member& member) noexcept {
  Task task;
  {
    const std::scoped_lock lock(mutex_);
    task = std::move(member.waiting.front());
    member.waiting.pop_front();
  }
  failures_.run(task);
  task = Task();  // what it owns goes before anyone hears that it ended
  const std::scoped_lock lock(mutex_);
  --member.unfinished;
  if (--unfinished_ == 0) ended_.notify_all();
}

void ArenaSet::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return unfinished_ == 0; });
}

void ArenaSet::drain() {
  wait();
  failures_.rethrow();
}

std::size_t ArenaSet::width(std::size_t arena) const noexcept {
  return members_[arena]->arena.width;
}

std::size_t ArenaSet::width() const noexcept {
  std::size_t most = 0;
  for (const auto& member : members_) most = std::max(most, member->arena.width);
  return most;
}

ArenaPools::ArenaPools(std::unique_ptr<ArenaSet> arenas) noexcept : arenas_(std::move(arenas)) {}
ArenaPools::ArenaPools(ArenaPools&&) noexcept = default;
ArenaPools& ArenaPools::operator=(ArenaPools&&) noexcept = default;
ArenaPools::~ArenaPools() = default;

void ArenaPools::drain() { arenas_->drain(); }

}  // namespace zkgpu::pipeline
