// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>

namespace zkgpu::ntt_cpu {

/// Asks for `lines` cache lines from the address `bytes` after `base` on; no array need be there.
template <std::size_t lines>
[[gnu::always_inline]] inline void prefetch_lines(const void* base, std::uintptr_t bytes) noexcept {
  ZKGPU_UNROLL for (std::size_t line = 0; line < lines; ++line) {
    __builtin_prefetch(
        reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) + bytes + 64 * line));
  }
}

/// One direction of the transform over the groups of a buffer: eight neighbours a group,
/// limb-major, 40 words. Sizes of blocks are in groups.
///
/// Bounds, in units of r and but for 2^-39 of it. Down: what is loaded is in [0, 2] and lifted by
/// 16; every level adds [-1, 1], the first two of a transform [-4, 6] at most; so after 13 levels a
/// value is in [1, 35], below 2^260. Up: values between levels are in [-4, 4], since sums are
/// reduced wherever they pass that; a difference is in [-16, 16] and is lifted by 17.
template <NttField F, CpuArch A, bool inverse>
struct LaneLevels {
  using M = LaneArithmetic<F, A>;
  using Group = typename M::Group;
  using BroadcastFactor = typename M::BroadcastFactor;
  using MontgomeryFactor = typename M::MontgomeryFactor;
  static constexpr std::size_t group_words = lane_digits * lane_width;
  static constexpr std::size_t parts = M::parts;
  /// The group p of those that make eight lanes stands so many words behind the first.
  static constexpr std::size_t part_words = M::group_lanes;
  /// Eight columns of a square.
  using Square = Group[lane_width][parts];
  static constexpr unsigned log_base = 6;  // 20 KiB: the first-level cache
  static constexpr unsigned lift_down = 16;
  static constexpr unsigned lift_up = 17;
  // The bounds above: at least 1 (what is below 0 by 2^-39 too is then in range), at most 35.
  static_assert(lift_down >= 4 + (max_lane_levels - 2) + 1);
  static_assert(lift_down + 2 + 6 + (max_lane_levels - 2) <= 35);
  static_assert(lift_up >= 16 + 1 && lift_up + 16 <= 35);

  const LaneTwiddles& twiddles;

  /// Where the factor of block k stands. Factors of the inverse transform stand at the mirrored
  /// places, and their signs are opposite.
  [[gnu::always_inline]] static std::size_t mirrored(std::size_t k, std::size_t zero) noexcept {
    if constexpr (!inverse) return k;
    if (k == 0) return zero;
    const std::size_t top = std::size_t{1} << (63 - __builtin_clzll(k));
    return 3 * top - 1 - k;
  }
  [[gnu::always_inline]] BroadcastFactor factor(std::size_t k) const noexcept {
    return {twiddles.blocks + lane_factor_words * mirrored(k, twiddles.block_count)};
  }

  template <class Factor>
  [[gnu::always_inline]] static void pair_down(Group& lo, Group& hi, const Factor& w) noexcept {
    const Group t = M::product(M::carried(hi), w);
    hi = inverse ? M::sum(lo, t) : M::difference(lo, t);
    lo = inverse ? M::difference(lo, t) : M::sum(lo, t);
  }
  template <class Factor>
  [[gnu::always_inline]] static void pair_up(Group& lo, Group& hi, const Factor& w) noexcept {
    Group u = inverse ? M::difference(hi, lo) : M::difference(lo, hi);
    M::template lift<lift_up>(u);
    lo = M::sum(lo, hi);
    hi = M::product(M::carried(u), w);
  }
  /// Back to [0, 1] from [-17, 17].
  [[gnu::always_inline]] static void settle(Group& a) noexcept {
    M::template lift<lift_up>(a);
    a = M::reduced(a);
  }

  // ---- levels between groups ----

  /// body(address) for every group of the `words` from x on.
  template <class Body>
  [[gnu::always_inline]] static void each_group(std::uint64_t* x, std::size_t words,
                                                const Body& body) noexcept {
    for (std::uint64_t* const end = x + words; x != end; x += group_words) {
      for (std::size_t p = 0; p < parts; ++p) body(x + part_words * p);
    }
  }

  void pairs_down(std::uint64_t* x, unsigned log_groups, std::size_t k) const noexcept {
    const std::size_t half = group_words << (log_groups - 1);
    const BroadcastFactor w = factor(k);
    each_group(
        x, half, [&](std::uint64_t * at) __attribute__((always_inline)) {
          Group lo = M::read(at), hi = M::read(at + half);
          pair_down(lo, hi, w);
          M::write(lo, at);
          M::write(hi, at + half);
        });
  }
  void pairs_up(std::uint64_t* x, unsigned log_groups, std::size_t k) const noexcept {
    const std::size_t half = group_words << (log_groups - 1);
    const BroadcastFactor w = factor(k);
    each_group(
        x, half, [&](std::uint64_t * at) __attribute__((always_inline)) {
          Group lo = M::read(at), hi = M::read(at + half);
          pair_up(lo, hi, w);
          settle(lo);
          M::write(lo, at);
          M::write(hi, at + half);
        });
  }
  void quads_down(std::uint64_t* x, unsigned log_groups, std::size_t k) const noexcept {
    const std::size_t q = group_words << (log_groups - 2);
    const BroadcastFactor whole = factor(k), left = factor(2 * k), right = factor(2 * k + 1);
    each_group(
        x, q, [&](std::uint64_t * at) __attribute__((always_inline)) {
          Group a = M::read(at), b = M::read(at + q), c = M::read(at + 2 * q),
                d = M::read(at + 3 * q);
          pair_down(a, c, whole);
          pair_down(b, d, whole);
          pair_down(a, b, left);
          pair_down(c, d, right);
          M::write(a, at);
          M::write(b, at + q);
          M::write(c, at + 2 * q);
          M::write(d, at + 3 * q);
        });
  }
  void quads_up(std::uint64_t* x, unsigned log_groups, std::size_t k) const noexcept {
    const std::size_t q = group_words << (log_groups - 2);
    const BroadcastFactor whole = factor(k), left = factor(2 * k), right = factor(2 * k + 1);
    each_group(
        x, q, [&](std::uint64_t * at) __attribute__((always_inline)) {
          Group a = M::read(at), b = M::read(at + q), c = M::read(at + 2 * q),
                d = M::read(at + 3 * q);
          pair_up(a, b, left);
          pair_up(c, d, right);
          pair_up(a, c, whole);
          pair_up(b, d, whole);
          settle(a);
          M::write(a, at);
          M::write(b, at + q);
          M::write(c, at + 2 * q);
          M::write(d, at + 3 * q);
        });
  }

  /// The first two levels of a whole transform, where two of three factors are one.
  void first_quads_down(std::uint64_t* x, unsigned log_groups) const noexcept {
    const std::size_t q = group_words << (log_groups - 2);
    const BroadcastFactor right = factor(1);
    each_group(
        x, q, [&](std::uint64_t * at) __attribute__((always_inline)) {
          Group a = M::read(at), b = M::read(at + q), c = M::read(at + 2 * q),
                d = M::read(at + 3 * q);
          const Group s0 = M::sum(a, c), s1 = M::sum(b, d);
          Group d0 = M::difference(a, c), d1 = M::difference(b, d);  // [-2, 2]
          M::template lift<lift_down>(d0);
          M::template lift<3>(d1);
          const Group t = M::product(M::carried(d1), right);
          a = M::sum(s0, s1);
          M::template lower<3 * lift_down>(a);  // four lifts in, one out
          b = M::difference(s0, s1);
          M::template lift<lift_down>(b);
          M::write(a, at);
          M::write(b, at + q);
          M::write(inverse ? M::difference(d0, t) : M::sum(d0, t), at + 2 * q);
          M::write(inverse ? M::sum(d0, t) : M::difference(d0, t), at + 3 * q);
        });
  }
  /// The last two levels up; the sums are left as they are, in [-16, 16].
  void last_quads_up(std::uint64_t* x, unsigned log_groups) const noexcept {
    const std::size_t q = group_words << (log_groups - 2);
    const BroadcastFactor right = factor(1);
    each_group(
        x, q, [&](std::uint64_t * at) __attribute__((always_inline)) {
          const Group a = M::read(at), b = M::read(at + q), c = M::read(at + 2 * q),
                      d = M::read(at + 3 * q);
          const Group s0 = M::sum(a, b), d0 = M::difference(a, b), s1 = M::sum(c, d);
          Group u = inverse ? M::difference(d, c) : M::difference(c, d);
          M::template lift<lift_up>(u);
          const Group d1 = M::product(M::carried(u), right);
          M::write(M::sum(s0, s1), at);
          M::write(M::sum(d0, d1), at + q);
          M::write(M::difference(s0, s1), at + 2 * q);
          M::write(M::difference(d0, d1), at + 3 * q);
        });
  }

  /// `levels` levels of block k, depth first; finish(x, log_groups, k) for what stays in the
  /// first-level cache, when its levels are done.
  template <class Finish>
  void descend(std::uint64_t* x, unsigned log_groups, std::size_t k, unsigned levels, bool first,
               const Finish& finish) const noexcept {
    if (log_groups <= log_base || levels < 2) {
      std::size_t blocks = 1;
      unsigned log_block = log_groups;
      for (unsigned left = levels; left != 0;) {
        const unsigned step = left >= 2 ? 2 : 1;
        for (std::size_t b = 0; b < blocks; ++b) {
          std::uint64_t* const at = x + (b * group_words << log_block);
          const std::size_t number = k * blocks + b;
          if (step == 2 && first) {
            first_quads_down(at, log_block);
          } else if (step == 2) {
            quads_down(at, log_block, number);
          } else {
            pairs_down(at, log_block, number);
          }
        }
        first = false;
        left -= step;
        log_block -= step;
        blocks <<= step;
      }
      finish(x, log_groups, k);
      return;
    }
    if (first) {
      first_quads_down(x, log_groups);
    } else {
      quads_down(x, log_groups, k);
    }
    const std::size_t quarter = group_words << (log_groups - 2);
    for (std::size_t j = 0; j < 4; ++j) {
      descend(x + j * quarter, log_groups - 2, 4 * k + j, levels - 2, false, finish);
    }
  }
  /// The way back: begin(x, log_groups, k) before the levels of what stays in the cache.
  template <class Begin>
  void ascend(std::uint64_t* x, unsigned log_groups, std::size_t k, unsigned levels, bool last,
              const Begin& begin) const noexcept {
    if (log_groups <= log_base || levels < 2) {
      begin(x, log_groups, k);
      unsigned log_block = log_groups - levels;
      while (log_block < log_groups) {
        const unsigned step = (log_groups - log_block) % 2 == 1 ? 1 : 2;
        log_block += step;
        const std::size_t blocks = std::size_t{1} << (log_groups - log_block);
        for (std::size_t b = 0; b < blocks; ++b) {
          std::uint64_t* const at = x + (b * group_words << log_block);
          const std::size_t number = k * blocks + b;
          if (step == 1) {
            pairs_up(at, log_block, number);
          } else if (last && log_block == log_groups) {
            last_quads_up(at, log_block);
          } else {
            quads_up(at, log_block, number);
          }
        }
      }
      return;
    }
    const std::size_t quarter = group_words << (log_groups - 2);
    for (std::size_t j = 0; j < 4; ++j) {
      ascend(x + j * quarter, log_groups - 2, 4 * k + j, levels - 2, false, begin);
    }
    if (last) {
      last_quads_up(x, log_groups);
    } else {
      quads_up(x, log_groups, k);
    }
  }

  // ---- the last three levels ----

  /// The factor number i of square m, i in 0..6, of the lanes of part p: of the whole runs, of
  /// their halves, their quarters.
  [[gnu::always_inline]] MontgomeryFactor square_factor(std::size_t m, std::size_t i,
                                                        std::size_t p) const noexcept {
    constexpr std::size_t mirror[lane_square_factors] = {0, 2, 1, 6, 5, 4, 3};
    return {twiddles.squares + lane_square_words * mirrored(m, twiddles.square_count) +
            lane_digits * lane_width * (inverse ? mirror[i] : i) + part_words * p};
  }
  /// Asks for factor number i of the square after m: a square's come in one burst, which the
  /// processor's own prefetching does not foresee.
  [[gnu::always_inline]] void fetch_next_square(std::size_t m, std::size_t i) const noexcept {
    const std::size_t next = mirrored(m + 1, twiddles.square_count);
    prefetch_lines<lane_digits>(twiddles.squares,
                                64 * (lane_square_words / 8 * next + lane_digits * i));
  }
  [[gnu::always_inline]] void square_pair_down(Square& v, std::size_t lo, std::size_t hi,
                                               std::size_t m, std::size_t i) const noexcept {
    for (std::size_t p = 0; p < parts; ++p) pair_down(v[lo][p], v[hi][p], square_factor(m, i, p));
  }
  [[gnu::always_inline]] void square_pair_up(Square& v, std::size_t lo, std::size_t hi,
                                             std::size_t m, std::size_t i) const noexcept {
    for (std::size_t p = 0; p < parts; ++p) pair_up(v[lo][p], v[hi][p], square_factor(m, i, p));
  }
  /// Eight groups of square m to its eight columns, three levels further. Lane l is run l, of the
  /// inverse transform run 7 - l: its factors are mirrored.
  [[gnu::noinline]] void square_down(const std::uint64_t* x, std::size_t m,
                                     Square& v) const noexcept {
    for (std::size_t j = 0; j < lane_width; ++j) {
      const std::uint64_t* const at = x + group_words * (inverse ? lane_width - 1 - j : j);
      for (std::size_t p = 0; p < parts; ++p) v[j][p] = M::read(at + part_words * p);
    }
    M::transpose(v);
    for (std::size_t j = 0; j < 4; ++j) {
      fetch_next_square(m, j);
      square_pair_down(v, j, j + 4, m, 0);
    }
    for (std::size_t j = 0; j < 4; ++j) {  // columns 0 and 2, 1 and 3, 4 and 6, 5 and 7
      const std::size_t lo = j + (j & 2);
      if (j < 3) fetch_next_square(m, 4 + j);
      square_pair_down(v, lo, lo + 2, m, 1 + j / 2);
    }
    for (std::size_t j = 0; j < 4; ++j) square_pair_down(v, 2 * j, 2 * j + 1, m, 3 + j);
  }
  [[gnu::noinline]] void square_up(std::uint64_t* x, std::size_t m, Square& v) const noexcept {
    for (std::size_t j = 0; j < 4; ++j) {
      fetch_next_square(m, 3 + j);
      square_pair_up(v, 2 * j, 2 * j + 1, m, 3 + j);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t lo = j + (j & 2);
      if (j < 3) fetch_next_square(m, j);
      square_pair_up(v, lo, lo + 2, m, 1 + j / 2);
    }
    for (std::size_t j = 0; j < 4; ++j) square_pair_up(v, j, j + 4, m, 0);
    // v[0] is in [-8, 8], v[1] in [-4, 4], the others in [-2, 2].
    for (std::size_t p = 0; p < parts; ++p) settle(v[0][p]);
    M::transpose(v);
    for (std::size_t j = 0; j < lane_width; ++j) {
      std::uint64_t* const at = x + group_words * (inverse ? lane_width - 1 - j : j);
      for (std::size_t p = 0; p < parts; ++p) M::write(v[j][p], at + part_words * p);
    }
  }
};

}  // namespace zkgpu::ntt_cpu
