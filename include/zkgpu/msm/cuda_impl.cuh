// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda.hpp>
#include <zkgpu/msm/cuda/kernels.cuh>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pairs.cuh>

namespace zkgpu {

namespace msm_cuda {  // defined in cuda/kernels.cuh, cuda/reduce.cuh and cuda/tables.cuh

template <CurveParams P>
void enqueue_merge(const CudaQueue& queue, std::uint32_t* keys, Xyzz<LazyParams<P>>* sums,
                   std::size_t heads, Xyzz<LazyParams<P>>* buckets);
template <CurveParams P>
void enqueue_reduce(const CudaQueue& queue, const CudaMsmPlan& plan,
                    const Xyzz<LazyParams<P>>* buckets, Xyzz<LazyParams<P>>* lines,
                    Xyzz<LazyParams<P>>* terms, Jacobian<P>* result);
template <CurveParams P>
void enqueue_infinity(const CudaQueue& queue, const Affine<P>* bases, std::uint8_t* infinity,
                      std::size_t n);
template <CurveParams P>
void enqueue_multiples(const CudaQueue& queue, const Affine<P>* from, Affine<P>* to, std::size_t n,
                       unsigned doublings, LazyBucket<P>* points,
                       LazyFieldOf<typename P::BaseField>* products);

}  // namespace msm_cuda

template <CurveGroup G>
CudaMsmBases<G>::CudaMsmBases(const Cuda& cuda, const CudaQueue& queue, const CudaMsmPlan& plan,
                              DeviceSpan<const Affine> bases)
    : plan_(plan) {
  if (bases.size() != plan.n) {
    throw InvalidArgument("msm: the plan is for n = " + std::to_string(plan.n) + ", got " +
                          std::to_string(bases.size()) + " bases");
  }
  if (plan.n == 0) return;
  table_ = cuda.template allocate<Affine>(plan.tables * plan.n);
  infinity_ = cuda.template allocate<std::uint8_t>(plan.n);
  queue.copy_within(bases, table_.span().first(plan.n));
  msm_cuda::enqueue_infinity(queue, bases.data(), infinity_.data(), plan.n);
  if (plan.tables > 1) make_multiples(cuda, queue);
}

template <CurveGroup G>
void CudaMsmBases<G>::make_multiples(const Cuda& cuda, const CudaQueue& queue) {
  using P = typename G::Params;
  constexpr std::size_t chunk = std::size_t{1} << 20;  // bounds the scratch: 240 MiB for G1
  const std::size_t most = std::min(chunk, plan_.n);
  auto points = cuda.template allocate<LazyBucket<P>>(most);
  auto products = cuda.template allocate<LazyFieldOf<typename P::BaseField>>(most);
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

namespace msm_cuda {

/// The arrays of a workspace.
template <CurveParams P>
struct Arrays {
  using Bucket = LazyBucket<P>;
  EntryList list;
  std::uint32_t* spare_keys;
  std::uint32_t* spare_places;
  DeviceSpan<std::byte> sort;
  Bucket* buckets;
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

/// Digits of points [first, first + points) into the buckets.
template <CurveParams P>
void enqueue_chunk(const CudaQueue& queue, const CudaMsmPlan& plan,
                   DeviceSpan<const typename P::ScalarField::Integer> scalars,
                   DeviceSpan<const std::uint8_t> infinity, const Affine<P>* table,
                   std::size_t first, std::size_t points, const Arrays<P>& arrays) {
  std::size_t entries = points * plan.windows;
  unsigned key_bits = plan.bucket_bits();
  while (std::size_t{1} << key_bits < plan.all_buckets()) ++key_bits;
  fill(queue, arrays.list.count, sizeof(std::uint32_t), 0);
  const bool padded = entries < plan.counted_entries;
  if (padded) {  // behind all keys once sorted
    fill(queue, arrays.list.keys, entries * sizeof(std::uint32_t), 0xff);
    fill(queue, arrays.list.places, entries * sizeof(std::uint32_t), 0);
    ++key_bits;
  }
  enqueue_digits<typename P::ScalarField>(queue, plan, scalars, infinity, first, points,
                                          arrays.list);
  if (!padded) {
    std::uint32_t count = 0;
    queue.download(DeviceSpan<const std::uint32_t>(arrays.list.count, 1),
                   std::span<std::uint32_t>(&count, 1));
    queue.wait();
    entries = count;
    if (entries == 0) return;
  }
  EntryList sorted = arrays.list;
  sort_entries(queue, sorted, arrays.spare_keys, arrays.spare_places, entries, key_bits,
               arrays.sort);
  if (!padded && plan.pair_rounds(entries) > 0) {
    enqueue_pair_rounds<P>(queue, plan, table, arrays, entries, sorted);
    entries = plan.after_rounds(entries);
    table = reinterpret_cast<const Affine<P>*>(arrays.joined);
  }
  const std::size_t segments = plan.segments(entries);
  SegmentSinks<LazyParams<P>> sinks;
  sinks.buckets = arrays.buckets;
  sinks.head_keys = arrays.head_keys;
  sinks.head_sums = arrays.head_sums;
  sinks.fresh = first == 0;
  enqueue_accumulate<P>(queue, table, sorted, segments, sinks);
  enqueue_merge<P>(queue, arrays.head_keys, arrays.head_sums, segments, arrays.buckets);
}

}  // namespace msm_cuda

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
  if (plan.pair_entries % 2 != 0) throw InvalidArgument("msm: a plan with odd pair_entries");
  if (workspace.size() < plan.workspace_bytes() || result.size() != 1) {
    throw InvalidArgument("msm: a workspace of " + std::to_string(workspace.size()) +
                          " bytes, the plan needs " + std::to_string(plan.workspace_bytes()));
  }
  if (plan.n == 0) {
    const typename G::Jacobian infinity = G::Jacobian::infinity();
    queue.upload(std::span<const typename G::Jacobian>(&infinity, 1), result);
    return queue.wait();
  }
  const msm_cuda::Arrays<P> arrays(plan, workspace.data());
  msm_cuda::fill(queue, arrays.buckets, plan.all_buckets() * sizeof(LazyBucket<P>), 0);
  for (std::size_t first = 0; first < plan.n; first += plan.chunk_points) {
    msm_cuda::enqueue_chunk<P>(queue, plan, scalars, bases.infinity(), bases.table().data(), first,
                               std::min(plan.chunk_points, plan.n - first), arrays);
  }
  msm_cuda::enqueue_reduce<P>(queue, plan, arrays.buckets, arrays.lines, arrays.terms,
                              result.data());
}

}  // namespace zkgpu
