// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>

namespace zkgpu {

/// Who lends scratch memory of one device to the stages; a memory policy decides how.
///
/// Laws: `acquire` gives at least the bytes asked for, aligned for any type, and throws
/// ResourceExhausted where it cannot; `release` wipes, because stages work on secrets, unless only
/// this lender's own stages can get the memory before it is wiped; both may be called by several
/// threads at once.
template <Backend B>
class BufferSource {
 public:
  using Buffer = typename B::template Buffer<std::byte>;

  BufferSource() = default;
  BufferSource(const BufferSource&) = delete;
  BufferSource& operator=(const BufferSource&) = delete;
  virtual ~BufferSource() = default;

  virtual Buffer acquire(std::size_t bytes) = 0;
  virtual void release(Buffer&& buffer) noexcept = 0;
};

/// `size` uninitialised elements of device memory, lent by a BufferSource and given back, wiped,
/// when this dies. Moves only.
template <class T, Backend B>
class Scratch {
 public:
  Scratch() = default;
  /// @throws ResourceExhausted if the memory cannot be had
  Scratch(BufferSource<B>& source, std::size_t size)
      : source_(&source), buffer_(source.acquire(size * sizeof(T))), size_(size) {}
  Scratch(Scratch&& other) noexcept { swap(other); }
  Scratch& operator=(Scratch&& other) noexcept {
    Scratch taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Scratch() {
    if (source_ != nullptr) source_->release(std::move(buffer_));
  }

  /// Device memory; writable through a const Scratch too, which owns the place and not the
  /// contents.
  [[nodiscard]] typename B::template Span<T> span() const noexcept {
    return {reinterpret_cast<T*>(buffer_.span().data()), size_};
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  void swap(Scratch& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(buffer_, other.buffer_);
    std::swap(size_, other.size_);
  }
  BufferSource<B>* source_ = nullptr;
  mutable typename BufferSource<B>::Buffer buffer_;
  std::size_t size_ = 0;
};

/// Waits for a queue when a failure leaves the scope, so that nothing works on memory that goes
/// back to its lender. Declare it after that memory.
template <Backend B>
class DrainOnFailure {
 public:
  explicit DrainOnFailure(const typename B::Queue& queue) noexcept
      : queue_(queue), failures_(std::uncaught_exceptions()) {}
  DrainOnFailure(const DrainOnFailure&) = delete;
  DrainOnFailure& operator=(const DrainOnFailure&) = delete;
  ~DrainOnFailure() {
    if (std::uncaught_exceptions() == failures_) return;
    try {
      queue_.wait();
    } catch (...) {  // the first failure is on its way
    }
  }

 private:
  const typename B::Queue& queue_;
  int failures_;
};

/// What must stay until the host has waited for the queue of stages that do not wait themselves.
/// For one thread at a time.
class Deferral {
 public:
  Deferral() = default;
  Deferral(const Deferral&) = delete;
  Deferral& operator=(const Deferral&) = delete;
  ~Deferral() { let_go(); }

  /// @throws std::bad_alloc, and then `thing` is where it was
  template <class Thing>
  requires(!std::is_reference_v<Thing>) void keep(Thing&& thing) {
    kept_.reserve(kept_.size() + 1);
    kept_.push_back({new Thing(std::move(thing)),
                     [](void* kept) noexcept { delete static_cast<Thing*>(kept); }});
  }
  /// The host has waited.
  void let_go() noexcept {
    for (const Kept& kept : kept_) kept.destroy(kept.thing);
    kept_.clear();
  }

 private:
  struct Kept {  // <memory> costs every stage 0.3 s to compile
    void* thing;
    void (*destroy)(void*) noexcept;
  };
  std::vector<Kept> kept_;
};

/// What a stage may use while it runs: one queue of one device, and memory lent by the policy.
///
/// With a deferral nothing is waited for: the stages of a proof are enqueued one after another to
/// one queue, memory that they give back is lent to nobody before the queue has drained, and what
/// they upload from stays until then.
template <Backend B>
struct StageContext {
  B& backend;
  typename B::Queue& queue;
  BufferSource<B>& memory;
  Deferral* deferral = nullptr;

  /// What was enqueued is done, or will be waited for by who defers.
  void finish() const {
    if (deferral == nullptr) queue.wait();
  }

  template <class T>
  [[nodiscard]] Scratch<T, B> scratch(std::size_t size) const {
    return Scratch<T, B>(memory, size);
  }
};

/// A node of the proof graph. Knows its mathematics; knows no thread, lock or other stage.
template <class S, class B>
concept Stage = Backend<B> &&
    requires(const S s, StageContext<B>& at, const typename S::Input& in) {
  { S::name } -> std::convertible_to<std::string_view>;
  { s(at, in) } -> std::same_as<typename S::Output>;
};

}  // namespace zkgpu
