// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>

#include "fake_state.hpp"

namespace zkgpu::fake {

namespace {

constexpr std::align_val_t block_alignment{Pool::alignment};
constexpr int fresh_byte = 0xA5;  // neither zero, nor a small number, nor a canonical element

std::size_t rounded(std::size_t bytes) {
  return (bytes + Pool::alignment - 1) / Pool::alignment * Pool::alignment;
}

}  // namespace

Block::Block(std::size_t n)
    // Throws itself: a sanitizer's operator new would end the process instead.
    : data(static_cast<std::byte*>(::operator new(n, block_alignment, std::nothrow))), bytes(n) {
  if (data == nullptr) throw std::bad_alloc();
  std::memset(data, fresh_byte, n);
}
Block::~Block() {
  if (owned) ::operator delete(data, block_alignment);
}

Lease::~Lease() {
  if (block_ == nullptr) return;
  const std::scoped_lock lock(pool_->mutex_);
  --block_->pending;
}
void Lease::check() const {
  const std::scoped_lock lock(pool_->mutex_);
  if (!block_->live) {
    throw DeviceError("illegal address: " + std::to_string(block_->bytes) + " bytes of " +
                      pool_->what_ + " were freed before the work that uses them was done");
  }
}

void Pool::refuse(std::size_t bytes, const char* why) const {
  throw ResourceExhausted(std::string("fake: ") + what_ + ": " + std::to_string(bytes) +
                          " bytes wanted, " + std::to_string(free()) + " of " +
                          std::to_string(limit_) + " free" + why);
}

std::shared_ptr<Block> Pool::allocate(std::size_t bytes) {
  return add(bytes, [&] { return std::make_shared<Block>(bytes); });
}
void Pool::adopt(std::span<std::byte> memory) {
  add(memory.size(), [&] { return std::make_shared<Block>(memory.data(), memory.size()); });
}

template <class Make>
std::shared_ptr<Block> Pool::add(std::size_t bytes, const Make& make) {
  {
    // Taken before it is had, so that several at once do not pass the limit together.
    std::unique_lock lock(mutex_);
    if (bytes > static_cast<std::size_t>(-1) - alignment || rounded(bytes) > limit_ - used_) {
      lock.unlock();
      refuse(bytes, "");
    }
    used_ += rounded(bytes);
  }
  try {
    auto block = make();
    const std::scoped_lock lock(mutex_);
    blocks_.emplace(block->data, block);
    peak_ = std::max(peak_, used_);
    return block;
  } catch (const std::bad_alloc&) {
    {
      const std::scoped_lock lock(mutex_);
      used_ -= rounded(bytes);
    }
    refuse(bytes, ", but the host has no memory for them");
  }
}

void Pool::release(const std::shared_ptr<Block>& block) noexcept {
  const std::scoped_lock lock(mutex_);
  block->live = false;
  if (block->pending != 0) ++misuses_;
  used_ -= rounded(block->bytes);
  blocks_.erase(block->data);
}

void Pool::release(const std::byte* data) noexcept {
  std::shared_ptr<Block> block;
  {
    const std::scoped_lock lock(mutex_);
    const auto at = blocks_.find(data);
    if (at == blocks_.end()) return;
    block = at->second;
  }
  release(block);
}

std::shared_ptr<Block> Pool::find_locked(const void* data, std::size_t bytes) const {
  const auto* first = static_cast<const std::byte*>(data);
  auto at = blocks_.upper_bound(first);
  if (at == blocks_.begin()) return nullptr;
  at = std::prev(at);
  const std::size_t before = static_cast<std::size_t>(first - at->first);
  if (before > at->second->bytes || bytes > at->second->bytes - before) return nullptr;
  return at->second;
}

std::optional<Lease> Pool::lease(const void* data, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  auto block = find_locked(data, bytes);
  if (block == nullptr) return std::nullopt;
  ++block->pending;
  return Lease(*this, std::move(block));
}

void Pool::wipe(std::byte* data, std::size_t bytes) noexcept {
  std::shared_ptr<Block> block;
  {
    const std::scoped_lock lock(mutex_);
    block = find_locked(data, bytes);
    if (block == nullptr || block->pending != 0) ++misuses_;
    if (block != nullptr) wiped_bytes_ += bytes;
  }
  if (block != nullptr) secure_wipe(static_cast<void*>(data), bytes);
}

std::size_t Pool::used() const {
  const std::scoped_lock lock(mutex_);
  return used_;
}
std::size_t Pool::peak() const {
  const std::scoped_lock lock(mutex_);
  return peak_;
}
std::uint64_t Pool::wiped_bytes() const {
  const std::scoped_lock lock(mutex_);
  return wiped_bytes_;
}
std::uint64_t Pool::misuses() const {
  const std::scoped_lock lock(mutex_);
  return misuses_;
}

}  // namespace zkgpu::fake
