// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/msm/cuda/steps/chunk.cuh>

namespace zkgpu::msm_cuda {

template <CurveParams P>
void enqueue_merge(const CudaQueue& queue, std::uint32_t* keys, Xyzz<LazyParams<P>>* sums,
                   std::size_t heads, Xyzz<LazyParams<P>>* buckets);  // cuda/reduce.cuh

constexpr unsigned add_buckets_threads = 128;

template <CurveParams L>
__global__ void __launch_bounds__(add_buckets_threads)
    add_buckets_kernel(Xyzz<L>* to, const Xyzz<L>* from, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) to[i] = to[i] + from[i];
}

template <CurveParams P>
void add_buckets(const CudaQueue& queue, LazyBucket<P>* to, const LazyBucket<P>* from,
                 std::size_t count) {
  launch(queue, grid_for(count, add_buckets_threads), "msm.add_buckets",
         add_buckets_kernel<LazyParams<P>>, to, from, count);
}

/// Are digits padded to their greatest number, instead of counted?
inline bool is_padded(const CudaMsmPlan& plan, std::size_t points) {
  return points * plan.windows < plan.counted_entries;
}

template <CurveParams P>
void begin_list(const CudaQueue& queue, const CudaMsmPlan& plan, const Arrays<P>& arrays,
                std::size_t points) {
  fill(queue, arrays.list.count, sizeof(std::uint32_t), 0);
  if (!is_padded(plan, points)) return;
  const std::size_t bytes = points * plan.windows * sizeof(std::uint32_t);
  fill(queue, arrays.list.keys, bytes, 0xff);  // behind all keys once sorted
  fill(queue, arrays.list.places, bytes, 0);
}

template <CurveParams P>
void append_digits(const CudaQueue& queue, const CudaMsmPlan& plan, const Arrays<P>& arrays,
                   DeviceSpan<const typename P::ScalarField::Integer> scalars,
                   DeviceSpan<const std::uint8_t> infinity, std::size_t first, std::size_t points) {
  enqueue_digits<typename P::ScalarField>(queue, plan, scalars, infinity, first, points,
                                          arrays.list);
}

template <CurveParams P>
void sum_digits(const CudaQueue& queue, const CudaMsmPlan& plan, const Affine<P>* table,
                const Arrays<P>& arrays, std::size_t points, LazyBucket<P>* buckets) {
  std::size_t entries = points * plan.windows;
  const bool counted = !is_padded(plan, points);
  unsigned key_bits = plan.bucket_bits();
  while (std::size_t{1} << key_bits < plan.all_buckets()) ++key_bits;
  if (counted) {
    std::uint32_t count = 0;
    queue.download(DeviceSpan<const std::uint32_t>(arrays.list.count, 1),
                   std::span<std::uint32_t>(&count, 1));
    queue.wait();
    entries = count;
    if (entries == 0) return;
  } else {
    ++key_bits;
  }
  EntryList sorted = arrays.list;
  sort_entries(queue, sorted, arrays.spare_keys, arrays.spare_places, entries, key_bits,
               arrays.sort);
  sum_sorted<P>(queue, plan, table, arrays, sorted, {entries, counted}, buckets);
}

/// Halves the sorted list by rounds of affine additions, one part of it after the other. What they
/// leave are elements of `arrays.joined`, and a list of entries for these in `list`.
template <CurveParams P>
void enqueue_pair_rounds(const CudaQueue& queue, const CudaMsmPlan& plan, const Affine<P>* table,
                         const Arrays<P>& arrays, std::size_t entries, EntryList& list) {
  using L = LazyParams<P>;
  const unsigned rounds = plan.pair_rounds(entries);
  const bool sorted_in_spare = list.keys == arrays.spare_keys;
  const PairResults<L> joined{
      sorted_in_spare ? arrays.list.keys : arrays.spare_keys,
      {reinterpret_cast<MemoryPiece*>(arrays.joined), false},
      list.places == arrays.spare_places ? arrays.list.places : arrays.spare_places,
      arrays.rounds[0].products};
  set_word(queue, arrays.pairs.joined, 0);
  for (std::size_t first = 0; first < entries; first += plan.pair_entries) {
    std::size_t most = std::min(plan.pair_entries, entries - first);
    PairList<L> in{
        list.keys + first, list.places + first, reinterpret_cast<const LazyAffine<P>*>(table), {}};
    set_word(queue, arrays.pairs.counts, most);
    for (unsigned round = 0; round < rounds; ++round) {
      const bool last = round + 1 == rounds;
      const PairResults<L>& out = last ? joined : arrays.rounds[round % 2];
      enqueue_pairs<P>(queue, plan, in, arrays.pairs, round, most, last, out);
      in = {out.keys, nullptr, nullptr, out.points};
      most = most / 2 + 1;
    }
  }
  list = {arrays.pairs.joined, joined.keys, joined.places};
}

template <CurveParams P>
void sum_sorted(const CudaQueue& queue, const CudaMsmPlan& plan, const Affine<P>* table,
                const Arrays<P>& arrays, EntryList sorted, ListLength length,
                LazyBucket<P>* buckets) {
  std::size_t entries = length.entries;
  if (length.exact && plan.pair_rounds(entries) > 0) {
    enqueue_pair_rounds<P>(queue, plan, table, arrays, entries, sorted);
    entries = plan.after_rounds(entries);
    table = reinterpret_cast<const Affine<P>*>(arrays.joined);
  }
  const std::size_t segments = plan.segments(entries);
  SegmentSinks<LazyParams<P>> sinks;
  sinks.buckets = buckets;
  sinks.head_keys = arrays.head_keys;
  sinks.head_sums = arrays.head_sums;
  enqueue_accumulate<P>(queue, table, sorted, segments, sinks);
  enqueue_merge<P>(queue, arrays.head_keys, arrays.head_sums, segments, buckets);
}

}  // namespace zkgpu::msm_cuda
