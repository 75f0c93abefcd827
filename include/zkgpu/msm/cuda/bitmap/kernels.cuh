// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/msm/cuda/bitmap/bits.hpp>

/// The kernels of sums with bitmaps. A thread has a word.
namespace zkgpu::msm_cuda {

constexpr unsigned bitmap_threads = 256;

/// The sum of a block's numbers before this thread's own, and of all.
struct BlockScan {
  std::uint32_t before;
  std::uint32_t all;
};
static __device__ BlockScan scan_block(std::uint32_t own) {
  __shared__ std::uint32_t warps[bitmap_threads / 32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  std::uint32_t sum = own;
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t lower = __shfl_up_sync(0xffffffff, sum, d);
    if (lane >= d) sum += lower;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  BlockScan r{sum - own, 0};
  for (unsigned w = 0; w < bitmap_threads / 32; ++w) {
    if (w < warp) r.before += warps[w];
    r.all += warps[w];
  }
  return r;
}

/// *count += ones of the range
static __global__ void __launch_bounds__(bitmap_threads)
    count_ones_kernel(const __grid_constant__ BitmapRange range, std::uint32_t* count) {
  const std::size_t w = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t bits = w < range.word_count() ? range.ones(w) : 0;
  const BlockScan scan = scan_block(static_cast<std::uint32_t>(__popcll(bits)));
  if (threadIdx.x == 0 && scan.all != 0) atomicAdd(count, scan.all);
}

/// Counts to their sums before each; *all is the sum.
static __global__ void offsets_kernel(std::uint32_t* counts, std::uint32_t n, std::uint32_t* all) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t own = counts[i];
    counts[i] = sum;
    sum += own;
  }
  *all = sum;
}

/// Lists the ones of the range from *cursor on, which it moves behind them; blocks in any order.
static __global__ void __launch_bounds__(bitmap_threads)
    list_ones_kernel(const __grid_constant__ BitmapRange range, std::uint32_t key,
                     std::uint32_t* cursor, std::uint32_t* keys, std::uint32_t* places) {
  __shared__ std::uint32_t base;
  const std::size_t w = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t bits = w < range.word_count() ? range.ones(w) : 0;
  const BlockScan scan = scan_block(static_cast<std::uint32_t>(__popcll(bits)));
  if (threadIdx.x == 0) base = scan.all == 0 ? 0 : atomicAdd(cursor, scan.all);
  __syncthreads();
  const std::uint32_t at = base + scan.before;
  range.list(w, bits, key, keys + at, places + at);
}

/// flags[j] = infinity of the base of wide scalar j
static __global__ void wide_infinity_kernel(const __grid_constant__ WidePlaces at,
                                            const std::uint8_t* infinity, std::uint8_t* flags,
                                            std::size_t scalars) {
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j < scalars) flags[j] = infinity[at.places[j] - at.first];
}

/// Entries of the scalars' own numbers to entries of the table.
static __global__ void wide_places_kernel(const __grid_constant__ WidePlaces at,
                                          const std::uint32_t* count, std::uint32_t* places) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < *count) places[i] = at.in_table(places[i]);
}

}  // namespace zkgpu::msm_cuda
