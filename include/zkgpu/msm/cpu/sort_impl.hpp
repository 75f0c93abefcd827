// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cpu/engine.hpp>
#include <zkgpu/msm/digits.hpp>
#include <zkgpu/msm/layout.hpp>
#include <zkgpu/msm/plan.hpp>

/// First half of the bucket method on the CPU: scalars to entries sorted by bucket.
namespace zkgpu::msm_cpu {

/// body(item, slot) for every item; at most `workers` at a time, each with its own slot.
template <class Body>
void for_items(std::size_t workers, std::size_t items, const Body& body) {
  if (workers <= 1 || items <= 1) {
    for (std::size_t i = 0; i < items; ++i) body(i, std::size_t{0});
    return;
  }
  std::atomic<std::size_t> next{0};
  oneapi::tbb::parallel_for(
      std::size_t{0}, std::min(workers, items), std::size_t{1},
      [&](std::size_t slot) {
        for (std::size_t i = next.fetch_add(1); i < items; i = next.fetch_add(1)) body(i, slot);
      },
      oneapi::tbb::simple_partitioner{});
}

/// A scalar that is a single digit of the lowest window.
struct ShortScalar {
  std::uint32_t point;
  std::uint32_t value;
};

/// The sum of a bucket's entries in one chunk, where the bucket crosses into another chunk.
template <class Engine>
struct Edge {
  static constexpr std::size_t unused = static_cast<std::size_t>(-1);
  typename Engine::Point point;
  std::size_t key;
};

/// The arrays of the workspace, typed.
template <CurveGroup G, CpuArch A>
struct Arrays {
  using Engine = msm_cpu::Engine<G, A>;
  using Point = typename Engine::Point;
  static constexpr std::size_t words = MsmScalarParts<G>::words;

  Arrays(const MsmLayout& at, std::byte* memory) noexcept
      : values(reinterpret_cast<Limbs<words>*>(memory + at.values)),
        points(reinterpret_cast<std::uint32_t*>(memory + at.points)),
        shorts(reinterpret_cast<ShortScalar*>(memory + at.shorts)),
        entries(reinterpret_cast<std::uint32_t*>(memory + at.entries)),
        offsets(reinterpret_cast<std::uint32_t*>(memory + at.offsets)),
        counts(reinterpret_cast<std::uint32_t*>(memory + at.counts)),
        buckets(reinterpret_cast<Point*>(memory + at.buckets)),
        edges(reinterpret_cast<Edge<Engine>*>(memory + at.edges)),
        lanes(reinterpret_cast<Point*>(memory + at.lanes)),
        scratch(memory + at.scratch) {}

  Limbs<words>* values;   // of part p, position i: [p·m + i]
  std::uint32_t* points;  // of position i: base, and the sign of part p in bit 31 - p
  ShortScalar* shorts;
  std::uint32_t* entries;  // base; sign in bit 31
  std::uint32_t* offsets;  // of the lists of a bucket, one an image, in the order of image_places
  std::uint32_t* counts;
  Point* buckets;
  Edge<Engine>* edges;
  Point* lanes;
  std::byte* scratch;
};

/// Where the list of an image stands among the lists of its bucket: the order in which halves are
/// joined, bits reversed. Neighbours differ by parts/2, joined neighbours by parts/4, ..., by 1.
template <unsigned Parts>
inline constexpr auto image_places = [] {
  static_assert(std::has_single_bit(Parts));
  std::array<unsigned, Parts> places{};
  for (unsigned p = 0; p < Parts; ++p) {
    for (unsigned bit = 1; bit < Parts; bit *= 2) {
      if ((p & bit) != 0) places[p] |= Parts / 2 / bit;
    }
  }
  return places;
}();

/// The windows in use: what the plan says, or narrower where the scalars prove to be short.
struct Windows {
  unsigned bits = 1;  // c
  unsigned count = 0;
  unsigned value_bits = 1;
  [[nodiscard]] std::size_t buckets() const noexcept { return std::size_t{1} << (bits - 1); }
  [[nodiscard]] std::size_t keys() const noexcept { return count * buckets(); }
};

/// Turns counts into places, bucket after bucket, image after image within a bucket, block after
/// block of an image; and fills the offsets of the lists.
///
/// @param counts  block after block, window after window, image after image, bucket after bucket
template <unsigned Parts>
void place_entries(std::size_t workers, std::size_t blocks, const Windows& windows,
                   std::uint32_t* counts, std::uint32_t* offsets) {
  const std::size_t size = windows.buckets();
  SecretArray<std::uint32_t> total(windows.count);
  const auto of_window = [&](std::size_t b, std::size_t w) {
    return counts + (b * windows.count + w) * size * Parts;
  };
  for_items(workers, windows.count, [&](std::size_t w, std::size_t) {
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint32_t* const count = of_window(b, w);
      for (std::size_t i = 0; i < size * Parts; ++i) sum += count[i];
    }
    total[w] = sum;
  });
  std::uint32_t before = 0;
  for (std::uint32_t& t : total) {
    const std::uint32_t own = t;
    t = before;
    before += own;
  }
  constexpr auto image_at = image_places<Parts>;  // reversed bits, reversed again
  for_items(workers, windows.count, [&](std::size_t w, std::size_t) {
    std::uint32_t next = total[w];
    std::uint32_t* offset = offsets + w * size * Parts;
    for (std::size_t bucket = 0; bucket < size; ++bucket) {
      for (unsigned place = 0; place < Parts; ++place) {
        *offset++ = next;
        for (std::size_t b = 0; b < blocks; ++b) {
          std::uint32_t& count = of_window(b, w)[image_at[place] * size + bucket];
          const std::uint32_t own = count;
          count = next;
          next += own;
        }
      }
    }
  });
  offsets[windows.keys() * Parts] = before;
}

template <CurveGroup G, CpuArch A>
class Sorter {
  using Parts = MsmScalarParts<G>;
  using Integer = typename G::ScalarField::Integer;
  static constexpr std::size_t words = Parts::words;
  static constexpr unsigned parts = Parts::count;
  static_assert(parts <= 4, "the signs of the parts share a word with a point's number");
  static constexpr std::uint32_t sign_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t point_mask = (std::uint32_t{1} << 28) - 1;

 public:
  Sorter(const MsmPlan& plan, const Arrays<G, A>& arrays, std::span<const Integer> scalars,
         std::span<const typename G::Affine> bases)
      : plan_(plan),
        a_(arrays),
        scalars_(scalars),
        bases_(bases),
        pieces_(msm_blocks(1, plan.workers)) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      pieces_[i].first = scalars.size() * i / pieces_.size();
      pieces_[i].last = scalars.size() * (i + 1) / pieces_.size();
    }
  }

  /// Splits the scalars, chooses the windows, fills entries and offsets.
  Windows run() {
    for_items(plan_.workers, pieces_.size(),
              [&](std::size_t i, std::size_t) { split(pieces_[i]); });
    const Windows windows = choose_windows();
    const std::size_t blocks = msm_blocks_within(plan_, windows.count, windows.buckets());
    const SignedDigits<words> digits(windows.value_bits, windows.bits);
    for_items(plan_.workers, pieces_.size(),
              [&](std::size_t i, std::size_t) { shift_values(pieces_[i], digits); });
    const auto each = [&](const auto& body) {
      for_items(plan_.workers, blocks * windows.count, [&](std::size_t i, std::size_t) {
        // Neighbours in time are of different windows: they write no lines in common.
        const std::size_t b = i / windows.count;
        const auto w = static_cast<unsigned>(i % windows.count);
        body(block(b, blocks), w, a_.counts + (b * windows.keys() + w * windows.buckets()) * parts);
      });
    };
    each([&](std::span<const Piece> pieces, unsigned w, std::uint32_t* count) {
      std::fill_n(count, windows.buckets() * parts, 0U);
      for_entries(pieces, digits, w, windows.buckets(),
                  [count](std::size_t list, std::uint32_t) { ++count[list]; });
    });
    place_entries<parts>(plan_.workers, blocks, windows, a_.counts, a_.offsets);
    each([&](std::span<const Piece> pieces, unsigned w, std::uint32_t* next) {
      for_entries(pieces, digits, w, windows.buckets(),
                  [entries = a_.entries, next](std::size_t list, std::uint32_t entry) {
                    entries[next[list]++] = entry;
                  });
    });
    return windows;
  }

 private:
  /// Points [first, last) and what was found among them; long scalars take positions from `first`
  /// on. Scalars are split piece by piece. Several pieces make a block, which one task a window
  /// counts and scatters.
  struct Piece {
    std::size_t first = 0, last = 0;
    std::size_t longs = 0, shorts = 0;
    PartLengths lengths;
  };

  /// Block b of `blocks`, which are no more than there are pieces.
  [[nodiscard]] std::span<const Piece> block(std::size_t b, std::size_t blocks) const noexcept {
    const std::size_t first = pieces_.size() * b / blocks, last = pieces_.size() * (b + 1) / blocks;
    return std::span(pieces_).subspan(first, last - first);
  }

  /// Values up to this need no splitting: they are one digit in any width that may be chosen.
  [[nodiscard]] std::uint64_t short_limit() const noexcept {
    return std::uint64_t{1} << (std::min(plan_.window_bits, msm_least_narrow_bits) - 1);
  }

  void split(Piece& piece) noexcept {
    const std::size_t m = scalars_.size();
    const std::uint64_t limit = short_limit();
    for (std::size_t i = piece.first; i < piece.last; ++i) {
      const Integer& k = scalars_[i];
      const bool one_word = [&k] {
        std::uint64_t high = 0;
        for (std::size_t j = 1; j < Integer::limb_count; ++j) high |= k.limb[j];
        return high == 0;
      }();
      if (one_word && k.limb[0] == 0) continue;
      if (bases_[i].is_infinity()) continue;
      if (one_word && k.limb[0] <= limit) {
        a_.shorts[piece.first + piece.shorts++] = {static_cast<std::uint32_t>(i),
                                                   static_cast<std::uint32_t>(k.limb[0])};
        continue;
      }
      typename Parts::Part split_parts[parts];
      Parts::split(k, split_parts);
      const std::size_t at = piece.first + piece.longs++;
      std::uint32_t point = static_cast<std::uint32_t>(i);
      for (unsigned p = 0; p < parts; ++p) {
        a_.values[p * m + at] = split_parts[p].magnitude;
        if (split_parts[p].negative) point |= sign_bit >> p;
        ++piece.lengths.count[bit_length(split_parts[p].magnitude)];
      }
      a_.points[at] = point;
    }
  }

  static unsigned bit_length(const Limbs<words>& value) noexcept {
    for (std::size_t i = words; i-- > 0;) {
      if (value.limb[i] != 0) {
        return static_cast<unsigned>(64 * i) + static_cast<unsigned>(std::bit_width(value.limb[i]));
      }
    }
    return 0;
  }

  Windows choose_windows() const noexcept {
    PartLengths lengths;
    std::size_t shorts = 0;
    for (const Piece& piece : pieces_) {
      for (unsigned i = 0; i <= PartLengths::max_bits; ++i)
        lengths.count[i] += piece.lengths.count[i];
      shorts += piece.shorts;
    }
    unsigned c = plan_.window_bits;
    const unsigned least = std::min(c, msm_least_narrow_bits);
    if (plan_.narrow) c = best_window_bits(lengths, least, c);
    // An upper bound on entries must fit; the plan's own width always does.
    if (lengths.entries(c) + shorts > plan_.max_entries()) c = plan_.window_bits;
    Windows windows;
    windows.bits = c;
    windows.value_bits = lengths.longest() + 1;
    windows.count = MsmPlan::windows_for(windows.value_bits, c);
    return windows;
  }

  void shift_values(const Piece& piece, const SignedDigits<words>& digits) noexcept {
    for (unsigned p = 0; p < parts; ++p) {
      Limbs<words>* const values = a_.values + p * scalars_.size();
      for (std::size_t i = piece.first; i < piece.first + piece.longs; ++i) {
        values[i] = digits.shifted(values[i]);
      }
    }
  }

  /// emit(list, entry) for every digit of window w that is not zero, in a fixed order: lists of an
  /// image stand together, bucket after bucket.
  template <class Emit>
  void for_entries(std::span<const Piece> pieces, const SignedDigits<words>& digits, unsigned w,
                   std::size_t buckets, const Emit& emit) const noexcept {
    const std::size_t m = scalars_.size();
    const auto window = digits.window(w);
    const std::uint32_t* const points = a_.points;
    for (const Piece& piece : pieces) {
      for (std::size_t i = piece.first; w == 0 && i < piece.first + piece.shorts; ++i) {
        emit(a_.shorts[i].value - 1, a_.shorts[i].point);
      }
      for (unsigned p = 0; p < parts; ++p) {
        const Limbs<words>* const values = a_.values + p * m;
        for (std::size_t i = piece.first; i < piece.first + piece.longs; ++i) {
          const std::int32_t digit = window.digit(values[i]);
          if (digit == 0) continue;
          const std::uint32_t point = points[i];
          const auto flip = static_cast<std::uint32_t>(digit < 0 ? sign_bit : 0);
          const std::uint32_t sign = ((point << p) & sign_bit) ^ flip;
          emit(p * buckets + static_cast<std::size_t>(digit < 0 ? -digit : digit) - 1,
               sign | (point & point_mask));
        }
      }
    }
  }

  const MsmPlan& plan_;
  Arrays<G, A> a_;
  std::span<const Integer> scalars_;
  std::span<const typename G::Affine> bases_;
  SecretArray<Piece> pieces_;
};

}  // namespace zkgpu::msm_cpu
