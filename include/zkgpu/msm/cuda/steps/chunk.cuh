// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/span.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/kernels.cuh>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pairs.cuh>
#include <zkgpu/msm/cuda/plan.hpp>

/// The steps of which sums on the device are made: a list of entries, and what it sums to. They are
/// defined in chunk_impl.cuh and compiled once for each group.
namespace zkgpu::msm_cuda {

/// The arrays of a workspace.
template <CurveParams P>
struct Arrays {
  using Bucket = LazyBucket<P>;
  EntryList list;
  std::uint32_t* spare_keys;
  std::uint32_t* spare_places;
  DeviceSpan<std::byte> sort;
  Bucket* buckets;
  Bucket* chunk_buckets;
  std::uint32_t* head_keys;
  Bucket* head_sums;
  PairScratch pairs;
  PairResults<LazyParams<P>> rounds[2];
  LazyAffine<P>* joined;
  Bucket* lines;
  Bucket* terms;

  Arrays(const CudaMsmPlan& plan, std::byte* base) {
    const CudaMsmLayout at = layout_cuda_msm(plan);
    const auto words = [base](std::size_t offset) {
      return reinterpret_cast<std::uint32_t*>(base + offset);
    };
    const auto points = [base](std::size_t offset) {
      return reinterpret_cast<Bucket*>(base + offset);
    };
    list = {words(at.count), words(at.keys), words(at.entries)};
    spare_keys = list.keys + plan.padded_entries();
    spare_places = list.places + plan.padded_entries();
    sort = {base + at.sort, at.sort_bytes};
    buckets = points(at.buckets);
    chunk_buckets = points(at.chunk_buckets);
    head_keys = words(at.head_keys);
    head_sums = points(at.head_sums);
    pairs = {words(at.pair_state) + 1, words(at.pair_state), words(at.pair_ahead)};
    const auto pieces = [base](std::size_t offset) {
      return reinterpret_cast<MemoryPiece*>(base + offset);
    };
    for (int k = 0; k < 2; ++k) {
      rounds[k] = {words(at.pair_keys[k]),
                   {pieces(at.pair_points[k]), true},
                   nullptr,
                   pieces(at.pair_products)};
    }
    joined = reinterpret_cast<LazyAffine<P>*>(base + at.joined_points);
    lines = points(at.lines);
    terms = points(at.terms);
  }
};

inline void fill(const CudaQueue& queue, void* memory, std::size_t bytes, int value) {
  queue.fill_bytes({static_cast<std::byte*>(memory), bytes}, value);
}

/// Begins a list of at most `points` scalars' digits: none yet.
template <CurveParams P>
void begin_list(const CudaQueue& queue, const CudaMsmPlan& plan, const Arrays<P>& arrays,
                std::size_t points);

/// Appends the digits of scalars [first, first + points), bases' places in the table being theirs.
template <CurveParams P>
void append_digits(const CudaQueue& queue, const CudaMsmPlan& plan, const Arrays<P>& arrays,
                   DeviceSpan<const typename P::ScalarField::Integer> scalars,
                   DeviceSpan<const std::uint8_t> infinity, std::size_t first, std::size_t points);

/// Sums a list of at most `points` scalars' digits; where it may be long, it waits for its length.
///
/// @param buckets  plan.all_buckets() sums, all at infinity; overwritten
template <CurveParams P>
void sum_digits(const CudaQueue& queue, const CudaMsmPlan& plan, const Affine<P>* table,
                const Arrays<P>& arrays, std::size_t points, LazyBucket<P>* buckets);

/// What the host knows of the length of a list.
struct ListLength {
  std::size_t entries = 0;  ///< no fewer than there are; those behind have the greatest key
  bool exact = false;
};

/// Sums a list whose keys ascend; by rounds first where the length is exact and the plan has any.
///
/// @param buckets  as above
template <CurveParams P>
void sum_sorted(const CudaQueue& queue, const CudaMsmPlan& plan, const Affine<P>* table,
                const Arrays<P>& arrays, EntryList sorted, ListLength length,
                LazyBucket<P>* buckets);

/// to[i] += from[i]
template <CurveParams P>
void add_buckets(const CudaQueue& queue, LazyBucket<P>* to, const LazyBucket<P>* from,
                 std::size_t count);

/// The buckets that a chunk is summed into, set to infinity: of the first the sum's own, of later
/// ones such as join_chunk adds.
template <CurveParams P>
LazyBucket<P>* buckets_of_chunk(const CudaQueue& queue, const CudaMsmPlan& plan,
                                const Arrays<P>& arrays, bool first) {
  LazyBucket<P>* const buckets = first ? arrays.buckets : arrays.chunk_buckets;
  fill(queue, buckets, plan.all_buckets() * sizeof(LazyBucket<P>), 0);
  return buckets;
}
template <CurveParams P>
void join_chunk(const CudaQueue& queue, const CudaMsmPlan& plan, const Arrays<P>& arrays,
                bool first) {
  if (!first) add_buckets<P>(queue, arrays.buckets, arrays.chunk_buckets, plan.all_buckets());
}

}  // namespace zkgpu::msm_cuda
