// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/cuda_feed.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/memory/within.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm.hpp>

namespace zkgpu {

/// Bases on the device, with as many multiples as its free memory holds beside one sum's workspace.
/// Blocks that the arena keeps go back to the driver first, so that what is free is in one piece.
///
/// @param bases  anywhere
/// @throws ResourceExhausted with the bytes wanted and free, if not even the bases alone fit: they
///         can be streamed then; DeviceError
template <CurveGroup G>
CudaMsmBases<G> make_cuda_msm_bases(const Cuda& cuda, const CudaQueue& queue,
                                    CudaSource<typename G::Affine> bases) {
  constexpr std::size_t spared = std::size_t{64} << 20;  // the driver has pages of 2 MiB, and gaps
  cuda.trim();
  return within_free_memory(
      cuda,
      [&](std::size_t bytes) {
        return plan_cuda_msm_within(Msm<G, Cuda>::shape(), bases.size(),
                                    bytes - std::min(bytes, spared), cuda.properties());
      },
      [&](const CudaMsmPlan& plan) { return CudaMsmBases<G>(cuda, queue, plan, bases); });
}

/// Plans, allocates and runs one multi-scalar multiplication in the memory that is free; done when
/// it returns.
///
/// @param scalars, bases  as many; anywhere
/// @throws InvalidArgument as StreamedMsm::enqueue; ResourceExhausted; DeviceError
template <CurveGroup G>
typename G::Jacobian msm(const Cuda& cuda, CudaSource<typename G::ScalarField::Integer> scalars,
                         CudaSource<typename G::Affine> bases) {
  const CudaQueue queue = cuda.make_queue();
  const CudaFeed feed(cuda);
  return within_free_memory(
      cuda,
      [&](std::size_t bytes) {
        return StreamedMsm<G>::plan(bases.size(), bytes, cuda.properties());
      },
      [&](const CudaMsmStreamPlan& plan) {
        auto workspace = cuda.template allocate<std::byte>(plan.workspace_bytes());
        auto result = cuda.template allocate<typename G::Jacobian>(1);
        StreamedMsm<G>::enqueue(queue, feed, plan, scalars, bases, workspace.span(), result.span());
        auto sum = G::Jacobian::infinity();
        queue.download(DeviceSpan<const typename G::Jacobian>(result.span()),
                       std::span<typename G::Jacobian>(&sum, 1));
        queue.wait();
        return sum;
      });
}

}  // namespace zkgpu
