// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <utility>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/cuda/difference_tile.hpp>
#include <zkgpu/ntt/tile.hpp>

namespace zkgpu {

/// Blocks that share a multiprocessor: 640 threads of at most 96 registers. A sixth block, for
/// which shared memory has room, gains nothing on the H200: dispatch is full
/// (docs/performance/gpu-ntt.md).
constexpr unsigned ntt_resident_blocks = 5;

/// One tile a block: the steps of NttTile with barriers between.
template <NttField F, unsigned L, NttFlow flow, bool contiguous>
__global__ void __launch_bounds__(NttPassShape<L>::threads, ntt_resident_blocks)
    ntt_pass_kernel(const __grid_constant__ NttPass<F> pass) {
  cuda::wait_for_kernel_before();
  extern __shared__ NttHalf ntt_shared[];
  using Tile = NttTile<F, L, flow, contiguous>;
  const Tile tile(pass, NttPlanes{ntt_shared, ntt_shared + NttPassShape<L>::elements}, blockIdx.x,
                  threadIdx.x);
#pragma unroll 1
  for (unsigned step = 0; step < Tile::steps; ++step) {
    if (step != 0) __syncthreads();
    tile.run(step);
  }
}

/// A pass of L levels over `elements` values.
template <NttField F, unsigned L, NttFlow flow>
void enqueue_ntt_pass(const CudaQueue& queue, const NttPass<F>& pass, std::size_t elements) {
  using Shape = NttPassShape<L>;
  Grid grid = grid_for(elements / Shape::elements, 1);
  grid.threads = Shape::threads;
  grid.shared_bytes = Shape::elements * sizeof(F);
  grid.overlaps = true;
  if (pass.log_stride == 0) {
    launch(queue, grid, "ntt.pass_contiguous", ntt_pass_kernel<F, L, flow, true>, pass);
  } else {
    launch(queue, grid, "ntt.pass_strided", ntt_pass_kernel<F, L, flow, false>, pass);
  }
}

/// The same for the tiles of a last pass that ends in a difference.
template <NttField F, unsigned L>
__global__ void __launch_bounds__(NttPassShape<L>::threads, ntt_resident_blocks)
    ntt_difference_kernel(const __grid_constant__ NttPass<F> pass,
                          const __grid_constant__ NttDifference<F> difference, unsigned log_n) {
  cuda::wait_for_kernel_before();
  extern __shared__ NttHalf ntt_shared[];
  using Tile = NttDifferenceTile<F, L>;
  const Tile tile(pass, difference, log_n,
                  NttPlanes{ntt_shared, ntt_shared + NttPassShape<L>::elements}, blockIdx.x,
                  threadIdx.x);
#pragma unroll 1
  for (unsigned step = 0; step < Tile::steps; ++step) {
    if (step != 0) __syncthreads();
    tile.run(step);
  }
}

/// The last pass, of L levels, of a transform of 2^log_n values, and the difference.
template <NttField F, unsigned L>
void enqueue_ntt_difference(const CudaQueue& queue, const NttPass<F>& pass,
                            const NttDifference<F>& difference, unsigned log_n) {
  using Shape = NttPassShape<L>;
  Grid grid = grid_for((std::size_t{1} << log_n) / Shape::elements, 1);
  grid.threads = Shape::threads;
  grid.shared_bytes = Shape::elements * sizeof(F);
  grid.overlaps = true;
  launch(queue, grid, "ntt.pass_difference", ntt_difference_kernel<F, L>, pass, difference, log_n);
}

}  // namespace zkgpu
