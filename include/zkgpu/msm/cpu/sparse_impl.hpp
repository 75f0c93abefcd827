// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/bitmap.hpp>
#include <zkgpu/msm/cpu/sort_impl.hpp>
#include <zkgpu/msm/cpu/straus_impl.hpp>
#include <zkgpu/msm/cpu/sum_impl.hpp>

/// Sums in which most scalars are 0 or 1: bases of ones are added as they stand, and only what is
/// left goes through the buckets.
namespace zkgpu::msm_cpu {

/// Running sums side by side, to which bases are added in batches that share an inversion.
///
/// This form: as bases are. It serves every architecture without a form of its own.
template <CurveGroup G, CpuArch A>
struct RunningSums {
  using Affine = typename G::Affine;
  using Engine = msm_cpu::Engine<G, A>;
  static_assert(std::same_as<typename Engine::Point, Affine>);
  static constexpr std::size_t width = 1;  ///< sums come in multiples of this

  /// In the memory of a worker: at most half as many sums as it has points.
  RunningSums(const Scratch<Engine>& scratch, std::span<const Affine> bases) noexcept
      : s_(scratch), bases_(bases) {}

  /// sum i = base index[i] for i < count
  void fill(std::size_t count, const std::uint32_t* index) noexcept {
    for (std::size_t i = 0; i < count; ++i) s_.points[i] = bases_[index[i]];
  }
  /// sum i += base index[i]
  void add(std::size_t count, const std::uint32_t* index) noexcept {
    for (std::size_t i = 0; i < count; ++i) s_.pairs[i] = {s_.points + i, &bases_[index[i]]};
    Engine::add_pairs(count, s_.pairs, s_.batch);
  }
  /// Adds the upper half of `count` sums to the lower one; returns how many are left.
  std::size_t halve(std::size_t count) noexcept {
    const std::size_t half = (count + 1) / 2;
    for (std::size_t i = half; i < count; ++i) {
      s_.pairs[i - half] = {s_.points + (i - half), s_.points + i};
    }
    Engine::add_pairs(count - half, s_.pairs, s_.batch);
    return half;
  }
  [[nodiscard]] const Affine& at(std::size_t i) const noexcept { return s_.points[i]; }

 private:
  Scratch<Engine> s_;
  std::span<const Affine> bases_;
};

/// The terms of one slice, by what they need.
template <CurveGroup G, CpuArch A>
class SparseSum {
  using Engine = msm_cpu::Engine<G, A>;
  using Sums = RunningSums<G, A>;
  using Affine = typename G::Affine;
  using Bucket = typename G::Bucket;
  using Jacobian = typename G::Jacobian;
  using Integer = typename G::ScalarField::Integer;

 public:
  SparseSum(const MsmPlan& plan, const MsmLayout& layout, const Arrays<G, A>& arrays,
            std::byte* memory) noexcept
      : plan_(plan),
        layout_(layout),
        a_(arrays),
        scalars_(reinterpret_cast<Integer*>(memory + layout.picked_scalars)),
        bases_(reinterpret_cast<Affine*>(memory + layout.picked_bases)) {
    static_assert(sizeof(Integer) <= MsmScalarParts<G>::count * sizeof(Limbs<Parts::words>));
    static_assert(sizeof(Affine) <= sizeof(typename Engine::Point));
  }

  /// Σ kᵢ·Pᵢ over a slice of n points.
  /// @param first  the number of its first scalar, for messages
  /// @throws InvalidArgument if a scalar is not below the order
  Jacobian run(std::span<const Integer> scalars, std::span<const Affine> bases, std::size_t first) {
    SecretArray<Block> blocks((scalars.size() + block_points - 1) / block_points);
    for_items(plan_.workers, blocks.size(),
              [&](std::size_t b, std::size_t) { blocks[b] = classify(scalars, b * block_points); });
    std::size_t others = 0;
    for (const Block& block : blocks) {
      if (block.bad != none) {
        throw InvalidArgument("msm: scalar " + std::to_string(first + block.bad) +
                              " is not below the order of the group");
      }
      others += block.others;
    }
    if (others > msm_most_picked(plan_.slice_points)) return buckets(scalars, bases);
    const std::size_t ones = pick(scalars, bases, blocks);
    const Affine sum = sum_ones({a_.points, ones}, bases);
    return sum_of_picked(others) += sum;
  }

  /// The same for scalars [first, first + bases.size()) of a bitmap; `places` and `values` are
  /// those of the slice.
  Jacobian run(std::span<const std::uint64_t> words, std::size_t first,
               std::span<const std::uint32_t> places, std::span<const Integer> values,
               std::span<const Affine> bases) {
    const Affine ones = sum_ones({a_.points, list_bits(words, first, bases.size())}, bases);
    Jacobian sum = Jacobian::infinity();
    const std::size_t most = msm_most_picked(plan_.slice_points);
    for (std::size_t at = 0; at < places.size(); at += most) {
      const std::size_t count = std::min(most, places.size() - at);
      for (std::size_t i = 0; i < count; ++i) {
        scalars_[i] = values[at + i];
        bases_[i] = bases[places[at + i] - first];
      }
      sum += sum_of_picked(count);
    }
    return sum += ones;
  }

 private:
  using Parts = MsmScalarParts<G>;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t block_points = std::size_t{1} << 14;

  /// What stands in one block of a_.points: places of ones from its front, of scalars that are
  /// neither 0 nor 1 from its back.
  struct Block {
    std::size_t ones = 0, others = 0;
    std::size_t bad = none;  ///< the first scalar that is not canonical
  };

  Block classify(std::span<const Integer> scalars, std::size_t first) const noexcept {
    const std::size_t last = std::min(first + block_points, scalars.size());
    Block block;
    std::uint32_t* front = a_.points + first;
    std::uint32_t* back = a_.points + last;
    for (std::size_t i = first; i < last; ++i) {
      const Integer& k = scalars[i];
      std::uint64_t high = k.limb[0] >> 1;
      for (std::size_t j = 1; j < Integer::limb_count; ++j) high |= k.limb[j];
      if (high == 0) {  // zeros and ones in any order: no branch decides between them
        *front = static_cast<std::uint32_t>(i);
        front += k.limb[0];
        continue;
      }
      if (!G::ScalarField::is_canonical(k)) {
        block.bad = i;
        return block;
      }
      *--back = static_cast<std::uint32_t>(i);
    }
    block.ones = static_cast<std::size_t>(front - (a_.points + first));
    block.others = static_cast<std::size_t>(a_.points + last - back);
    return block;
  }

  /// Copies the terms that need buckets and lists the ones at the front of a_.points.
  /// @return how many ones there are
  std::size_t pick(std::span<const Integer> scalars, std::span<const Affine> bases,
                   std::span<const Block> blocks) const noexcept {
    std::size_t picked = 0, ones = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::size_t last = std::min((b + 1) * block_points, scalars.size());
      for (std::size_t i = 0; i < blocks[b].others; ++i) {
        const std::uint32_t place = a_.points[last - 1 - i];
        scalars_[picked] = scalars[place];
        bases_[picked++] = bases[place];
      }
      const std::uint32_t* const from = a_.points + b * block_points;
      std::copy(from, from + blocks[b].ones, a_.points + ones);  // downward, never past a reader
      ones += blocks[b].ones;
    }
    return ones;
  }

  /// The places of the bits [first, first + count), from `first` on, to a_.points.
  std::size_t list_bits(std::span<const std::uint64_t> words, std::size_t first,
                        std::size_t count) const noexcept {
    std::uint32_t* to = a_.points;
    const std::size_t last = first + count;
    for (std::size_t w = first / 64; w * 64 < last; ++w) {
      std::uint64_t bits = words[w];
      if (w * 64 < first) bits &= ~std::uint64_t{0} << (first - w * 64);
      if (last - w * 64 < 64) bits &= ~(~std::uint64_t{0} << (last - w * 64));
      for (; bits != 0; bits &= bits - 1) {
        *to++ = static_cast<std::uint32_t>(
            w * 64 + static_cast<std::size_t>(std::countr_zero(bits)) - first);
      }
    }
    return static_cast<std::size_t>(to - a_.points);
  }

  /// Σ of the bases at `index`; the same coordinates for any number of workers.
  Affine sum_ones(std::span<const std::uint32_t> index, std::span<const Affine> bases) const {
    constexpr std::size_t least = 8192;  // joining the sums of an item takes about 50 µs
    const std::size_t items = std::clamp<std::size_t>(index.size() / least, 1,
                                                      plan_.workers == 1 ? 1 : 4 * plan_.workers);
    SecretArray<Bucket> sums(items);
    for_items(plan_.workers, items, [&](std::size_t i, std::size_t slot) {
      const std::size_t begin = index.size() * i / items, end = index.size() * (i + 1) / items;
      sums[i] = sum_range(
          index.subspan(begin, end - begin), bases,
          Scratch<Engine>(a_.scratch + slot * layout_.scratch_bytes, plan_.chunk_entries));
    });
    Bucket total = Bucket::infinity();
    for (const Bucket& sum : sums) total += sum;
    return total.to_affine();
  }

  /// @cost  5M + 1S a base but the first, an inversion for some thousand of them
  Bucket sum_range(std::span<const std::uint32_t> index, std::span<const Affine> bases,
                   const Scratch<Engine>& scratch) const noexcept {
    constexpr std::size_t width = Sums::width;
    Bucket sum = Bucket::infinity();
    // Few are left side by side at the end: at least four batches.
    const std::size_t most = std::min(plan_.chunk_entries / 2, index.size() / 4) / width * width;
    std::size_t at = 0;
    if (most > 0) {
      Sums sums(scratch, bases);
      sums.fill(most, index.data());
      for (at = most; index.size() - at >= width;) {
        const std::size_t count = std::min(most, (index.size() - at) / width * width);
        sums.add(count, index.data() + at);
        at += count;
      }
      std::size_t left = most;
      while (left > 8) left = sums.halve(left);
      for (std::size_t i = 0; i < left; ++i) sum += sums.at(i);
    }
    for (; at < index.size(); ++at) sum += bases[index[at]];
    return sum;
  }

  Jacobian sum_of_picked(std::size_t count) const {
    if (count == 0) return Jacobian::infinity();
    if (count <= msm_straus_points) return straus<G>({scalars_, count}, {bases_, count});
    return buckets({scalars_, count}, {bases_, count});
  }

  Jacobian buckets(std::span<const Integer> scalars, std::span<const Affine> bases) const {
    const Windows windows = Sorter<G, A>(plan_, a_, scalars, bases).run();
    return Summer<G, A>(plan_, layout_, windows, a_, bases).run();
  }

  const MsmPlan& plan_;
  const MsmLayout& layout_;
  Arrays<G, A> a_;
  Integer* scalars_;
  Affine* bases_;
};

}  // namespace zkgpu::msm_cpu
