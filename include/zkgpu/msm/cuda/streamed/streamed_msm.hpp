// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/streamed/plan.hpp>

namespace zkgpu {

/// Multi-scalar multiplication on a device over operands that are elsewhere: they come in chunks
/// while earlier chunks are summed. Its memory is bounded by the plan, however many points there
/// are.
template <CurveGroup G>
struct StreamedMsm {
  using Scalar = typename G::ScalarField::Integer;
  using Affine = typename G::Affine;

  /// The plan for n bases and scalars with a workspace of at most `bytes`; pure.
  /// @throws ResourceExhausted with the bytes wanted and free, if there is none
  static CudaMsmStreamPlan plan(std::size_t n, std::size_t bytes, const DeviceProperties& machine) {
    return plan_cuda_msm_streamed(Msm<G, Cuda>::shape(), n, bytes, machine);
  }

  /// R = Σ_{i<n} kᵢ·Pᵢ. It returns when the last chunk's copy is enqueued.
  ///
  /// @param feed       of the same device; for one sum at a time
  /// @param plan       from plan(n, …)
  /// @param scalars    n integers, taken modulo the order; anywhere
  /// @param bases      n points on the curve, (0,0) is infinity; anywhere
  /// @param workspace  at least plan.workspace_bytes(), 256-byte aligned
  /// @param result     one point, device; overwritten
  /// @pre   host memory that is read stays as it is until the queue drains
  /// @throws InvalidArgument if sizes or plans disagree; DeviceError
  /// @cost  as Msm, and for each chunk after the first an addition (12M + 2S) a bucket; the way of
  ///        the first chunk to the device
  static void enqueue(const CudaQueue& queue, const CudaFeed& feed, const CudaMsmStreamPlan& plan,
                      CudaSource<Scalar> scalars, CudaSource<Affine> bases,
                      DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> result);

  /// The same over bases on the device.
  ///
  /// @param plan  from plan_cuda_msm_scalars(bases.plan(), …)
  static void enqueue(const CudaQueue& queue, const CudaFeed& feed, const CudaMsmStreamPlan& plan,
                      CudaSource<Scalar> scalars, const CudaMsmBases<G>& bases,
                      DeviceSpan<std::byte> workspace, DeviceSpan<typename G::Jacobian> result);
};

extern template struct StreamedMsm<Bls12_381::G1>;
extern template struct StreamedMsm<Bls12_381::G2>;

}  // namespace zkgpu
