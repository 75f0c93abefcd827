// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/core/error.hpp>
#include <zkgpu/msm/cuda/bitmap/bitmap_msm.hpp>
#include <zkgpu/msm/cuda/bitmap/kernels.cuh>
#include <zkgpu/msm/cuda/steps/chunk.cuh>
#include <zkgpu/msm/cuda/steps/tail.hpp>

namespace zkgpu {

namespace msm_cuda {

/// Bases that are on the device: all of them, or those of a slot.
template <CurveParams P>
struct BitmapBases {
  const Affine<P>* table = nullptr;
  const std::uint8_t* infinity = nullptr;
  std::size_t first = 0;  ///< bit of the first
  std::size_t count = 0;
};

/// Sums with bitmaps in work.
template <CurveGroup G>
class BitmapSums {
  using P = typename G::Params;
  using Bucket = LazyBucket<P>;
  using Bitmap = CudaMsmBitmap<typename G::ScalarField>;

 public:
  BitmapSums(const CudaQueue& queue, const CudaMsmBitmapPlan& plan, std::span<const Bitmap> bitmaps,
             std::byte* workspace)
      : queue_(queue),
        plan_(plan),
        ones_plan_(plan.ones()),
        wide_plan_(plan.wide()),
        bitmaps_(bitmaps),
        at_(layout_cuda_msm_bitmap(plan)),
        base_(workspace),
        ones_arrays_(ones_plan_, workspace),
        wide_arrays_(wide_plan_, workspace) {
    fill(queue, ones(), plan.bitmaps * sizeof(Bucket), 0);
    if (plan.slots) fill_buckets(plan.bucket_sets());
  }

  /// Adds the ones of `bases` in all bitmaps.
  void add_ones(const BitmapBases<P>& bases) const {
    for (std::size_t at = 0; at < bases.count; at += plan_.ones_bases) {
      BitmapRange range;
      range.infinity = bases.infinity + at;
      range.bases = std::min(plan_.ones_bases, bases.count - at);
      range.place = static_cast<std::uint32_t>(at);
      const std::size_t entries = list_ones(range, (bases.first + at) / 64);
      if (entries == 0) continue;
      Bucket* const sums = ones() + plan_.bitmaps;
      fill(queue_, sums, plan_.bitmaps * sizeof(Bucket), 0);
      sum_sorted<P>(queue_, ones_plan_, bases.table, ones_arrays_, ones_arrays_.list,
                    {entries, true}, sums);
      add_buckets<P>(queue_, ones(), sums, plan_.bitmaps);
    }
  }

  /// Adds the digits of wide scalars of bitmap b whose bases are among `bases` to its buckets.
  /// @return were there any?
  bool add_wide(const BitmapBases<P>& bases, std::size_t b) const {
    const Bitmap& bitmap = bitmaps_[b];
    std::size_t at = bitmap.wide_before(bases.first);
    const std::size_t end = bitmap.wide_before(bases.first + bases.count);
    const bool any = at < end;
    for (bool fresh = !plan_.slots; at < end; at += plan_.sum.chunk_points, fresh = false) {
      add_batch(bases, b, at, std::min(plan_.sum.chunk_points, end - at), fresh);
    }
    return any;
  }

  /// All of bitmap b to its result.
  void finish(std::size_t b, bool any_wide, Jacobian<P>* result) const {
    if (!any_wide) {
      enqueue_reduce<P>(queue_, plan_.lone_bucket(), ones() + b, ones_arrays_.lines,
                        ones_arrays_.terms, result);
      return;
    }
    add_buckets<P>(queue_, buckets(b), ones() + b, 1);  // its weight is one
    enqueue_reduce<P>(queue_, wide_plan_, buckets(b), wide_arrays_.lines, wide_arrays_.terms,
                      result);
  }

  void fill_buckets(std::size_t sets) const {
    fill(queue_, buckets(0), sets * plan_.sum.all_buckets() * sizeof(Bucket), 0);
  }
  template <class T>
  [[nodiscard]] T* array(std::size_t offset) const noexcept {
    return reinterpret_cast<T*>(base_ + offset);
  }
  [[nodiscard]] const CudaMsmBitmapLayout& at() const noexcept { return at_; }

 private:
  [[nodiscard]] Bucket* ones() const noexcept { return array<Bucket>(at_.ones); }
  [[nodiscard]] Bucket* buckets(std::size_t b) const noexcept {
    return array<Bucket>(at_.sets) + (plan_.slots ? b * plan_.sum.all_buckets() : 0);
  }

  /// Lists the ones of a range, bitmap after bitmap; returns how many there are.
  std::size_t list_ones(BitmapRange range, std::size_t first_word) const {
    auto* const counts = array<std::uint32_t>(at_.counts);
    const Grid grid = grid_for(range.word_count(), bitmap_threads);
    fill(queue_, counts, plan_.bitmaps * sizeof(std::uint32_t), 0);
    for (std::size_t b = 0; b < plan_.bitmaps; ++b) {
      range.words = bitmaps_[b].ones().data() + first_word;
      launch(queue_, grid, "msm.count_ones", count_ones_kernel, range, counts + b);
    }
    const EntryList& list = ones_arrays_.list;
    launch(queue_, Grid{dim3(1), 1, 0}, "msm.offsets", offsets_kernel, counts,
           static_cast<std::uint32_t>(plan_.bitmaps), list.count);
    for (std::size_t b = 0; b < plan_.bitmaps; ++b) {
      range.words = bitmaps_[b].ones().data() + first_word;
      launch(queue_, grid, "msm.list_ones", list_ones_kernel, range, static_cast<std::uint32_t>(b),
             counts + b, list.keys, list.places);
    }
    std::uint32_t all = 0;
    queue_.download(DeviceSpan<const std::uint32_t>(list.count, 1),
                    std::span<std::uint32_t>(&all, 1));
    queue_.wait();
    return all;
  }

  /// @param fresh  the buckets of bitmap b hold nothing yet
  void add_batch(const BitmapBases<P>& bases, std::size_t b, std::size_t first, std::size_t count,
                 bool fresh) const {
    const Bitmap& bitmap = bitmaps_[b];
    WidePlaces places;
    places.places = bitmap.places().data() + first;
    places.first = static_cast<std::uint32_t>(bases.first);
    places.log_batch = static_cast<unsigned>(std::countr_zero(wide_plan_.n));
    places.run = plan_.sum.n;
    auto* const flags = array<std::uint8_t>(at_.wide_infinity);
    launch(queue_, grid_for(count, bitmap_threads), "msm.wide_infinity", wide_infinity_kernel,
           places, bases.infinity, flags, count);
    begin_list<P>(queue_, wide_plan_, wide_arrays_, count);
    append_digits<P>(queue_, wide_plan_, wide_arrays_, bitmap.values().subspan(first, count),
                     {flags, count}, 0, count);
    launch(queue_, grid_for(count * wide_plan_.windows, bitmap_threads), "msm.wide_places",
           wide_places_kernel, places, wide_arrays_.list.count, wide_arrays_.list.places);
    Bucket* const sums = fresh ? buckets(b) : wide_arrays_.buckets;
    if (!fresh) fill(queue_, sums, plan_.sum.all_buckets() * sizeof(Bucket), 0);
    sum_digits<P>(queue_, wide_plan_, bases.table, wide_arrays_, count, sums);
    if (!fresh) add_buckets<P>(queue_, buckets(b), sums, plan_.sum.all_buckets());
  }

  const CudaQueue& queue_;
  const CudaMsmBitmapPlan& plan_;
  CudaMsmPlan ones_plan_;
  CudaMsmPlan wide_plan_;
  std::span<const Bitmap> bitmaps_;
  CudaMsmBitmapLayout at_;
  std::byte* base_;
  Arrays<P> ones_arrays_;
  Arrays<P> wide_arrays_;
};

/// @throws InvalidArgument
template <PrimeField F>
void check_bitmaps(const CudaMsmBitmapPlan& plan, bool slots,
                   std::span<const CudaMsmBitmap<F>> bitmaps, std::size_t bases,
                   std::size_t workspace_bytes, std::size_t results) {
  bool fits = plan.slots == slots && bitmaps.size() == plan.bitmaps && results == plan.bitmaps &&
              bases == plan.sum.n && plan.bitmaps <= std::size_t{1} << 16;
  for (const auto& bitmap : bitmaps) fits = fits && bitmap.size() == plan.sum.n;
  if (!fits) {
    throw InvalidArgument(
        "msm: the plan is '" + to_string(plan) + "', got " + std::to_string(bitmaps.size()) +
        " bitmaps of " + std::to_string(bitmaps.empty() ? 0 : bitmaps[0].size()) + " scalars for " +
        std::to_string(bases) + " bases and " + std::to_string(results) + " results");
  }
  if (plan.sum.n == 0) return;
  const auto whole = [&plan](std::size_t count, std::size_t all) {
    return count != 0 && (count >= all || count % cuda_bitmap_block == 0);
  };
  if (!whole(plan.ones_bases, plan.chunk_bases) || !whole(plan.chunk_bases, plan.sum.n) ||
      !std::has_single_bit(plan.sum.chunk_points) || plan.sum.pair_entries % 2 != 0 ||
      (slots && plan.sum.tables != 1)) {
    throw InvalidArgument("msm: a plan that was changed into '" + to_string(plan) + "'");
  }
  if (workspace_bytes < plan.workspace_bytes()) {
    throw InvalidArgument("msm: a workspace of " + std::to_string(workspace_bytes) +
                          " bytes, the plan needs " + std::to_string(plan.workspace_bytes()));
  }
}

}  // namespace msm_cuda

template <CurveGroup G>
void BitmapMsm<G>::enqueue(const CudaQueue& queue, const CudaMsmBitmapPlan& plan,
                           std::span<const Bitmap> bitmaps, const CudaMsmBases<G>& bases,
                           DeviceSpan<std::byte> workspace,
                           DeviceSpan<typename G::Jacobian> results) {
  msm_cuda::check_bitmaps(plan, false, bitmaps, bases.plan().n, workspace.size(), results.size());
  msm_cuda::check_same_tables(plan.sum, bases.plan());
  if (plan.sum.n == 0) return msm_cuda::upload_infinity<G>(queue, results);
  const msm_cuda::BitmapSums<G> sums(queue, plan, bitmaps, workspace.data());
  const msm_cuda::BitmapBases<typename G::Params> all{bases.table().data(), bases.infinity().data(),
                                                      0, plan.sum.n};
  sums.add_ones(all);
  for (std::size_t b = 0; b < bitmaps.size(); ++b) {
    sums.fill_buckets(1);
    const bool any_wide = sums.add_wide(all, b);
    sums.finish(b, any_wide, results.data() + b);
  }
}

template <CurveGroup G>
void BitmapMsm<G>::enqueue(const CudaQueue& queue, const CudaFeed& feed,
                           const CudaMsmBitmapPlan& plan, std::span<const Bitmap> bitmaps,
                           CudaSource<Affine> bases, DeviceSpan<std::byte> workspace,
                           DeviceSpan<typename G::Jacobian> results) {
  using P = typename G::Params;
  const std::size_t n = plan.sum.n;
  msm_cuda::check_bitmaps(plan, true, bitmaps, bases.size(), workspace.size(), results.size());
  if (n == 0) return msm_cuda::upload_infinity<G>(queue, results);
  const msm_cuda::BitmapSums<G> sums(queue, plan, bitmaps, workspace.data());
  const auto slot = [&](std::size_t turn) {
    return sums.template array<Affine>(sums.at().bases[turn % 2]);
  };
  const auto chunk = [&](std::size_t turn) {
    const std::size_t first = turn * plan.chunk_bases;
    return CudaMsmChunk{first, std::min(plan.chunk_bases, n - first)};
  };
  std::vector<bool> any_wide(bitmaps.size(), false);
  feed.run(
      queue, (n + plan.chunk_bases - 1) / plan.chunk_bases,
      [&](std::size_t turn) {
        const auto [first, points] = chunk(turn);
        feed.copy(bases.part(first, points), DeviceSpan<Affine>(slot(turn), points));
      },
      [&](std::size_t turn) {
        const auto [first, points] = chunk(turn);
        auto* const infinity = sums.template array<std::uint8_t>(sums.at().infinity[turn % 2]);
        msm_cuda::enqueue_infinity<P>(queue, slot(turn), infinity, points);
        const msm_cuda::BitmapBases<P> here{slot(turn), infinity, first, points};
        sums.add_ones(here);
        for (std::size_t b = 0; b < bitmaps.size(); ++b) {
          if (sums.add_wide(here, b)) any_wide[b] = true;
        }
      });
  for (std::size_t b = 0; b < bitmaps.size(); ++b) {
    sums.finish(b, any_wide[b], results.data() + b);
  }
}

}  // namespace zkgpu
