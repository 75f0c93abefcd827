// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

/// What every form of sum on the device does with its bases before and with its buckets after.
namespace zkgpu::msm_cuda {

/// cuda/reduce.cuh: buckets to the result.
template <CurveParams P>
void enqueue_reduce(const CudaQueue& queue, const CudaMsmPlan& plan,
                    const Xyzz<LazyParams<P>>* buckets, Xyzz<LazyParams<P>>* lines,
                    Xyzz<LazyParams<P>>* terms, Jacobian<P>* result);
/// cuda/tables.cuh: one byte a base, 1 for infinity.
template <CurveParams P>
void enqueue_infinity(const CudaQueue& queue, const Affine<P>* bases, std::uint8_t* infinity,
                      std::size_t n);

/// The results of sums of nothing. Waits.
template <CurveGroup G>
void upload_infinity(const CudaQueue& queue, DeviceSpan<typename G::Jacobian> results) {
  const typename G::Jacobian infinity = G::Jacobian::infinity();
  for (std::size_t i = 0; i < results.size(); ++i) {
    queue.upload(std::span<const typename G::Jacobian>(&infinity, 1), results.subspan(i, 1));
  }
  queue.wait();
}

/// @throws InvalidArgument unless a sum of that plan reads the tables that the bases' plan made
inline void check_same_tables(const CudaMsmPlan& sum, const CudaMsmPlan& bases) {
  if (sum.n != bases.n || sum.shape != bases.shape || sum.window_bits != bases.window_bits ||
      sum.tables != bases.tables || sum.groups != bases.groups) {
    throw InvalidArgument("msm: the plan is '" + to_string(sum) + "', the bases' '" +
                          to_string(bases) + "'");
  }
}

/// @param needed_bytes  of the workspace, by the plan that `sum` is part of
/// @throws InvalidArgument unless the workspace holds the plan, and there is one result
inline void check_memory(const CudaMsmPlan& sum, std::size_t workspace_bytes,
                         std::size_t needed_bytes, std::size_t results) {
  if (sum.pair_entries % 2 != 0) {
    throw InvalidArgument("msm: a plan with " + std::to_string(sum.pair_entries) +
                          " pair_entries; even numbers can be");
  }
  if (workspace_bytes < needed_bytes) {
    throw InvalidArgument("msm: a workspace of " + std::to_string(workspace_bytes) +
                          " bytes, the plan needs " + std::to_string(needed_bytes));
  }
  if (results != 1) {
    throw InvalidArgument("msm: room for " + std::to_string(results) + " results of one sum");
  }
}

}  // namespace zkgpu::msm_cuda
