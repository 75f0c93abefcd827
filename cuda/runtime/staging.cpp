// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "staging.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>

namespace zkgpu::cuda {

Staging::~Staging() {
  cancel();
  {
    const Lock lock(mutex_);
    ends_ = true;
  }
  more_.notify_all();
  for (auto& thread : threads_) thread.join();
  if (ring_ != nullptr) secure_wipe(ring_.get(), ring_bytes());  // scalars may have been witnesses
}

void Staging::begin(std::span<const std::byte> from, std::byte* to) {
  if (from.empty()) return;
  if (threads_.empty()) start();
  {
    const Lock lock(mutex_);
    waiting_.push_back({from, to});
  }
  more_.notify_all();
}

void Staging::finish() {
  Lock lock(mutex_);
  idle_.wait(lock, [this] { return waiting_.empty() && in_work_ == 0; });
  if (const auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
}

void Staging::cancel() noexcept {
  Lock lock(mutex_);
  waiting_.clear();
  idle_.wait(lock, [this] { return in_work_ == 0; });
  failure_ = nullptr;
}

void Staging::wipe() noexcept {
  Lock lock(mutex_);
  idle_.wait(lock, [this] { return waiting_.empty() && in_work_ == 0; });
  if (ring_ == nullptr) return;
  for (std::size_t k = 0; k < threads_.size(); ++k) wipes_[k] = 1;
  in_work_ = threads_.size();
  more_.notify_all();
}

void Staging::start() {
  wipes_.assign(count_, 0);
  try {
    ring_ = device_.obtain(ring_bytes());
  } catch (const ResourceExhausted&) {
    ring_ = nullptr;  // slower, but it works
  }
  try {
    for (unsigned k = 0; k < count_; ++k) threads_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error& error) {  // fewer do it too
    if (threads_.empty()) {
      throw ResourceExhausted(std::string("cuda: no thread for copies: ") + error.what());
    }
  }
}

/// The next piece of what waits.
Staging::Copy Staging::take_locked() {
  Copy& next = waiting_.front();
  const Copy part{next.from.first(std::min(piece_bytes, next.from.size())), next.to};
  next = {next.from.subspan(part.from.size()), next.to + part.from.size()};
  if (next.from.empty()) waiting_.pop_front();
  return part;
}

void Staging::copy(unsigned piece, const Copy& part) {
  device_.wait(piece);
  if (ring_ == nullptr) return device_.send(piece, part.from, part.to);
  std::byte* const pinned = ring_.get() + piece * piece_bytes;
  std::memcpy(pinned, part.from.data(), part.from.size());
  device_.send(piece, {pinned, part.from.size()}, part.to);
}

void Staging::wipe_pieces(unsigned thread) noexcept {
  for (unsigned k = thread * pieces_of_thread; k < (thread + 1) * pieces_of_thread; ++k) {
    try {
      device_.wait(k);
    } catch (...) {  // who waits for the device's work is told
    }
    secure_wipe(ring_.get() + k * piece_bytes, piece_bytes);
  }
}

void Staging::work(unsigned thread) noexcept {
  Lock lock(mutex_);
  for (unsigned turn = 0;; ++turn) {
    more_.wait(lock, [&] { return ends_ || !waiting_.empty() || wipes_[thread] != 0; });
    if (wipes_[thread] != 0) {
      lock.unlock();
      wipe_pieces(thread);
      lock.lock();
      wipes_[thread] = 0;
      if (--in_work_ == 0 && waiting_.empty()) idle_.notify_all();
      continue;
    }
    if (ends_) break;
    const Copy part = take_locked();
    ++in_work_;
    lock.unlock();
    std::exception_ptr failed;
    try {
      copy(thread * pieces_of_thread + turn % pieces_of_thread, part);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    if (failed != nullptr) {
      if (failure_ == nullptr) failure_ = failed;
      waiting_.clear();
    }
    if (--in_work_ == 0 && waiting_.empty()) idle_.notify_all();
  }
  lock.unlock();
  for (unsigned k = 0; k < pieces_of_thread; ++k) {  // the ring goes after this
    try {
      device_.wait(thread * pieces_of_thread + k);
    } catch (...) {  // who waits for the device's work is told
    }
  }
}

}  // namespace zkgpu::cuda
