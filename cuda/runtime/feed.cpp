// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cuda_runtime_api.h>

#include <algorithm>
#include <thread>
#include <vector>

#include <zkgpu/backend/cuda_feed.hpp>

#include "staging.hpp"

namespace zkgpu {

namespace cuda {

namespace {

/// An event that threads wait for asleep: copies may wait long for the work of a turn.
struct PieceEvent {
  cudaEvent_t event = nullptr;
  PieceEvent() {
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync),
          "cudaEventCreateWithFlags");
  }
  PieceEvent(const PieceEvent&) = delete;
  PieceEvent& operator=(const PieceEvent&) = delete;
  ~PieceEvent() { static_cast<void>(cudaEventDestroy(event)); }
};

bool is_pageable(const void* memory) {
  cudaPointerAttributes found{};
  check(cudaPointerGetAttributes(&found, memory), "cudaPointerGetAttributes");
  return found.type == cudaMemoryTypeUnregistered;
}

unsigned threads_of_feed(unsigned wanted) {
  if (wanted != 0) return wanted;
  return std::clamp(std::thread::hardware_concurrency() / 2, 1u, 8u);
}

/// Pieces that go through a queue of `cuda`, whose stream is `stream`.
PieceDevice pieces_through(const Cuda& cuda, cudaStream_t stream, unsigned threads) {
  const int device = cuda.info().ordinal;
  check(cudaSetDevice(device), "cudaSetDevice");
  const auto events =
      std::make_shared<std::vector<PieceEvent>>(threads * Staging::pieces_of_thread);
  return {[cuda](std::size_t bytes) -> std::shared_ptr<std::byte> {
            const PinnedBuffer<std::byte> pinned = cuda.allocate_pinned<std::byte>(bytes);
            return {std::make_shared<PinnedBuffer<std::byte>>(pinned), pinned.span().data()};
          },
          [device, stream, events](unsigned piece, std::span<const std::byte> from, std::byte* to) {
            check(cudaSetDevice(device), "cudaSetDevice");
            check(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyDefault, stream),
                  "cudaMemcpyAsync");
            check(cudaEventRecord((*events)[piece].event, stream), "cudaEventRecord");
          },
          [events](unsigned piece) {
            check(cudaEventSynchronize((*events)[piece].event), "cudaEventSynchronize");
          }};
}

}  // namespace

}  // namespace cuda

void CudaFeed::Destroy::operator()(cuda::Staging* staging) const noexcept { delete staging; }

CudaFeed::CudaFeed(const Cuda& cuda, unsigned threads) : copies_(cuda.make_queue()) {
  const unsigned count = cuda::threads_of_feed(threads);
  staging_.reset(new cuda::Staging(cuda::pieces_through(cuda, copies_.handle(), count), count));
}

void CudaFeed::follow(const CudaQueue& queue) const {
  queue.record(begun_);
  copies_.wait_for(begun_);
}

void CudaFeed::copy_host(std::span<const std::byte> from, std::byte* to) const {
  if (from.size() >= cuda::Staging::piece_bytes && cuda::is_pageable(from.data())) {
    staging_->begin(from, to);
  } else {
    copies_.upload(from, DeviceSpan<std::byte>(to, from.size()));
  }
}

void CudaFeed::wipe() const noexcept { staging_->wipe(); }

void CudaFeed::close(std::size_t turn) const {
  staging_->finish();
  copies_.record(filled_[turn % slots]);
}

void CudaFeed::drain() const noexcept {
  staging_->cancel();
  try {
    copies_.wait();
  } catch (const Error&) {  // the operation reports its own failure
  }
}

}  // namespace zkgpu
