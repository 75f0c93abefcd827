// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda/steps/chunk.cuh>
#include <zkgpu/msm/cuda/steps/tail.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>

namespace zkgpu {

namespace msm_cuda {

/// @throws InvalidArgument
inline void check_streamed(const CudaMsmStreamPlan& plan, bool slots, std::size_t scalars,
                           std::size_t bases, std::size_t workspace_bytes, std::size_t results) {
  if (scalars != plan.sum.n || bases != plan.sum.n || plan.slots != slots) {
    throw InvalidArgument("msm: the plan is '" + to_string(plan) + "', got " +
                          std::to_string(scalars) + " scalars and " + std::to_string(bases) +
                          " bases");
  }
  if (plan.slots && plan.sum.tables != 1) {
    throw InvalidArgument("msm: a plan with " + std::to_string(plan.sum.tables) +
                          " tables of bases that do not stay; 1 can be");
  }
  check_memory(plan.sum, workspace_bytes, plan.workspace_bytes(), results);
}

/// The chunks of one streamed sum. `Bases` is what they are read from.
template <CurveGroup G>
class StreamedSum {
  using P = typename G::Params;
  using Scalar = typename G::ScalarField::Integer;

 public:
  StreamedSum(const CudaQueue& queue, const CudaFeed& feed, const CudaMsmStreamPlan& plan,
              CudaSource<Scalar> scalars, std::byte* workspace)
      : queue_(queue),
        feed_(feed),
        plan_(plan),
        scalars_(scalars),
        workspace_(workspace),
        at_(layout_cuda_msm_stream(plan)),
        arrays_(plan.sum, workspace) {}

  /// @param bring  bring(turn, chunk): copies a chunk's bases
  /// @param sum    sum(turn, scalars, chunk): appends digits, returns the table
  template <class Bring, class Sum>
  void run(const Bring& bring, const Sum& sum, Jacobian<P>* result) const {
    const auto chunks = plan_.cut();
    feed_.run(
        queue_, chunks.size(),
        [&](std::size_t turn) {
          bring_scalars(turn, chunks[turn]);
          bring(turn, chunks[turn]);
        },
        [&](std::size_t turn) { sum_chunk(sum, turn, chunks[turn]); });
    enqueue_reduce<P>(queue_, plan_.sum, arrays_.buckets, arrays_.lines, arrays_.terms, result);
  }

  template <class T>
  [[nodiscard]] T* slot(const std::size_t (&offsets)[2], std::size_t turn) const noexcept {
    return reinterpret_cast<T*>(workspace_ + offsets[turn % 2]);
  }
  [[nodiscard]] const CudaMsmStreamLayout& at() const noexcept { return at_; }
  [[nodiscard]] const Arrays<P>& arrays() const noexcept { return arrays_; }

 private:
  void bring_scalars(std::size_t turn, const CudaMsmChunk& chunk) const {
    if (!scalars_.on_host()) return;
    Scalar* const to =
        plan_.slots ? slot<Scalar>(at_.scalars, turn) : slot<Scalar>(at_.scalars, 0) + chunk.first;
    feed_.copy(scalars_.part(chunk.first, chunk.points), DeviceSpan<Scalar>(to, chunk.points));
  }
  /// In a slot a chunk's scalars stand from the slot's beginning on, elsewhere at their places.
  template <class Sum>
  void sum_chunk(const Sum& sum, std::size_t turn, const CudaMsmChunk& chunk) const {
    begin_list<P>(queue_, plan_.sum, arrays_, chunk.points);
    DeviceSpan<const Scalar> scalars = scalars_.device();
    if (scalars_.on_host()) {
      scalars = {slot<Scalar>(at_.scalars, plan_.slots ? turn : 0),
                 plan_.slots ? chunk.points : plan_.sum.n};
    } else if (plan_.slots) {
      scalars = scalars.subspan(chunk.first, chunk.points);
    }
    const Affine<P>* const table = sum(turn, scalars, chunk);
    auto* const buckets = buckets_of_chunk(queue_, plan_.sum, arrays_, chunk.first == 0);
    sum_digits<P>(queue_, plan_.sum, table, arrays_, chunk.points, buckets);
    join_chunk(queue_, plan_.sum, arrays_, chunk.first == 0);
  }

  const CudaQueue& queue_;
  const CudaFeed& feed_;
  const CudaMsmStreamPlan& plan_;
  CudaSource<Scalar> scalars_;
  std::byte* workspace_;
  CudaMsmStreamLayout at_;
  Arrays<P> arrays_;
};

}  // namespace msm_cuda

template <CurveGroup G>
void StreamedMsm<G>::enqueue(const CudaQueue& queue, const CudaFeed& feed,
                             const CudaMsmStreamPlan& plan, CudaSource<Scalar> scalars,
                             CudaSource<Affine> bases, DeviceSpan<std::byte> workspace,
                             DeviceSpan<typename G::Jacobian> result) {
  using P = typename G::Params;
  msm_cuda::check_streamed(plan, true, scalars.size(), bases.size(), workspace.size(),
                           result.size());
  if (plan.sum.n == 0) return msm_cuda::upload_infinity<G>(queue, result);
  const msm_cuda::StreamedSum<G> sum(queue, feed, plan, scalars, workspace.data());
  sum.run(
      [&](std::size_t turn, const CudaMsmChunk& chunk) {
        Affine* const to = sum.template slot<Affine>(sum.at().bases, turn);
        feed.copy(bases.part(chunk.first, chunk.points), DeviceSpan<Affine>(to, chunk.points));
      },
      [&](std::size_t turn, DeviceSpan<const Scalar> integers, const CudaMsmChunk& chunk) {
        const Affine* const table = sum.template slot<Affine>(sum.at().bases, turn);
        auto* const infinity = sum.template slot<std::uint8_t>(sum.at().infinity, turn);
        msm_cuda::enqueue_infinity<P>(queue, table, infinity, chunk.points);
        msm_cuda::append_digits<P>(queue, plan.sum, sum.arrays(), integers,
                                   {infinity, chunk.points}, 0, chunk.points);
        return table;
      },
      result.data());
}

template <CurveGroup G>
void StreamedMsm<G>::enqueue(const CudaQueue& queue, const CudaFeed& feed,
                             const CudaMsmStreamPlan& plan, CudaSource<Scalar> scalars,
                             const CudaMsmBases<G>& bases, DeviceSpan<std::byte> workspace,
                             DeviceSpan<typename G::Jacobian> result) {
  using P = typename G::Params;
  msm_cuda::check_streamed(plan, false, scalars.size(), bases.plan().n, workspace.size(),
                           result.size());
  msm_cuda::check_same_tables(plan.sum, bases.plan());
  if (plan.sum.n == 0) return msm_cuda::upload_infinity<G>(queue, result);
  const msm_cuda::StreamedSum<G> sum(queue, feed, plan, scalars, workspace.data());
  sum.run([](std::size_t, const CudaMsmChunk&) {},
          [&](std::size_t, DeviceSpan<const Scalar> all, const CudaMsmChunk& chunk) {
            msm_cuda::append_digits<P>(queue, plan.sum, sum.arrays(), all, bases.infinity(),
                                       chunk.first, chunk.points);
            return bases.table().data();
          },
          result.data());
}

}  // namespace zkgpu
