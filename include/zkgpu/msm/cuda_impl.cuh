// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/memory/within.hpp>
#include <zkgpu/msm/cuda/steps/chunk.cuh>
#include <zkgpu/msm/cuda/steps/tail.hpp>

namespace zkgpu {

namespace msm_cuda {  // defined in cuda/tables.cuh

template <CurveParams P>
void enqueue_multiples(const CudaQueue& queue, const Affine<P>* from, Affine<P>* to, std::size_t n,
                       unsigned doublings, LazyBucket<P>* points,
                       LazyFieldOf<typename P::BaseField>* products);

}  // namespace msm_cuda

template <CurveGroup G>
CudaMsmBases<G>::CudaMsmBases(const Cuda& cuda, const CudaMsmPlan& plan)
    : plan_(plan),
      table_(cuda.template allocate<Affine>(plan.tables * plan.n)),
      infinity_(cuda.template allocate<std::uint8_t>(plan.n)) {}

template <CurveGroup G>
void CudaMsmBases<G>::set(const CudaQueue& queue, std::size_t first, CudaSource<Affine> points) {
  if (first > table_.size() || points.size() > table_.size() - first) {
    throw InvalidArgument("msm: points " + std::to_string(first) + " to " +
                          std::to_string(first + points.size()) + " of a table of " +
                          std::to_string(table_.size()));
  }
  points.copy(queue, table_.span().subspan(first, points.size()));
}

template <CurveGroup G>
void CudaMsmBases<G>::complete(const CudaQueue& queue) {
  msm_cuda::enqueue_infinity<typename G::Params>(queue, table_.data(), infinity_.data(), plan_.n);
}

template <CurveGroup G>
CudaMsmBases<G>::CudaMsmBases(const Cuda& cuda, const CudaQueue& queue, const CudaMsmPlan& plan,
                              CudaSource<Affine> bases)
    : CudaMsmBases(cuda, plan) {
  if (bases.size() != plan.n) {
    throw InvalidArgument("msm: the plan is for n = " + std::to_string(plan.n) + ", got " +
                          std::to_string(bases.size()) + " bases");
  }
  const DrainOnFailure<Cuda> drain(queue);
  set(queue, 0, bases);
  complete(queue);
  if (plan.n != 0 && plan.tables > 1) make_multiples(cuda, queue);
}

template <CurveGroup G>
void CudaMsmBases<G>::make_multiples(const Cuda& cuda, const CudaQueue& queue) {
  using P = typename G::Params;
  const std::size_t most = std::min(cuda_msm_table_batch, plan_.n);
  auto points = cuda.template allocate<LazyBucket<P>>(most);
  auto products = cuda.template allocate<LazyFieldOf<typename P::BaseField>>(most);
  const DrainOnFailure<Cuda> drain(queue);
  for (unsigned j = 1; j < plan_.tables; ++j) {
    for (std::size_t at = 0; at < plan_.n; at += most) {
      Affine* const to = table_.data() + j * plan_.n + at;
      msm_cuda::enqueue_multiples<P>(queue, to - plan_.n, to, std::min(most, plan_.n - at),
                                     plan_.window_bits * plan_.groups, points.data(),
                                     products.data());
    }
  }
  queue.wait();  // the scratch dies here
}

template <CurveGroup G>
void Msm<G, Cuda>::enqueue(const Queue& queue, const CudaMsmPlan& plan,
                           DeviceSpan<const Scalar> scalars, const CudaMsmBases<G>& bases,
                           DeviceSpan<std::byte> workspace,
                           DeviceSpan<typename G::Jacobian> result) {
  using P = typename G::Params;
  if (scalars.size() != plan.n || !(bases.plan() == plan)) {
    throw InvalidArgument("msm: the plan is for n = " + std::to_string(plan.n) + ", got " +
                          std::to_string(scalars.size()) + " scalars, and bases for '" +
                          to_string(bases.plan()) + "'");
  }
  msm_cuda::check_memory(plan, workspace.size(), plan.workspace_bytes(), result.size());
  if (plan.n == 0) return msm_cuda::upload_infinity<G>(queue, result);
  const msm_cuda::Arrays<P> arrays(plan, workspace.data());
  for (std::size_t first = 0; first < plan.n; first += plan.chunk_points) {
    const std::size_t points = std::min(plan.chunk_points, plan.n - first);
    msm_cuda::begin_list<P>(queue, plan, arrays, points);
    msm_cuda::append_digits<P>(queue, plan, arrays, scalars, bases.infinity(), first, points);
    auto* const buckets = msm_cuda::buckets_of_chunk(queue, plan, arrays, first == 0);
    msm_cuda::sum_digits<P>(queue, plan, bases.table().data(), arrays, points, buckets);
    msm_cuda::join_chunk(queue, plan, arrays, first == 0);
  }
  msm_cuda::enqueue_reduce<P>(queue, plan, arrays.buckets, arrays.lines, arrays.terms,
                              result.data());
}

}  // namespace zkgpu
