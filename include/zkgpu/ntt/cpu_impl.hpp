// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/ntt/cpu/lane_transform_impl.hpp>
#include <zkgpu/ntt/cpu/loops_impl.hpp>
#include <zkgpu/ntt/ntt.hpp>

namespace zkgpu {

namespace ntt_cpu {

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

}  // namespace ntt_cpu

template <NttField F>
NttTwiddles<F>::NttTwiddles(const NttDomain<F>& domain, CpuLevel level) : domain_(domain) {
  const std::size_t size = std::max<std::size_t>(1, domain.size() / 2);
  std::shared_ptr<std::vector<F>> table;
  try {
    table = std::make_shared<std::vector<F>>(size);
  } catch (const std::exception&) {
    throw ResourceExhausted("ntt: no memory for the twiddles of 2^" + std::to_string(domain.log_n) +
                            " elements");
  }
  F* const w = table->data();
  w[0] = F::one();
  // Entry 2^s + j is entry j times root^(n/2^(s+2)).
  F step = domain.root;
  std::vector<F> steps;  // root^(2^i)
  for (unsigned i = 0; i + 1 < domain.log_n; ++i, step = step.square()) steps.push_back(step);
  for (std::size_t octave = 1; octave < size; octave *= 2) {
    const F factor = steps.back();
    steps.pop_back();
    ntt_cpu::for_ranges(octave, ntt_cpu::task_elements, [&](std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) w[octave + j] = w[j] * factor;
    });
  }
  const auto make_lanes = [&]<CpuArch A>(A) {
    if constexpr (ntt_cpu::has_lanes<F, A>) {
      if (level < cpu_level<A> || lanes_ != nullptr) return;
      lanes_ = ntt_cpu::make_lane_tables<F, A>(*table, domain.log_n);
      lanes_level_ = cpu_level<A>;
    }
  };
  make_lanes(arch::avx512ifma{});
  make_lanes(arch::avx2{});
  table_ = std::move(table);
  inverse_size_ = F::one();
  for (unsigned i = 0; i < domain.log_n; ++i) inverse_size_ = inverse_size_.doubled();
  inverse_size_ = inverse_size_.inverse();
}

namespace ntt_cpu {

/// @throws InvalidArgument
template <NttField F>
void check_sizes(const NttPlan& plan, const NttTwiddles<F>& twiddles, const F& shift,
                 std::initializer_list<std::size_t> sizes) {
  if (plan.log_n != twiddles.domain().log_n || plan.log_tile > plan.log_n) {
    throw InvalidArgument("ntt: plan is for 2^" + std::to_string(plan.log_n) +
                          " elements, the domain has 2^" + std::to_string(twiddles.domain().log_n));
  }
  for (const std::size_t size : sizes) {
    if (size == plan.size()) continue;
    throw InvalidArgument("ntt: plan is for " + std::to_string(plan.size()) + " elements, got " +
                          std::to_string(size));
  }
  if (shift.is_zero()) throw InvalidArgument("ntt: the shift of a coset is zero");
}

}  // namespace ntt_cpu

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue(Queue& queue, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                             const NttTransform<F>& transform, std::span<F> values) {
  ntt_cpu::check_sizes(plan, twiddles, transform.shift, {values.size()});
  enqueue_batch(queue, plan, twiddles, transform, values);
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_batch(Queue&, const NttPlan& plan, const NttTwiddles<F>& twiddles,
                                   const NttTransform<F>& transform, std::span<F> values) {
  const std::size_t n = plan.size();
  ntt_cpu::check_sizes(plan, twiddles, transform.shift, {n + values.size() % n});
  const auto each = [&](const auto& body) {
    ntt_cpu::for_ranges(values.size() / n, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) body(values.data() + i * n);
    });
  };
  if constexpr (ntt_cpu::has_lanes<F, A>) {
    if (twiddles.lanes(cpu_level<A>) != nullptr) {
      const ntt_cpu::LaneJob<F, A> job(plan, twiddles, transform);
      each([&](F* x) { job.run(x); });
      return;
    }
  }
  each([&](F* x) {
    transform.direction == NttDirection::forward
        ? ntt_cpu::transform<F, NttDirection::forward>(plan, twiddles, transform.order,
                                                       transform.shift, x)
        : ntt_cpu::transform<F, NttDirection::inverse>(plan, twiddles, transform.order,
                                                       transform.shift, x);
  });
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_to_coset(Queue& queue, const NttPlan& plan,
                                      const NttTwiddles<F>& twiddles, const F& shift,
                                      std::span<const F> left, std::span<const F> right,
                                      std::span<F> to) {
  ntt_cpu::check_sizes(plan, twiddles, shift,
                       {left.size(), right.empty() ? to.size() : right.size(), to.size()});
  if constexpr (ntt_cpu::has_lanes<F, A>) {
    if (twiddles.lanes(cpu_level<A>) != nullptr) {
      ntt_cpu::to_coset_in_lanes<F, A>(
          plan, twiddles, shift, {to.data(), left.data(), right.empty() ? nullptr : right.data()});
      return;
    }
  }
  ntt_cpu::multiply(left, right, to);
  enqueue(queue, plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, F::one()},
          to);
  enqueue(queue, plan, twiddles, {NttDirection::forward, NttOrder::reversed_to_natural, shift}, to);
}

template <NttField F, CpuArch A>
void Ntt<F, Cpu<A>>::enqueue_interpolate_product(Queue& queue, const NttPlan& plan,
                                                 const NttTwiddles<F>& twiddles, const F& shift,
                                                 const F& constant, std::span<const F> left,
                                                 std::span<const F> right, std::span<F> to) {
  ntt_cpu::check_sizes(plan, twiddles, shift, {left.size(), right.size(), to.size()});
  if constexpr (ntt_cpu::has_lanes<F, A>) {
    if (twiddles.lanes(cpu_level<A>) != nullptr) {
      ntt_cpu::interpolate_product_in_lanes<F, A>(plan, twiddles, shift, constant,
                                                  {to.data(), left.data(), right.data()});
      return;
    }
  }
  ntt_cpu::multiply(left, right, to);
  enqueue(queue, plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, shift}, to);
  ntt_cpu::for_ranges(to.size(), ntt_cpu::task_elements, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] *= constant;
  });
}

}  // namespace zkgpu
