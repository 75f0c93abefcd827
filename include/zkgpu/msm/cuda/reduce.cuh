// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

/// The kernels of an MSM's tail: runs that cross segments, buckets to one sum for each bit, bits to
/// the result. All work is trees of additions; only the doublings of the last kernel form a long
/// chain.
namespace zkgpu::msm_cuda {

constexpr unsigned merge_threads = cuda_msm_block;

/// Merges equal keys among neighbours. A run that begins in a block is added to its bucket, the
/// rest of one that began before goes to the next level's list.
template <CurveParams L>
__global__ void __launch_bounds__(merge_threads)
    merge_heads_kernel(const std::uint32_t* keys, const Xyzz<L>* sums, std::size_t heads,
                       std::uint32_t* next_keys, Xyzz<L>* next_sums, Xyzz<L>* buckets) {
  extern __shared__ uint4 msm_shared[];
  Xyzz<L>* const sum = reinterpret_cast<Xyzz<L>*>(msm_shared);
  __shared__ std::uint32_t key[merge_threads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * merge_threads + t;
  const std::uint32_t own = i < heads ? keys[i] : msm_no_key;
  key[t] = own;
  if (own != msm_no_key) sum[t] = sums[i];
  __syncthreads();
  unsigned start = t;
  while (own != msm_no_key && start > 0 && key[start - 1] == own) --start;
  for (unsigned d = 1; d < merge_threads; d *= 2) {
    const bool active = own != msm_no_key && (t - start) % (2 * d) == 0 && t + d < merge_threads &&
                        key[t + d] == own;
    if (__syncthreads_or(active) == 0) break;
    if (active) sum[t] = sum[t] + sum[t + d];
  }
  __syncthreads();
  const bool continues = t == 0 && i > 0 && own != msm_no_key && keys[i - 1] == own;
  if (own != msm_no_key && start == t && !continues) buckets[own] = buckets[own] + sum[t];
  if (t != 0) return;
  next_keys[blockIdx.x] = continues ? own : msm_no_key;
  if (continues) next_sums[blockIdx.x] = sum[0];
}

constexpr unsigned line_threads = 128;

/// Sums of the rows (2^high) and the columns (2^low) of each group's buckets; a warp for each,
/// columns first: they are the longer ones where the two differ.
template <CurveParams L>
__global__ void __launch_bounds__(line_threads)
    lines_kernel(const Xyzz<L>* buckets, Xyzz<L>* lines, unsigned low, unsigned high,
                 std::size_t groups) {
  extern __shared__ uint4 msm_shared[];
  Xyzz<L>* const sum = reinterpret_cast<Xyzz<L>*>(msm_shared);
  const std::size_t rows = std::size_t{1} << high;
  const std::size_t columns = std::size_t{1} << low;
  const unsigned lane = threadIdx.x % 32;
  const std::size_t line = std::size_t{blockIdx.x} * (line_threads / 32) + threadIdx.x / 32;
  if (line >= groups * (rows + columns)) return;  // whole warps
  const bool is_row = line >= groups * columns;
  const std::size_t of_kind = is_row ? line - groups * columns : line;
  const std::size_t group = of_kind / (is_row ? rows : columns);
  const std::size_t at = of_kind % (is_row ? rows : columns);
  const Xyzz<L>* const first = buckets + group * rows * columns + (is_row ? at * columns : at);
  const std::size_t stride = is_row ? 1 : columns;
  const std::size_t length = is_row ? columns : rows;
  Xyzz<L> acc = Xyzz<L>::infinity();
  for (std::size_t i = lane; i < length; i += 32) acc = acc + first[i * stride];
  sum[threadIdx.x] = acc;
  for (unsigned d = 16; d > 0; d /= 2) {
    __syncwarp();
    if (lane < d) sum[threadIdx.x] = sum[threadIdx.x] + sum[threadIdx.x + d];
  }
  if (lane == 0) lines[group * (rows + columns) + (is_row ? at : rows + at)] = sum[threadIdx.x];
}

/// terms[group·c + k] = Σ of the buckets whose index has bit k, and at k = c - 1 the sum of all.
template <CurveParams L>
__global__ void __launch_bounds__(line_threads)
    bits_kernel(const Xyzz<L>* lines, Xyzz<L>* terms, unsigned low, unsigned high) {
  extern __shared__ uint4 msm_shared[];
  Xyzz<L>* const sum = reinterpret_cast<Xyzz<L>*>(msm_shared);
  const std::size_t rows = std::size_t{1} << high;
  const std::size_t columns = std::size_t{1} << low;
  const unsigned window_bits = low + high + 1;
  const unsigned k = blockIdx.x % window_bits;
  const Xyzz<L>* const group = lines + blockIdx.x / window_bits * (rows + columns);
  const bool of_columns = k < low;
  const Xyzz<L>* const line = of_columns ? group + rows : group;
  const std::size_t length = of_columns ? columns : rows;
  const unsigned bit = of_columns ? k : k - low;
  const bool all = k == window_bits - 1;
  Xyzz<L> acc = Xyzz<L>::infinity();
  for (std::size_t i = threadIdx.x; i < length; i += line_threads) {
    if (all || (i >> bit & 1) != 0) acc = acc + line[i];
  }
  sum[threadIdx.x] = acc;
  for (unsigned d = line_threads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) sum[threadIdx.x] = sum[threadIdx.x] + sum[threadIdx.x + d];
  }
  if (threadIdx.x == 0) terms[blockIdx.x] = sum[0];
}

/// result = Σ_g 2^(c·g)·(terms[g, c-1] + Σ_k 2^k·terms[g, k]): neighbours join in pairs, the upper
/// one doubled as often as their distance; in a single group every term is doubled as often as its
/// place says first, side by side, for 18 doublings one after the other instead of 31. Overwrites
/// the terms.
template <CurveParams P>
__global__ void __launch_bounds__(line_threads)
    combine_kernel(Xyzz<LazyParams<P>>* terms, unsigned window_bits, unsigned groups,
                   Jacobian<P>* result) {
  using Point = Xyzz<LazyParams<P>>;
  for (unsigned g = threadIdx.x; g < groups; g += line_threads) {
    Point* const group = terms + std::size_t{g} * window_bits;
    if (window_bits > 1) {
      group[0] = group[0] + group[window_bits - 1];
      group[window_bits - 1] = Point::infinity();
    }
  }
  const unsigned n = window_bits * groups;
  const auto double_times = [terms](unsigned i, unsigned times) {
    Point term = terms[i];
    for (unsigned k = 0; k < times; ++k) term = term.doubled();
    return term;
  };
  const bool single = groups == 1;
  __syncthreads();
  for (unsigned i = threadIdx.x; single && i < n; i += line_threads) terms[i] = double_times(i, i);
  for (unsigned d = 1; d < n; d *= 2) {
    __syncthreads();
    for (unsigned i = 2 * d * threadIdx.x; i + d < n; i += 2 * d * line_threads) {
      terms[i] = terms[i] + double_times(i + d, single ? 0 : d);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto sum = terms[0].to_jacobian();
  *result = Jacobian<P>{to_canonical(sum.x), to_canonical(sum.y), to_canonical(sum.z)};
}

/// Everything after the segments: heads to buckets.
template <CurveParams P>
void enqueue_merge(const CudaQueue& queue, std::uint32_t* keys, Xyzz<LazyParams<P>>* sums,
                   std::size_t heads, Xyzz<LazyParams<P>>* buckets) {
  using L = LazyParams<P>;
  while (heads > 0) {
    Grid grid = grid_for(heads, merge_threads);
    grid.shared_bytes = merge_threads * sizeof(Xyzz<L>);
    launch(queue, grid, "msm.merge_heads", merge_heads_kernel<L>, keys, sums, heads, keys + heads,
           sums + heads, buckets);
    keys += heads;
    sums += heads;
    heads = heads > merge_threads ? grid.blocks.x : 0;  // one block has nothing before it
  }
}

/// Buckets to the result.
template <CurveParams P>
void enqueue_reduce(const CudaQueue& queue, const CudaMsmPlan& plan,
                    const Xyzz<LazyParams<P>>* buckets, Xyzz<LazyParams<P>>* lines,
                    Xyzz<LazyParams<P>>* terms, Jacobian<P>* result) {
  using L = LazyParams<P>;
  const unsigned low = plan.bucket_bits() / 2;
  const unsigned high = plan.bucket_bits() - low;
  const std::size_t count = plan.groups * ((std::size_t{1} << low) + (std::size_t{1} << high));
  Grid grid = grid_for(count, line_threads / 32);
  grid.threads = line_threads;
  grid.shared_bytes = line_threads * sizeof(Xyzz<L>);
  launch(queue, grid, "msm.lines", lines_kernel<L>, buckets, lines, low, high,
         std::size_t{plan.groups});
  grid.blocks = dim3(plan.groups * plan.window_bits);
  launch(queue, grid, "msm.bits", bits_kernel<L>, lines, terms, low, high);
  launch(queue, Grid{dim3(1), line_threads, 0}, "msm.combine", combine_kernel<P>, terms,
         plan.window_bits, plan.groups, result);
}

}  // namespace zkgpu::msm_cuda
