// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/digits.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pair_lists.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

/// The kernels of an MSM that do its bulk: digits, and sums of segments.
namespace zkgpu::msm_cuda {

constexpr unsigned digit_threads = 256;

/// Appends the entries of scalars [0, points) to the list, in any order; digits that are zero and
/// bases at infinity give none.
template <PrimeField Fr>
__global__ void __launch_bounds__(digit_threads)
    digits_kernel(const __grid_constant__ CudaMsmPlan plan, const typename Fr::Integer* scalars,
                  const std::uint8_t* infinity, std::size_t first, std::size_t points,
                  std::uint32_t* keys, std::uint32_t* places, std::uint32_t* count) {
  __shared__ std::uint32_t warp_base[digit_threads / 32];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const bool valid = i < points && infinity[first + i] == 0;
  const typename Fr::Integer k = valid ? load_wide(scalars + first + i) : Fr::Integer::zero();
  std::uint32_t total = 0;
  MsmDigits<Fr> counted(k, plan.window_bits);
  for (unsigned w = 0; w < plan.windows; ++w) {
    total += __popc(__ballot_sync(0xffffffff, counted.next() != 0));
  }
  if (lane == 0) warp_base[warp] = total;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t sum = 0;
    for (std::uint32_t& base : warp_base) {
      const std::uint32_t own = base;
      base = sum;
      sum += own;
    }
    const std::uint32_t block_base = sum == 0 ? 0 : atomicAdd(count, sum);
    for (std::uint32_t& base : warp_base) base += block_base;
  }
  __syncthreads();
  std::uint32_t at = warp_base[warp];
  MsmDigits<Fr> digits(k, plan.window_bits);
  for (unsigned w = 0; w < plan.windows; ++w) {
    const std::int32_t digit = digits.next();
    const std::uint32_t present = __ballot_sync(0xffffffff, digit != 0);
    if (digit != 0) {
      const MsmEntry entry = msm_entry(plan, digit, digits.negative(), w, first + i);
      const std::uint32_t to = at + __popc(present & ((1u << lane) - 1));
      keys[to] = entry.key;
      places[to] = entry.place;
    }
    at += __popc(present);
  }
}

constexpr unsigned accumulate_threads = 128;
/// Blocks that share a multiprocessor. At 2^22 on the H200: 25.6 ms with 2, 25.6 with 3, 27.5 with
/// 4, where registers spill.
constexpr unsigned accumulate_blocks = 2;

/// One segment a thread, all of one size.
///
/// @param count  entries of the list; those behind are padding
template <CurveParams P>
__global__ void __launch_bounds__(accumulate_threads, accumulate_blocks)
    accumulate_kernel(const LazyAffine<P>* table, const std::uint32_t* keys,
                      const std::uint32_t* places, const std::uint32_t* count, std::size_t segments,
                      const __grid_constant__ SegmentSinks<LazyParams<P>> sinks) {
  const std::size_t segment = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (segment >= segments) return;
  const std::size_t entries = *count;
  const std::size_t segment_entries = (entries + segments - 1) / segments;
  const std::size_t begin = min(segment * segment_entries, entries);
  const std::size_t end = min(begin + segment_entries, entries);
  sum_segment(segment, begin, end, keys, places, sinks,
              [table](std::uint32_t place) { return point_at(table, place); });
}

/// Entries that the first kernels of an MSM work on.
struct EntryList {
  std::uint32_t* count = nullptr;
  std::uint32_t* keys = nullptr;
  std::uint32_t* places = nullptr;
};

/// cuda/instantiate: sorts by key, keys below 2^key_bits; the sorted arrays are at keys and places.
void sort_entries(const CudaQueue& queue, EntryList& list, std::uint32_t* spare_keys,
                  std::uint32_t* spare_places, std::size_t entries, unsigned key_bits,
                  DeviceSpan<std::byte> scratch);

template <PrimeField Fr>
void enqueue_digits(const CudaQueue& queue, const CudaMsmPlan& plan,
                    DeviceSpan<const typename Fr::Integer> scalars,
                    DeviceSpan<const std::uint8_t> infinity, std::size_t first, std::size_t points,
                    const EntryList& list) {
  launch(queue, grid_for(points, digit_threads), "msm.digits", digits_kernel<Fr>, plan,
         scalars.data(), infinity.data(), first, points, list.keys, list.places, list.count);
}

template <CurveParams P>
void enqueue_accumulate(const CudaQueue& queue, const Affine<P>* table, const EntryList& list,
                        std::size_t segments, const SegmentSinks<LazyParams<P>>& sinks) {
  launch(queue, grid_for(segments, accumulate_threads), "msm.accumulate", accumulate_kernel<P>,
         reinterpret_cast<const LazyAffine<P>*>(table), list.keys, list.places, list.count,
         segments, sinks);
}

}  // namespace zkgpu::msm_cuda
