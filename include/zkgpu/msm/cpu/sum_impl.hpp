// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/cpu/sort_impl.hpp>

/// Second half of the bucket method on the CPU: entries to bucket sums, bucket sums to the result.
namespace zkgpu::msm_cpu {

/// The memory of one worker: a chunk's points, and as many pairs as half of them.
template <class Engine>
struct Scratch {
  using Point = typename Engine::Point;
  using Element = typename Engine::Element;

  Scratch(std::byte* memory, std::size_t chunk_entries) noexcept
      : points(reinterpret_cast<Point*>(memory)) {
    const std::size_t most = msm_pairs(chunk_entries);
    auto* const elements = reinterpret_cast<Element*>(points + msm_chunk_points(chunk_entries));
    pairs = reinterpret_cast<PointPair<Point>*>(elements + 2 * most);
    auto* const words = reinterpret_cast<std::uint32_t*>(pairs + most);
    batch = {elements, elements + most, words};
    places = words + most;
    lengths = places + chunk_entries;
  }

  Point* points;
  PointPair<Point>* pairs;
  PairScratch<Element> batch;
  std::uint32_t* places;   // of the points of a list, list after list
  std::uint32_t* lengths;  // of the lists
};

/// Sums several lists of points, which stand in scratch.points where scratch.places says, list
/// after list: neighbours are added pairwise, all lists together, until every list has one point.
/// The pairs of a round have no point in common, so equal and crowded lists cost what others do.
///
/// @param lists  scratch.lengths[0..lists): all at least 1, their sum is the number of places
/// @return in scratch.places: where the sum of each list stands
/// @cost  5M + 1S for each point but the first of a list, and an inversion a round
template <class Engine>
void sum_placed_lists(const Scratch<Engine>& scratch, std::size_t lists) noexcept {
  for (;;) {
    std::size_t pairs = 0;
    const std::uint32_t* from = scratch.places;
    std::uint32_t* to = scratch.places;
    for (std::size_t l = 0; l < lists; ++l) {
      const std::uint32_t length = scratch.lengths[l];
      std::uint32_t i = 0;
      for (; i + 1 < length; i += 2) {
        scratch.pairs[pairs++] = {scratch.points + from[i], scratch.points + from[i + 1]};
        *to++ = from[i];
      }
      if (i < length) *to++ = from[i];
      from += length;
      scratch.lengths[l] = (length + 1) / 2;
    }
    if (pairs == 0) return;
    Engine::add_pairs(pairs, scratch.pairs, scratch.batch);
  }
}

/// The same for points that stand one after the other.
template <class Engine>
void sum_lists(const Scratch<Engine>& scratch, std::size_t lists) noexcept {
  std::uint32_t total = 0;
  for (std::size_t l = 0; l < lists; ++l) total += scratch.lengths[l];
  for (std::uint32_t i = 0; i < total; ++i) scratch.places[i] = i;
  sum_placed_lists(scratch, lists);
}

template <CurveGroup G, CpuArch A>
class Summer {
  using Engine = msm_cpu::Engine<G, A>;
  using Point = typename Engine::Point;
  using Affine = typename G::Affine;
  using Bucket = typename G::Bucket;
  using Jacobian = typename G::Jacobian;
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;
  static constexpr unsigned images = MsmScalarParts<G>::count;

 public:
  Summer(const MsmPlan& plan, const MsmLayout& layout, const Windows& windows,
         const Arrays<G, A>& arrays, std::span<const Affine> bases) noexcept
      : plan_(plan), layout_(layout), windows_(windows), a_(arrays), bases_(bases) {}

  Jacobian run() {
    const MsmChunks chunks(a_.offsets[windows_.keys() * images], plan_.chunk_entries,
                           plan_.workers);
    constexpr std::size_t fill = 4096;
    for_items(plan_.workers, (windows_.keys() + fill - 1) / fill, [&](std::size_t i, std::size_t) {
      const std::size_t first = i * fill, last = std::min(first + fill, windows_.keys());
      for (std::size_t key = first; key < last; ++key) {  // the others become sums
        if (a_.offsets[key * images] == a_.offsets[(key + 1) * images]) {
          a_.buckets[key] = Engine::infinity();
        }
      }
    });
    for_items(plan_.workers, chunks.count(), [&](std::size_t i, std::size_t slot) {
      sum_chunk(i, chunks.begin(i), chunks.begin(i + 1), scratch(slot));
    });
    join_edges(2 * chunks.count());
    return reduce();
  }

 private:
  [[nodiscard]] Scratch<Engine> scratch(std::size_t slot) const noexcept {
    return Scratch<Engine>(a_.scratch + slot * layout_.scratch_bytes, plan_.chunk_entries);
  }
  [[nodiscard]] Point point_at(std::uint32_t entry) const noexcept {
    return Engine::from_base(bases_[entry & ~sign_bit], (entry & sign_bit) != 0);
  }
  /// Brings the base of an entry near.
  void prefetch(std::uint32_t entry) const noexcept {
    const auto* const base = reinterpret_cast<const char*>(&bases_[entry & ~sign_bit]);
    for (std::size_t line = 0; line < sizeof(Affine); line += 64) {
      __builtin_prefetch(base + line, 0, 2);
    }
    __builtin_prefetch(base + sizeof(Affine) - 1, 0, 2);
  }

  /// The entries of a chunk, in runs of `lists` neighbouring lists.
  class Chunk {
   public:
    Chunk(const std::uint32_t* offsets, std::size_t count, std::size_t first, std::size_t last)
        : offsets_(offsets), count_(count), first_(first), last_(last) {
      const std::uint32_t* const end = offsets + count + 1;
      first_list_ = static_cast<std::size_t>(std::upper_bound(offsets, end, first) - offsets) - 1;
    }
    /// body(run, entries of it here, whether all of them are here) where there are any
    template <class Body>
    void for_runs(std::size_t lists, const Body& body) const {
      for (std::size_t run = first_list_ / lists; run * lists < count_; ++run) {
        const std::size_t begin = offsets_[run * lists], end = offsets_[(run + 1) * lists];
        if (begin >= last_) break;
        const std::size_t from = std::max(begin, first_), to = std::min(end, last_);
        if (from < to) body(run, to - from, begin >= first_ && end <= last_);
      }
    }

   private:
    const std::uint32_t* offsets_;
    std::size_t count_, first_, last_, first_list_;
  };

  /// Entries [first, last) into buckets; a bucket that reaches beyond them becomes an edge.
  void sum_chunk(std::size_t number, std::size_t first, std::size_t last,
                 const Scratch<Engine>& s) const noexcept {
    const Chunk chunk(a_.offsets, windows_.keys() * images, first, last);
    std::size_t lists = 0;
    chunk.for_runs(1, [&](std::size_t, std::size_t length, bool) {
      s.lengths[lists++] = static_cast<std::uint32_t>(length);
    });
    if constexpr (Engine::adds_entries) {
      first_round(a_.entries + first, lists, s);
      sum_placed_lists(s, lists);
    } else {
      gather(first, last, s.points);
      sum_lists(s, lists);
    }
    for (unsigned lists_of_run = 1; lists_of_run < images; lists_of_run *= 2) {
      join_images(chunk, lists_of_run, s);
    }
    a_.edges[2 * number].key = a_.edges[2 * number + 1].key = Edge<Engine>::unused;
    std::size_t bucket = 0;
    chunk.for_runs(images, [&](std::size_t key, std::size_t, bool whole) {
      const Point& sum = s.points[s.places[bucket++]];
      if (whole) {
        a_.buckets[key] = sum;
      } else {
        a_.edges[2 * number + (bucket == 1 ? 0 : 1)] = {sum, key};
      }
    });
  }

  /// Joins the sums of neighbouring runs of lists: the second of two is of images images/(2·lists)
  /// further, so it is that image of what it stands for.
  void join_images(const Chunk& chunk, unsigned lists, const Scratch<Engine>& s) const noexcept {
    auto* const mapped = reinterpret_cast<std::uint32_t*>(s.pairs);  // unused until the next round
    std::size_t run_count = 0, mapped_count = 0, joined = 0;
    std::size_t last_pair = static_cast<std::size_t>(-1);
    chunk.for_runs(lists, [&](std::size_t run, std::size_t, bool) {
      if (run % 2 == 1) mapped[mapped_count++] = s.places[run_count];
      ++run_count;
      if (run / 2 != last_pair) s.lengths[joined++] = 0;
      ++s.lengths[joined - 1];
      last_pair = run / 2;
    });
    Engine::take_images(images / (2 * lists), mapped_count, s.points, mapped);
    sum_placed_lists(s, joined);
  }

  /// Adds neighbours of lists of entries, reading their points where they are stored. The sums go
  /// to the front of s.points, points without a neighbour to its end.
  void first_round(const std::uint32_t* entries, std::size_t lists,
                   const Scratch<Engine>& s) const noexcept {
    auto* const pairs = reinterpret_cast<std::uint32_t*>(s.pairs);  // unused until the next round
    std::uint32_t* const singles = pairs + msm_pairs(plan_.chunk_entries);
    std::uint32_t pair_count = 0, single_count = 0;
    std::uint32_t at = 0;
    std::uint32_t* place = s.places;
    const auto last = static_cast<std::uint32_t>(msm_chunk_points(plan_.chunk_entries) - 1);
    for (std::size_t l = 0; l < lists; ++l) {
      const std::uint32_t end = at + s.lengths[l];
      for (; at + 1 < end; at += 2) {
        pairs[pair_count] = at;
        *place++ = pair_count++;
      }
      if (at < end) {
        singles[single_count] = at++;
        *place++ = last - single_count++;
      }
      s.lengths[l] = (s.lengths[l] + 1) / 2;
    }
    // Two batches: the second pass of a smaller one finds more of its points still near.
    const std::size_t batch = (plan_.chunk_entries / 4 + 8) / 8 * 8;
    for (std::size_t i = 0; i < pair_count; i += batch) {
      Engine::add_entry_pairs(std::min(batch, pair_count - i), bases_.data(), entries, pairs + i,
                              s.points + i, s.batch);
    }
    Engine::take_entries(single_count, bases_.data(), entries, singles, s.points + last);
  }

  void gather(std::size_t first, std::size_t last, Point* to) const noexcept {
    constexpr std::size_t ahead = 64;  // 13 % of an MSM's samples are here; with 12 it was 17 %
    for (std::size_t e = first; e < last; ++e) {
      if (e + ahead < last) prefetch(a_.entries[e + ahead]);
      *to++ = point_at(a_.entries[e]);
    }
  }

  /// The end of a group of edges that begins at `first`: not within a bucket, unless a single one
  /// fills the group. So each pass over the edges leaves fewer.
  [[nodiscard]] std::size_t group_end(std::size_t first, std::size_t count) const noexcept {
    const std::size_t last = std::min(first + plan_.chunk_entries, count);
    if (last == count) return last;
    std::size_t end = last;
    while (end > first && a_.edges[end - 1].key == a_.edges[last].key) --end;
    return end > first ? end : last;
  }

  /// Sums the edges of each bucket. They stand in the order of the buckets.
  void join_edges(std::size_t count) const noexcept {
    const auto used = std::remove_if(a_.edges, a_.edges + count, [](const Edge<Engine>& e) {
      return e.key == Edge<Engine>::unused;
    });
    count = static_cast<std::size_t>(used - a_.edges);
    const Scratch<Engine> s = scratch(0);
    for (bool again = true; again;) {
      std::size_t kept = 0;
      std::size_t last = 0;
      for (std::size_t first = 0; first < count; first = last) {
        last = group_end(first, count);
        std::size_t lists = 0;
        for (std::size_t i = first; i < last; ++i) {
          s.points[i - first] = a_.edges[i].point;
          if (i == first || a_.edges[i].key != a_.edges[i - 1].key) s.lengths[lists++] = 0;
          ++s.lengths[lists - 1];
        }
        const std::size_t group = kept;
        for (std::size_t i = first; i < last; ++i) {  // keys move down, never past one still unread
          if (kept == group || a_.edges[kept - 1].key != a_.edges[i].key) {
            a_.edges[kept++].key = a_.edges[i].key;
          }
        }
        sum_lists(s, lists);
        for (std::size_t l = 0; l < lists; ++l) a_.edges[group + l].point = s.points[s.places[l]];
      }
      count = kept;
      again = false;  // a bucket may have met the end of a group
      for (std::size_t i = 1; i < count; ++i) again |= a_.edges[i].key == a_.edges[i - 1].key;
    }
    for (std::size_t i = 0; i < count; ++i) a_.buckets[a_.edges[i].key] = a_.edges[i].point;
  }

  /// Σ_windows 2^(cw) Σ_b b·bucket[b]. Lanes of K buckets run side by side, then lanes are joined.
  Jacobian reduce() const {
    const std::size_t lane_buckets = msm_lane_buckets(windows_.buckets());
    const std::size_t lanes = windows_.keys() / lane_buckets;
    const std::size_t share = (lanes + 4 * plan_.workers - 1) / (4 * plan_.workers);
    const std::size_t most = std::max<std::size_t>(1, plan_.chunk_entries / 4);
    const std::size_t group = std::clamp<std::size_t>(share, std::min<std::size_t>(64, most), most);
    for_items(plan_.workers, (lanes + group - 1) / group, [&](std::size_t i, std::size_t slot) {
      run_lanes(i * group, std::min((i + 1) * group, lanes), lane_buckets, scratch(slot));
    });
    const std::size_t window_lanes = windows_.buckets() / lane_buckets;
    Jacobian result = Jacobian::infinity();
    // Room for windows of one bit, no more: StackWipe reaches only so far.
    Jacobian sums[MsmScalarParts<G>::bits];
    for_items(plan_.workers, windows_.count, [&](std::size_t w, std::size_t) {
      sums[w] = join_lanes(w * window_lanes, window_lanes, lane_buckets);
    });
    for (std::size_t w = windows_.count; w-- > 0;) {
      for (unsigned i = 0; i < windows_.bits; ++i) result = result.doubled();
      result += sums[w];
    }
    return result;
  }

  /// For each lane: running = Σ bucket, total = Σ (place in the lane)·bucket, from the top down.
  /// A step adds the old running sum to the total and a bucket to the running sum, in one batch.
  void run_lanes(std::size_t first, std::size_t last, std::size_t lane_buckets,
                 const Scratch<Engine>& s) const noexcept {
    const std::size_t count = last - first;
    Point* const lanes = a_.lanes + 2 * first;  // total and running sum of each
    const Point* const buckets = a_.buckets + first * lane_buckets;
    std::fill_n(lanes, 2 * count, Engine::infinity());
    for (std::size_t j = lane_buckets; j-- > 0;) {
      for (std::size_t l = 0; l < count; ++l) {
        s.pairs[2 * l] = {lanes + 2 * l, lanes + 2 * l + 1};
        s.pairs[2 * l + 1] = {lanes + 2 * l + 1, buckets + l * lane_buckets + j};
      }
      Engine::add_pairs(2 * count, s.pairs, s.batch);
    }
    for (std::size_t l = 0; l < count; ++l) s.pairs[l] = {lanes + 2 * l, lanes + 2 * l + 1};
    Engine::add_pairs(count, s.pairs, s.batch);
  }

  /// Σ total + K·Σ s·running over the lanes s of a window.
  Jacobian join_lanes(std::size_t first, std::size_t count,
                      std::size_t lane_buckets) const noexcept {
    Bucket totals = Bucket::infinity();
    Bucket running = Bucket::infinity();
    Bucket weighted = Bucket::infinity();
    for (std::size_t l = count; l-- > 0;) {
      totals += Engine::to_affine(a_.lanes[2 * (first + l)]);
      if (l == 0) break;
      running += Engine::to_affine(a_.lanes[2 * (first + l) + 1]);
      weighted += running;
    }
    for (std::size_t k = lane_buckets; k > 1; k /= 2) weighted = weighted.doubled();
    return (totals + weighted).to_jacobian();
  }

  const MsmPlan& plan_;
  const MsmLayout& layout_;
  Windows windows_;
  Arrays<G, A> a_;
  std::span<const Affine> bases_;
};

}  // namespace zkgpu::msm_cpu
