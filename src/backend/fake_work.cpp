// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>

#include "fake_state.hpp"

namespace zkgpu {

namespace fake {

Clock::time_point Recording::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_; });
  return time_locked();
}
Clock::time_point Recording::time() const {
  const std::scoped_lock lock(mutex_);
  if (!ended_) throw DeviceError("fake: the event has not happened yet");
  return time_locked();
}
Clock::time_point Recording::time_locked() const {
  if (const char* why = failure_.text()) {
    throw DeviceError(std::string("fake: the event is of a queue that failed: ") + why);
  }
  return time_;
}
void Recording::end(const char* why, Clock::time_point time) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    time_ = time;
    if (why != nullptr) failure_.set(why);
  }
  changed_.notify_all();
}

void Event::set(std::shared_ptr<Recording> recording) {
  const std::scoped_lock lock(mutex_);
  recording_.swap(recording);
}
std::shared_ptr<Recording> Event::recording() const {
  const std::scoped_lock lock(mutex_);
  return recording_;
}

namespace {

class Record final : public Work {
 public:
  Record(Queue& queue, std::shared_ptr<Recording> recording)
      : queue_(&queue), recording_(std::move(recording)) {}
  void run() override { recording_->happen(queue_->due()); }
  void fail(const char* why) noexcept override { recording_->fail(why); }

 private:
  Queue* queue_;
  std::shared_ptr<Recording> recording_;
};

class WaitFor final : public Work {
 public:
  WaitFor(Queue& queue, std::shared_ptr<Recording> recording)
      : queue_(&queue), recording_(std::move(recording)) {}
  void run() override {
    if (recording_ != nullptr) queue_->set_due(std::max(queue_->due(), recording_->wait()));
  }

 private:
  Queue* queue_;
  std::shared_ptr<Recording> recording_;  // none: the event was never recorded
};

/// A launch: what was submitted, and the time that a launch takes.
class Launch final : public Work {
 public:
  Launch(Queue& queue, std::unique_ptr<Work> work) : queue_(&queue), work_(std::move(work)) {}
  void run() override {
    Device& device = queue_->device();
    const auto begin = queue_->due() + device.options.launch_latency;
    if (begin > Clock::now()) std::this_thread::sleep_until(begin);
    ++device.launches;
    {
      const StackWipe wipe;  // its work may be on secrets
      work_->run();
    }
    queue_->set_due(Clock::now());
  }

 private:
  Queue* queue_;
  std::unique_ptr<Work> work_;
};

struct Copy {
  Queue* queue;
  FakeKind kind;
  const void* from;
  void* to;
  std::size_t bytes;
  bool pageable;

  void operator()() const {
    Device& device = queue->device();
    const double part = pageable ? device.options.pageable_rate : 1.0;
    if (kind == FakeKind::upload) {
      queue->set_due(device.uploads.transfer(from, to, bytes, part, queue->due()));
      device.upload_bytes += bytes;
    } else if (kind == FakeKind::download) {
      queue->set_due(device.downloads.transfer(from, to, bytes, part, queue->due()));
      device.download_bytes += bytes;
    } else {
      std::memcpy(to, from, bytes);
      queue->set_due(Clock::now());
    }
    ++device.copies;
    if (pageable) device.pageable_bytes += bytes;
  }
};

template <class Function>
std::unique_ptr<Work> work_of(Function function) {
  return std::make_unique<WorkOf<Function>>(std::move(function));
}

/// The side of a copy that is the host's. @return whether it is pageable
bool use_host(Step& step, Device& device, const void* data, std::size_t bytes) {
  if (device.memory.lease(data, bytes)) {
    throw InvalidArgument("fake: the host's side of a copy is memory of the device");
  }
  auto pinned = device.pinned.lease(data, bytes);
  if (!pinned) return true;
  step.leases.push_back(std::move(*pinned));
  return false;
}

bool overlap(const void* a, const void* b, std::size_t bytes) noexcept {
  const std::less<const std::byte*> before;
  const auto* x = static_cast<const std::byte*>(a);
  const auto* y = static_cast<const std::byte*>(b);
  return before(x, y + bytes) && before(y, x + bytes);
}

}  // namespace

}  // namespace fake

FakeEvent::FakeEvent() : state_(std::make_unique<fake::Event>()) {}
FakeEvent::FakeEvent(FakeEvent&& other) noexcept = default;
FakeEvent& FakeEvent::operator=(FakeEvent&& other) noexcept = default;
FakeEvent::~FakeEvent() = default;

fake::Event& FakeEvent::state() const {
  if (state_ == nullptr) throw InvalidArgument("fake: an event that was moved from");
  return *state_;
}
double FakeEvent::milliseconds_since(const FakeEvent& earlier) const {
  const auto last = state().recording();
  const auto first = earlier.state().recording();
  if (first == nullptr || last == nullptr) {
    throw DeviceError("fake: a time between events of which one was never recorded");
  }
  return std::chrono::duration<double, std::milli>(last->time() - first->time()).count();
}
void FakeEvent::wait() const {
  if (const auto recording = state().recording()) recording->wait();
}

FakeQueue::FakeQueue(std::unique_ptr<fake::Queue> state) noexcept : state_(std::move(state)) {}
FakeQueue::FakeQueue(FakeQueue&& other) noexcept = default;
FakeQueue& FakeQueue::operator=(FakeQueue&& other) noexcept = default;
FakeQueue::~FakeQueue() = default;

fake::Queue& FakeQueue::state() const {
  if (state_ == nullptr) throw InvalidArgument("fake: a queue that was moved from");
  return *state_;
}
void FakeQueue::wait() const { state().wait(); }

void FakeQueue::record(const FakeEvent& event) const {
  fake::Queue& queue = state();
  fake::Event& recorded = event.state();
  fake::Step step = queue.begin(FakeKind::record, "", 0);
  auto recording = std::make_shared<fake::Recording>();
  step.work = std::make_unique<fake::Record>(queue, recording);
  queue.enqueue(std::move(step));
  recorded.set(std::move(recording));
}

void FakeQueue::wait_for(const FakeEvent& event) const {
  fake::Queue& queue = state();
  auto recording = event.state().recording();
  fake::Step step = queue.begin(FakeKind::wait_for, "", 0);
  step.work = std::make_unique<fake::WaitFor>(queue, std::move(recording));
  queue.enqueue(std::move(step));
}

void FakeQueue::copy(FakeKind kind, const void* from, std::size_t from_bytes, void* to,
                     std::size_t to_bytes) const {
  fake::Queue& queue = state();
  if (from_bytes != to_bytes) throw InvalidArgument("fake: copy between unequal sizes");
  if (from_bytes == 0) return;
  if (from == nullptr || to == nullptr) throw InvalidArgument("fake: copy from or to no memory");
  if (kind == FakeKind::copy_within && fake::overlap(from, to, from_bytes)) {
    throw InvalidArgument("fake: copy between memory that overlaps");
  }
  fake::Step step = queue.begin(kind, "", from_bytes);
  bool pageable = false;
  if (kind == FakeKind::upload) {
    pageable = fake::use_host(step, queue.device(), from, from_bytes);
  } else {
    queue.use(step, from, from_bytes);
  }
  if (kind == FakeKind::download) {
    pageable = fake::use_host(step, queue.device(), to, to_bytes);
  } else {
    queue.use(step, to, to_bytes);
  }
  step.written = {static_cast<std::byte*>(to), to_bytes};
  step.work = fake::work_of(fake::Copy{&queue, kind, from, to, to_bytes, pageable});
  queue.enqueue(std::move(step));
}

void FakeQueue::fill_bytes(DeviceSpan<std::byte> to, int value) const {
  fake::Queue& queue = state();
  if (to.empty()) return;
  fake::Step step = queue.begin(FakeKind::fill, "", to.size());
  queue.use(step, to.data(), to.size());
  step.written = {to.data(), to.size()};
  step.work = fake::work_of([to, value, &queue] {
    std::memset(to.data(), value, to.size());
    queue.set_due(fake::Clock::now());
  });
  queue.enqueue(std::move(step));
}

void FakeQueue::launch(const char* name, std::initializer_list<fake::Use> uses,
                       std::unique_ptr<fake::Work> work) const {
  fake::Queue& queue = state();
  fake::Step step = queue.begin(FakeKind::launch, name, 0);
  for (const fake::Use& use : uses) {
    queue.use(step, use.data, use.bytes);
    step.operation.bytes += use.bytes;
    // By convention outputs come last.
    if (use.written && use.bytes != 0) {
      step.written = {static_cast<std::byte*>(use.data), use.bytes};
    }
  }
  step.work = std::make_unique<fake::Launch>(queue, std::move(work));
  queue.enqueue(std::move(step));
}

}  // namespace zkgpu
