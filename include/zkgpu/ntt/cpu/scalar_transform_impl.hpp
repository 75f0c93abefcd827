// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/ntt/cpu/loops_impl.hpp>
#include <zkgpu/ntt/ntt.hpp>

/// Transforms one element at a time, on every architecture.
namespace zkgpu::ntt_cpu {

/// The levels of one transform over one table of twiddles. Blocks are named by their size and by
/// their number k among those of that size.
template <NttField F, NttDirection direction>
class Levels {
 public:
  explicit Levels(std::span<const F> table) noexcept : table_(table.data()) {}

  /// All levels of block k: natural order in, bit-reversed order out.
  void descend(F* x, unsigned log_size, std::size_t k) const noexcept {
    if (log_size <= log_base) {
      std::size_t blocks = 1;
      for (; log_size >= 2; log_size -= 2, blocks *= 4) {
        for (std::size_t b = 0; b < blocks; ++b) quads_down(x, b, log_size, k * blocks + b);
      }
      if (log_size == 1) {
        for (std::size_t b = 0; b < blocks; ++b) {
          butterfly(x[2 * b], x[2 * b + 1], twiddle(k * blocks + b));
        }
      }
      return;
    }
    quads_down(x, 0, log_size, k);
    const std::size_t quarter = std::size_t{1} << (log_size - 2);
    for (std::size_t j = 0; j < 4; ++j) descend(x + j * quarter, log_size - 2, 4 * k + j);
  }

  /// All levels of block k: bit-reversed order in, natural order out.
  void ascend(F* x, unsigned log_size, std::size_t k) const noexcept {
    if (log_size <= log_base) {
      std::size_t blocks = std::size_t{1} << log_size;
      unsigned log_block = 0;
      if (log_size % 2 == 1) {
        blocks /= 2;
        log_block = 1;
        for (std::size_t b = 0; b < blocks; ++b) {
          butterfly_up(x[2 * b], x[2 * b + 1], twiddle(k * blocks + b));
        }
      }
      while (log_block < log_size) {
        blocks /= 4;
        log_block += 2;
        for (std::size_t b = 0; b < blocks; ++b) quads_up(x, b, log_block, k * blocks + b);
      }
      return;
    }
    const std::size_t quarter = std::size_t{1} << (log_size - 2);
    for (std::size_t j = 0; j < 4; ++j) ascend(x + j * quarter, log_size - 2, 4 * k + j);
    quads_up(x, 0, log_size, k);
  }

  /// Columns [first, last) of two levels of block k, the b-th of that size in x.
  void quads_down(F* x, std::size_t b, unsigned log_size, std::size_t k, std::size_t first,
                  std::size_t last) const noexcept {
    const std::size_t q = std::size_t{1} << (log_size - 2);
    F* const a = x + (b << log_size);
    if (k == 0) {
      const F right = twiddle(1);
      for (std::size_t i = first; i < last; ++i) {
        quad_butterfly_first(a[i], a[i + q], a[i + 2 * q], a[i + 3 * q], right);
      }
      return;
    }
    const QuadTwiddles<F> w = twiddles(k);
    for (std::size_t i = first; i < last; ++i) {
      quad_butterfly(a[i], a[i + q], a[i + 2 * q], a[i + 3 * q], w);
    }
  }
  void quads_up(F* x, std::size_t b, unsigned log_size, std::size_t k, std::size_t first,
                std::size_t last) const noexcept {
    const std::size_t q = std::size_t{1} << (log_size - 2);
    F* const a = x + (b << log_size);
    if (k == 0) {
      const F right = twiddle(1);
      for (std::size_t i = first; i < last; ++i) {
        quad_butterfly_up_first(a[i], a[i + q], a[i + 2 * q], a[i + 3 * q], right);
      }
      return;
    }
    const QuadTwiddles<F> w = twiddles(k);
    for (std::size_t i = first; i < last; ++i) {
      quad_butterfly_up(a[i], a[i + q], a[i + 2 * q], a[i + 3 * q], w);
    }
  }

  /// Columns [first, last) of one level of block k.
  void pairs(bool down, F* x, unsigned log_size, std::size_t k, std::size_t first,
             std::size_t last) const noexcept {
    const std::size_t half = std::size_t{1} << (log_size - 1);
    F* const a = x + (k << log_size);
    const F w = twiddle(k);
    for (std::size_t i = first; i < last; ++i) {
      down ? butterfly(a[i], a[i + half], w) : butterfly_up(a[i], a[i + half], w);
    }
  }

 private:
  static constexpr unsigned log_base = 10;  // 32 KiB of 32-byte elements: the first-level cache

  void quads_down(F* x, std::size_t b, unsigned log_size, std::size_t k) const noexcept {
    quads_down(x, b, log_size, k, 0, std::size_t{1} << (log_size - 2));
  }
  void quads_up(F* x, std::size_t b, unsigned log_size, std::size_t k) const noexcept {
    quads_up(x, b, log_size, k, 0, std::size_t{1} << (log_size - 2));
  }
  F twiddle(std::size_t k) const noexcept {
    if constexpr (direction == NttDirection::forward) return table_[k];
    if (k == 0) return table_[0];
    return -table_[3 * std::bit_floor(k) - 1 - k];  // mirrored_twiddle(k), by one instruction
  }
  QuadTwiddles<F> twiddles(std::size_t k) const noexcept {
    return {twiddle(k), twiddle(2 * k), twiddle(2 * k + 1)};
  }
  const F* table_;
};

/// Multiplies element i, standing in natural or in reversed place, by constant·baseⁱ.
template <NttField F>
class Scaling {
 public:
  Scaling(const NttPlan& plan, bool reversed, const F& base, const F& constant) noexcept
      : log_n_(plan.log_n),
        log_low_(std::min(plan.log_tile, log_table)),
        reversed_(reversed),
        base_(base),
        constant_(constant) {
    // Place j = (high, low): the powers of the low part stand in a table, the rest is one factor.
    const unsigned log_n = log_n_;
    const F step = reversed ? raise(base, log_n - log_low_) : base;
    F power = F::one();
    for (std::size_t i = 0; i < std::size_t{1} << log_low_; ++i) {
      low_[reversed ? reverse_bits(i, log_low_) : i] = power;
      power *= step;
    }
  }
  /// Places that share a factor; `apply` takes multiples of it.
  [[nodiscard]] std::size_t unit() const noexcept { return std::size_t{1} << log_low_; }
  [[nodiscard]] bool is_identity() const noexcept { return base_ == F::one() && is_plain(); }

  /// Places [first, last), both multiples of unit().
  void apply(F* x, std::size_t first, std::size_t last) const noexcept {
    if (is_identity()) return;
    if (base_ == F::one()) {
      for (std::size_t j = first; j < last; ++j) x[j] *= constant_;
      return;
    }
    const std::size_t low_size = unit();
    for (std::size_t j = first; j < last; j += low_size) {
      const std::size_t high = j >> log_low_;
      const std::size_t exponent = reversed_ ? reverse_bits(high, log_n_ - log_low_) : j;
      const F factor = constant_ * base_.pow(Limbs<1>::from_uint64(exponent));
      for (std::size_t i = 0; i < low_size; ++i) x[j + i] *= low_[i] * factor;
    }
  }

 private:
  static constexpr unsigned log_table = 8;

  bool is_plain() const noexcept { return constant_ == F::one(); }
  static F raise(F x, unsigned log_exponent) noexcept {
    for (unsigned i = 0; i < log_exponent; ++i) x = x.square();
    return x;
  }

  unsigned log_n_;
  unsigned log_low_;
  bool reversed_;
  F base_, constant_;
  std::array<F, std::size_t{1} << log_table> low_;
};

/// The levels above the tiles, two at a time, all threads on each.
template <class L, NttField F>
void pass_above_tiles(const L& levels, const NttPlan& plan, F* x, unsigned log_size, bool quads,
                      bool down) {
  const unsigned log_columns = log_size - (quads ? 2 : 1);
  const std::size_t columns = std::size_t{1} << log_columns;
  const std::size_t all = plan.size() >> (quads ? 2 : 1);
  for_ranges(all, plan.task_pairs, [&](std::size_t first, std::size_t last) {
    while (first < last) {
      const std::size_t k = first >> log_columns;
      const std::size_t i = first & (columns - 1);
      const std::size_t end = std::min(columns, i + (last - first));
      if (!quads) levels.pairs(down, x, log_size, k, i, end);
      if (quads && down) levels.quads_down(x, k, log_size, k, i, end);
      if (quads && !down) levels.quads_up(x, k, log_size, k, i, end);
      first += end - i;
    }
  });
}

template <NttField F, NttDirection direction>
void transform(const NttPlan& plan, const NttTwiddles<F>& twiddles, NttOrder order, const F& shift,
               F* x) {
  const Levels<F, direction> levels(twiddles.table());
  constexpr bool inverse = direction == NttDirection::inverse;
  const bool down = order != NttOrder::reversed_to_natural;
  // Forward: shiftⁱ on the input. Inverse: shift^-i/n on the output. Reversed sides are scaled tile
  // by tile, while the tile is in the cache.
  const bool scaled_reversed = down == inverse;
  const Scaling<F> scaling(plan, scaled_reversed, inverse ? shift.inverse() : shift,
                           inverse ? twiddles.inverse_size() : F::one());
  const auto scale_all = [&] {
    for_ranges(plan.size(), task_elements, [&](std::size_t first, std::size_t last) {
      const std::size_t unit = scaling.unit();  // ranges end anywhere: round both ends up
      scaling.apply(x, (first + unit - 1) / unit * unit, (last + unit - 1) / unit * unit);
    });
  };
  const auto each_tile = [&](const auto& body) {
    for_ranges(plan.tiles(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) body(t);
    });
  };
  const unsigned above = plan.log_n - plan.log_tile;
  const std::size_t tile = std::size_t{1} << plan.log_tile;
  if (down) {
    if (!inverse && !scaling.is_identity()) scale_all();
    unsigned log_size = plan.log_n;
    if (above % 2 == 1) pass_above_tiles(levels, plan, x, log_size--, false, true);
    for (; log_size > plan.log_tile; log_size -= 2) {
      pass_above_tiles(levels, plan, x, log_size, true, true);
    }
    each_tile([&](std::size_t t) {
      levels.descend(x + t * tile, plan.log_tile, t);
      if (inverse) scaling.apply(x, t * tile, (t + 1) * tile);
    });
    if (order == NttOrder::natural_to_natural) bit_reverse(x, plan.log_n);
    return;
  }
  each_tile([&](std::size_t t) {
    if (!inverse) scaling.apply(x, t * tile, (t + 1) * tile);
    levels.ascend(x + t * tile, plan.log_tile, t);
  });
  unsigned log_size = plan.log_tile;
  while (log_size + 2 <= plan.log_n) {
    log_size += 2;
    pass_above_tiles(levels, plan, x, log_size, true, false);
  }
  if (log_size < plan.log_n) pass_above_tiles(levels, plan, x, plan.log_n, false, false);
  if (inverse) scale_all();
}

}  // namespace zkgpu::ntt_cpu
