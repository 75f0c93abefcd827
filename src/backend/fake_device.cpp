// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/core/error.hpp>

#include "fake_state.hpp"

namespace zkgpu {

namespace fake {

namespace {

/// splitmix64: every bit of the argument moves every bit of the result.
std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// In [0, 1), a function of its arguments.
double drawn(std::uint64_t seed, FakeKind kind, std::uint64_t index) noexcept {
  const std::uint64_t bits = mixed(mixed(seed + static_cast<std::uint64_t>(kind)) + index);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

bool in(double x, double low, double high) noexcept { return x >= low && x <= high; }  // NaN: no

FakeDeviceOptions checked(FakeDeviceOptions options) {
  constexpr double most = 1e18;
  if (!in(options.upload_bytes_per_second, 0, most) ||
      !in(options.download_bytes_per_second, 0, most) || !in(options.pageable_rate, 1e-6, 1) ||
      options.launch_latency < std::chrono::nanoseconds(0)) {
    throw InvalidArgument("fake: a rate or a latency that no device has");
  }
  options.faults = {};
  return options;
}

/// A transfer at `bytes_per_second`; 0 is at once. A day at most: time has to be countable.
Clock::duration transfer_time(std::size_t bytes, double bytes_per_second) {
  if (bytes_per_second == 0) return Clock::duration{0};
  const double seconds = std::min(static_cast<double>(bytes) / bytes_per_second, 86400.0);
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Clock::time_point TransferEngine::transfer(const void* from, void* to, std::size_t bytes,
                                           double part_of_rate, Clock::time_point ready) {
  {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = next_++;
    turn_.wait(lock, [&] { return serving_ == ticket; });
  }
  // From when it could begin, not from when this thread woke up: a stream of copies keeps the rate.
  const auto over =
      std::max(ready, free_at_) + transfer_time(bytes, bytes_per_second_ * part_of_rate);
  free_at_ = over;
  if (over > Clock::now()) std::this_thread::sleep_until(over);
  std::memcpy(to, from, bytes);
  {
    const std::scoped_lock lock(mutex_);
    ++serving_;
  }
  turn_.notify_all();
  return over;
}

FaultPlan::FaultPlan(FakeFaults faults) : faults_(std::move(faults)) {
  if (!in(faults_.probability, 0, 1)) {
    throw InvalidArgument("fake: a probability beyond [0, 1]");
  }
}

std::optional<FakeEffect> FaultPlan::number(FakeOperation& operation) {
  {
    const std::scoped_lock lock(mutex_);
    operation.order = operations_++;
    operation.index = of_kind_.at(static_cast<std::size_t>(operation.kind))++;
  }
  for (const FakeFault& fault : faults_.planned) {
    const bool strikes = fault.kind
                             ? *fault.kind == operation.kind && fault.index == operation.index
                             : fault.index == operation.order;
    if (strikes) return fault.effect;
  }
  const bool concerned = !faults_.random_kind || *faults_.random_kind == operation.kind;
  if (concerned && drawn(faults_.seed, operation.kind, operation.index) < faults_.probability) {
    return faults_.random_effect;
  }
  return std::nullopt;
}

std::uint64_t FaultPlan::operations() const {
  const std::scoped_lock lock(mutex_);
  return operations_;
}

Device::Device(FakeDeviceOptions wanted)
    : options(checked(wanted)),
      memory("device memory", options.memory_bytes),
      pinned("pinned memory", options.pinned_bytes),
      uploads(options.upload_bytes_per_second),
      downloads(options.download_bytes_per_second),
      plan_(std::make_shared<FaultPlan>(std::move(wanted.faults))) {}

void Device::check() const {
  const std::scoped_lock lock(mutex_);
  if (const char* why = failure_.text()) {
    throw DeviceError(std::string("fake: the device has failed: ") + why);
  }
}
void Device::fail(const char* why) noexcept {
  if (!options.sticky_device) return;
  const std::scoped_lock lock(mutex_);
  failure_.set(why);
}
std::shared_ptr<FaultPlan> Device::plan() const {
  const std::scoped_lock lock(mutex_);
  return plan_;
}
void Device::set_plan(std::shared_ptr<FaultPlan> plan) {
  const std::scoped_lock lock(mutex_);
  plan_.swap(plan);
}

void Device::perform(FakeKind kind, std::size_t bytes) {
  check();
  const auto plan = this->plan();
  FakeOperation operation;
  operation.kind = kind;
  operation.bytes = bytes;
  const auto effect = plan->number(operation);
  plan->before(operation);
  if (!effect || *effect == FakeEffect::corrupt) return;
  if (kind == FakeKind::allocate) memory.refuse(bytes, ": injected fault");
  if (kind == FakeKind::allocate_pinned) pinned.refuse(bytes, ": injected fault");
  throw DeviceError("fake: " + std::string(to_string(kind)) + ": injected fault");
}

}  // namespace fake

FakeDevice::FakeDevice(FakeDeviceOptions options)
    : state_(std::make_shared<fake::Device>(std::move(options))) {}

DeviceProperties FakeDevice::properties() const noexcept {
  DeviceProperties properties;
  properties.compute_units = state_->options.compute_units;
  properties.memory_bytes = state_->options.memory_bytes;
  return properties;
}

FakeQueue FakeDevice::make_queue() const {
  state_->perform(FakeKind::make_queue, 0);
  return FakeQueue(std::make_unique<fake::Queue>(state_));
}

std::shared_ptr<std::byte> FakeDevice::allocate_bytes(FakeKind kind, std::size_t n,
                                                      std::size_t size) const {
  if (n == 0) return nullptr;
  if (n > static_cast<std::size_t>(-1) / size) {
    throw ResourceExhausted("fake: an array of " + std::to_string(n) + " elements of " +
                            std::to_string(size) + " bytes");
  }
  state_->perform(kind, n * size);
  fake::Pool& pool = kind == FakeKind::allocate ? state_->memory : state_->pinned;
  auto block = pool.allocate(n * size);
  if (kind == FakeKind::allocate) ++state_->allocations;
  std::byte* const data = block->data;
  return {data, [device = state_, &pool, block = std::move(block)](std::byte*) mutable {
            pool.release(block);
            block.reset();
          }};
}

PinnedPages FakeDevice::register_host(std::span<const std::byte> memory) const {
  const auto pages = PageRegistry::whole_pages(memory);
  if (pages.empty()) return {};
  const auto pin = [&](PageRegistry::Pages wanted) {
    state_->perform(FakeKind::register_host, wanted.size());
    if (state_->pinned.lease(wanted.data(), wanted.size())) return false;
    state_->pinned.adopt({const_cast<std::byte*>(wanted.data()), wanted.size()});
    state_->registered_bytes += wanted.size();
    ++state_->registrations;
    return true;
  };
  const auto unpin = [device = state_](PageRegistry::Pages pinned) {
    device->pinned.release(pinned.data());
    device->registered_bytes -= pinned.size();
  };
  return {state_->registry.lease(pages, pin, unpin), pages};
}

std::size_t FakeDevice::free_bytes() const {
  state_->check();
  return state_->memory.free();
}
void FakeDevice::wipe(DeviceSpan<std::byte> memory) const {
  if (memory.empty()) return;
  state_->perform(FakeKind::wipe, memory.size());
  state_->memory.wipe(memory.data(), memory.size());
}
void FakeDevice::set_faults(FakeFaults faults) const {
  state_->set_plan(std::make_shared<fake::FaultPlan>(std::move(faults)));
}

FakeCounters FakeDevice::counters() const {
  FakeCounters counters;
  counters.bytes_in_use = state_->memory.used();
  counters.peak_bytes = state_->memory.peak();
  counters.pinned_bytes_in_use = state_->pinned.used();
  counters.peak_pinned_bytes = state_->pinned.peak();
  counters.registered_bytes = state_->registered_bytes;
  counters.registrations = state_->registrations;
  counters.queues = state_->queues;
  counters.operations = state_->plan()->operations();
  counters.allocations = state_->allocations;
  counters.launches = state_->launches;
  counters.waits = state_->waits;
  counters.copies = state_->copies;
  counters.upload_bytes = state_->upload_bytes;
  counters.download_bytes = state_->download_bytes;
  counters.pageable_bytes = state_->pageable_bytes;
  counters.wiped_bytes = state_->memory.wiped_bytes();
  counters.misuses = state_->memory.misuses() + state_->pinned.misuses();
  return counters;
}

}  // namespace zkgpu
