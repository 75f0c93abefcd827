// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include <zkgpu/backend/backend.hpp>
#include <zkgpu/backend/pinned.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/prover/groth16/assemble.hpp>
#include <zkgpu/prover/pipeline/queue_pool.hpp>

namespace zkgpu {

/// Lends for one proof, and keeps what comes back until its queue has drained: then work that is
/// still to be done has its memory. For one thread at a time.
template <Backend B>
class HeldMemory final : public BufferSource<B> {
 public:
  using Buffer = typename BufferSource<B>::Buffer;
  explicit HeldMemory(BufferSource<B>& source) noexcept : source_(source) {}
  ~HeldMemory() override { let_go(); }

  Buffer acquire(std::size_t bytes) override {
    held_.reserve(held_.size() + lent_ + 1);  // what comes back finds its place
    Buffer made = source_.acquire(bytes);
    ++lent_;
    return made;
  }
  void release(Buffer&& buffer) noexcept override {
    held_.push_back(std::move(buffer));
    --lent_;
  }
  void let_go() noexcept {
    for (Buffer& buffer : held_) source_.release(std::move(buffer));
    held_.clear();
  }

 private:
  BufferSource<B>& source_;
  std::vector<Buffer> held_;
  std::size_t lent_ = 0;
};

/// Page-locked places for the sums of proofs, which are kept: such memory is slow to come by.
template <Curve C, DeviceBackend B>
class ResultPool {
 public:
  using Place = PinnedBuffer<QuerySums<C>>;
  explicit ResultPool(B& backend) noexcept : backend_(&backend) {}

  /// @throws ResourceExhausted
  [[nodiscard]] Place take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        Place place = std::move(idle_.back());
        idle_.pop_back();
        return place;
      }
    }
    return backend_->template allocate_pinned<QuerySums<C>>(1);
  }
  /// Sums give a witness away: wiped.
  void give_back(Place place) noexcept {
    secure_wipe(place.span()[0]);
    try {
      const std::scoped_lock lock(mutex_);
      idle_.push_back(std::move(place));
    } catch (const std::exception&) {  // no memory for the list: one is made next time
    }
  }

 private:
  B* backend_;
  std::mutex mutex_;
  std::vector<Place> idle_;
};

/// The part on the device of a proof whose stages are enqueued and waited for once: a queue of its
/// own, and all that must stay until that has drained. For one thread at a time.
template <Curve C, DeviceBackend B>
class EnqueuedProof {
 public:
  /// @throws DeviceError, ResourceExhausted
  EnqueuedProof(B& backend, pipeline::QueuePool<B>& queues, ResultPool<C, B>& results,
                BufferSource<B>& memory)
      : results_(results),
        memory_(memory),
        place_(results.take()),
        queue_(queues),
        at_{backend, queue_.queue(), memory_, &deferral_} {
    place_.span()[0] = QuerySums<C>{};
  }
  EnqueuedProof(const EnqueuedProof&) = delete;
  EnqueuedProof& operator=(const EnqueuedProof&) = delete;
  ~EnqueuedProof() {
    drain();
    results_.give_back(std::move(place_));
  }

  /// For stages: they do not wait.
  [[nodiscard]] StageContext<B>& context() noexcept { return at_; }
  /// Where the sums will be.
  [[nodiscard]] QuerySums<C>& sums() noexcept { return place_.span()[0]; }
  /// The one wait.
  /// @param out    gets the sums
  /// @param b_g2   that of G2, too
  /// @throws what the work failed with
  void wait(QuerySums<C>& out, bool b_g2) {
    queue_.queue().wait();
    waited_ = true;
    const QuerySums<C>& made = sums();
    out.h = made.h;
    out.l = made.l;
    out.a = made.a;
    out.b_g1 = made.b_g1;
    if (b_g2) out.b_g2 = made.b_g2;  // the host's may be on its way there
  }
  /// Nothing works for the proof any more, and nothing that stages gave back or uploaded from is
  /// kept. What they were lent and have not given back comes back later.
  void drain() noexcept {
    if (!waited_) {
      try {
        queue_.queue().wait();
      } catch (...) {  // the proof has failed already, and the queue with it
        queue_.drop();
      }
      waited_ = true;
    }
    deferral_.let_go();
    memory_.let_go();
  }

 private:
  ResultPool<C, B>& results_;
  HeldMemory<B> memory_;
  Deferral deferral_;
  typename ResultPool<C, B>::Place place_;
  typename pipeline::QueuePool<B>::Lease queue_;
  StageContext<B> at_;
  bool waited_ = false;
};

}  // namespace zkgpu
