// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>

#include "fake_state.hpp"

namespace zkgpu::fake {

namespace {

std::string described(const FakeOperation& operation) {
  std::string text = "fake: queue " + std::to_string(operation.queue) + ": " +
                     std::string(to_string(operation.kind)) + " " + std::to_string(operation.index);
  if (!operation.name.empty()) text += " (" + std::string(operation.name) + ")";
  return text;
}

/// f() with every exception typed: those of ours as they are, the host's lack of memory as that.
template <class Function>
void with_typed_errors(const FakeOperation& operation, Function&& f) {
  try {
    f();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw ResourceExhausted(described(operation) + ": out of memory");
  } catch (const std::exception& error) {
    throw DeviceError(described(operation) + ": " + error.what());
  } catch (...) {
    throw DeviceError(described(operation) + ": an exception that is no std::exception");
  }
}

void flip_a_bit(std::span<std::byte> written) noexcept {
  if (!written.empty()) written[written.size() / 2] ^= std::byte{1};
}

}  // namespace

Queue::Queue(std::shared_ptr<Device> device)
    : device_(std::move(device)), number_(++device_->queues_made) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw ResourceExhausted(std::string("fake: no thread for a queue: ") + error.what());
  }
  ++device_->queues;
}

Queue::~Queue() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  more_.notify_all();
  thread_.join();
  --device_->queues;
}

const char* Queue::failed() const {
  const std::scoped_lock lock(mutex_);
  return failure_.text();
}

Step Queue::begin(FakeKind kind, const char* name, std::size_t bytes) const {
  device_->check();
  if (const char* why = failed()) {
    throw DeviceError("fake: queue " + std::to_string(number_) + " has failed: " + why);
  }
  Step step;
  step.plan = device_->plan();
  step.operation.kind = kind;
  step.operation.name = name;
  step.operation.bytes = bytes;
  step.operation.queue = number_;
  step.effect = step.plan->number(step.operation);
  if (step.effect == FakeEffect::fail_call) {
    throw DeviceError(described(step.operation) + ": injected fault");
  }
  return step;
}

void Queue::use(Step& step, const void* data, std::size_t bytes) const {
  if (bytes == 0) return;
  auto lease = device_->memory.lease(data, bytes);
  if (!lease) {
    throw DeviceError(described(step.operation) + ": illegal address: " + std::to_string(bytes) +
                      " bytes lie in no memory of the device");
  }
  step.leases.push_back(std::move(*lease));
}

void Queue::enqueue(Step step) {
  step.enqueued = Clock::now();
  {
    const std::scoped_lock lock(mutex_);
    pending_.push_back(std::move(step));
    ++enqueued_;
  }
  more_.notify_one();
}

void Queue::wait() {
  if (std::this_thread::get_id() == thread_.get_id()) {
    throw InvalidArgument("fake: work of a queue cannot wait for its own end");
  }
  ++device_->waits;
  std::exception_ptr exception;
  {
    std::unique_lock lock(mutex_);
    const std::uint64_t last = enqueued_;
    done_.wait(lock, [&] { return completed_ >= last; });
    exception = exception_;
  }
  if (exception != nullptr) std::rethrow_exception(exception);
  device_->check();
}

void Queue::run() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    more_.wait(lock, [this] { return ending_ || !pending_.empty(); });
    if (pending_.empty()) return;
    {
      Step step = std::move(pending_.front());
      pending_.pop_front();
      lock.unlock();
      carry_out(step);
    }  // what the work held is given back before anybody is told that it is done
    lock.lock();
    ++completed_;
    done_.notify_all();
  }
}

void Queue::carry_out(Step& step) noexcept {
  const FakeOperation& operation = step.operation;
  if (const char* why = failed()) {
    step.work->fail(why);
    return;
  }
  try {
    with_typed_errors(operation, [&] {
      device_->check();
      due_ = std::max(due_, step.enqueued);
      if (step.plan->before(operation)) due_ = Clock::now();
      if (step.effect == FakeEffect::fail_queue) {
        throw DeviceError(described(operation) + ": injected fault");
      }
      for (const Lease& lease : step.leases) lease.check();
      step.work->run();
      if (step.effect == FakeEffect::corrupt) flip_a_bit(step.written);
      for (const Lease& lease : step.leases) lease.check();
    });
  } catch (const Error& error) {
    fail(error.what(), std::current_exception());
    step.work->fail(error.what());
  }
}

void Queue::fail(const char* why, std::exception_ptr exception) noexcept {
  device_->fail(why);
  const std::scoped_lock lock(mutex_);
  exception_ = std::move(exception);
  failure_.set(why);
}

}  // namespace zkgpu::fake
