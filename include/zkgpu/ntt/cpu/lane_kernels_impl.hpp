// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/field/lanes/radix52.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>
#include <zkgpu/ntt/cpu/lane_levels_impl.hpp>

namespace zkgpu::ntt_cpu {

/// Tiles: loads, levels, stores.
template <NttField F, CpuArch A, bool inverse>
struct LaneTiles {
  using Levels = LaneLevels<F, A, inverse>;
  using M = LaneArithmetic<F, A>;
  using Group = typename M::Group;
  using BroadcastFactor = typename M::BroadcastFactor;
  using LaneFactor = typename M::LaneFactor;
  using Square = typename Levels::Square;
  static constexpr std::size_t group_words = Levels::group_words;
  static constexpr std::size_t parts = Levels::parts;
  static constexpr std::size_t part_words = Levels::part_words;
  static constexpr std::ptrdiff_t element_words = 4;
  /// From the elements of one part to those of the next, where lanes are neighbours.
  static constexpr auto part_elements = element_words * static_cast<std::ptrdiff_t>(M::group_lanes);
  static constexpr std::size_t log_square_groups = log_lane_square - log_lane_width;

  const LaneTile& tile;
  Levels levels;
  const LaneScale& before;
  const LaneScale& after;
  std::uint64_t* buffer;

  /// x times its factor, in [0, 2]; x in [0, 2^260) with digits carried.
  ///
  /// @param group  number of the eight lanes among those of `low`, from `place` on
  /// @param part   which of their parts x is
  [[gnu::always_inline]] static Group scaled(const LaneScale& scale, const Group& x,
                                             std::size_t place, std::size_t group,
                                             std::size_t part) noexcept {
    Group r = x;
    const std::uint64_t* high = scale.high;
    if (scale.low != nullptr) {
      const std::size_t mask = (std::size_t{1} << scale.log_low) - 1;
      const std::size_t at = (place & mask) / lane_width + group;
      r = M::product(
          r, LaneFactor{scale.low + lane_factor_words * lane_width * at + part_words * part});
      M::template lift<1>(r);
      r = M::carried(r);
      high += lane_factor_words * (place >> scale.log_low);
    }
    r = M::product(r, BroadcastFactor{high});
    M::template lift<1>(r);
    return r;
  }

  /// Where group i, counted along the rows, stands, in words.
  [[gnu::always_inline]] std::ptrdiff_t group_words_at(std::size_t i) const noexcept {
    const unsigned log_row = tile.log_columns - log_lane_width;  // groups of a row
    const std::size_t row = i >> log_row;
    const std::size_t column = (i - (row << log_row)) * lane_width;
    return element_words * static_cast<std::ptrdiff_t>(row * tile.stride + column);
  }
  /// Asks for the words of the group that is `ahead` groups further on: rows are pages apart.
  [[gnu::always_inline]] void fetch_ahead(const std::uint64_t* first,
                                          std::size_t i) const noexcept {
    constexpr std::size_t ahead = 16;  // 4 KiB, 100 ns; 8 to 32 groups: +-1 %
    prefetch_lines<4>(
        first, static_cast<std::uintptr_t>(group_words_at(i + ahead)) * sizeof(std::uint64_t));
  }

  /// The rows to the buffer, in [0, 2].
  template <unsigned lift>
  void load_rows() const noexcept {
    std::uint64_t* to = buffer;
    const std::size_t groups = std::size_t{1} << (tile.log_rows + tile.log_columns - 3);
    for (std::size_t i = 0; i < groups; ++i) {
      const std::ptrdiff_t at = group_words_at(i);
      fetch_ahead(tile.left, i);
      if (tile.right != nullptr) fetch_ahead(tile.right, i);
      for (std::size_t p = 0; p < parts; ++p) {
        const std::ptrdiff_t first = at + static_cast<std::ptrdiff_t>(p) * part_elements;
        Group x = M::from_words(M::load(tile.left + first, element_words));
        if (tile.right != nullptr) {
          x = M::product(x, M::from_words(M::load(tile.right + first, element_words)));
        }
        if (before.high != nullptr) x = scaled(before, x, place_of(at), 0, p);
        if constexpr (lift != 0) M::template lift<lift>(x);
        M::write(x, to + part_words * p);
      }
      to += group_words;
    }
  }
  /// The buffer to the rows: from [-17, 17] if `settle`, else from [0, 35].
  template <bool settle, bool canonical>
  void store_rows(bool scale) const noexcept {
    const std::uint64_t* from = buffer;
    const std::size_t groups = std::size_t{1} << (tile.log_rows + tile.log_columns - 3);
    for (std::size_t i = 0; i < groups; ++i) {
      const std::ptrdiff_t at = group_words_at(i);
      fetch_ahead(tile.values, i);
      for (std::size_t p = 0; p < parts; ++p) {
        Group x = M::read(from + part_words * p);
        if constexpr (settle) M::template lift<Levels::lift_up>(x);
        if (canonical && scale) x = scaled(after, M::carried(x), place_of(at), 0, p);
        x = M::reduced(x);
        if constexpr (canonical) x = M::canonical(x);
        M::store(M::to_words(x), tile.values + at + static_cast<std::ptrdiff_t>(p) * part_elements,
                 element_words);
      }
      from += group_words;
    }
  }

  void rows_down() const noexcept {
    load_rows<Levels::lift_down>();
    const unsigned log_groups = tile.log_rows + tile.log_columns - log_lane_width;
    levels.descend(buffer, log_groups, tile.block, tile.log_rows, tile.block == 0,
                   [](std::uint64_t*, unsigned, std::size_t) {});
    store_rows<false, false>(false);
  }
  /// @param last  these rows are whole
  void rows_up(bool last) const noexcept {
    load_rows<0>();
    const unsigned log_groups = tile.log_rows + tile.log_columns - log_lane_width;
    levels.ascend(buffer, log_groups, tile.block, tile.log_rows, tile.block == 0 && last,
                  [](std::uint64_t*, unsigned, std::size_t) {});
    last ? store_rows<true, true>(after.high != nullptr) : store_rows<true, false>(false);
  }
  void tile_down() const noexcept {
    load_rows<Levels::lift_down>();
    const unsigned log_groups = tile.log_columns - log_lane_width;
    levels.descend(buffer, log_groups, tile.block, log_groups, tile.block == 0,
                   [this](std::uint64_t* x, unsigned log_size, std::size_t k) {
                     for (std::size_t s = 0; s < std::size_t{1} << (log_size - log_square_groups);
                          ++s, x += group_words << log_square_groups) {
                       store_square(x, (k << (log_size - log_square_groups)) + s);
                     }
                   });
  }
  void tile_up(bool last) const noexcept {
    const unsigned log_groups = tile.log_columns - log_lane_width;
    levels.ascend(buffer, log_groups, tile.block, log_groups, tile.block == 0 && last,
                  [this](std::uint64_t* x, unsigned log_size, std::size_t k) {
                    for (std::size_t s = 0; s < std::size_t{1} << (log_size - log_square_groups);
                         ++s, x += group_words << log_square_groups) {
                      load_square(x, (k << (log_size - log_square_groups)) + s);
                    }
                  });
    last ? store_rows<true, true>(after.high != nullptr) : store_rows<true, false>(false);
  }
  /// An inverse transform down, `after`, and a forward transform up.
  void tile_through(bool last) const noexcept {
    static_assert(inverse);
    const LaneLevels<F, A, false> forward{levels.twiddles};
    load_rows<Levels::lift_down>();
    const unsigned log_groups = tile.log_columns - log_lane_width;
    levels.descend(buffer, log_groups, tile.block, log_groups, tile.block == 0,
                   [&](std::uint64_t* x, unsigned log_size, std::size_t k) {
                     for (std::size_t s = 0; s < std::size_t{1} << (log_size - log_square_groups);
                          ++s, x += group_words << log_square_groups) {
                       turn_square(forward, x, (k << (log_size - log_square_groups)) + s);
                     }
                   });
    forward.ascend(buffer, log_groups, tile.block, log_groups, tile.block == 0 && last,
                   [](std::uint64_t*, unsigned, std::size_t) {});
    last ? store_rows<true, true>(false) : store_rows<true, false>(false);
  }

 private:
  std::size_t place_of(std::ptrdiff_t words) const noexcept {
    return tile.place + static_cast<std::size_t>(words / element_words);
  }
  /// The elements of square x; lane l of its columns are at the address plus l·step.
  static constexpr std::ptrdiff_t step =
      (inverse ? -1 : 1) * element_words * static_cast<std::ptrdiff_t>(lane_width);
  /// From lane 0 to the first lane of part p.
  static constexpr std::ptrdiff_t first_run(std::size_t p) noexcept {
    return step * static_cast<std::ptrdiff_t>(M::group_lanes * p);
  }
  std::uint64_t* square_words(const std::uint64_t* x, std::size_t column) const noexcept {
    const std::size_t element = static_cast<std::size_t>(x - buffer) / group_words * lane_width;
    const std::size_t run = inverse ? lane_width - 1 : 0;
    return tile.values +
           static_cast<std::size_t>(element_words) * (element + run * lane_width + column);
  }
  [[gnu::noinline]] void store_square(const std::uint64_t* x, std::size_t m) const noexcept {
    Square v;
    levels.square_down(x, m, v);
    const std::size_t place = m << log_lane_square;
    for (std::size_t j = 0; j < lane_width; ++j) {
      for (std::size_t p = 0; p < parts; ++p) {
        Group r = v[j][p];
        if (after.high != nullptr) r = scaled(after, M::carried(r), place, j, p);
        r = M::canonical(M::reduced(r));
        M::store(M::to_words(r), square_words(x, j) + first_run(p), step);
      }
    }
  }
  [[gnu::noinline]] void turn_square(const LaneLevels<F, A, false>& forward, std::uint64_t* x,
                                     std::size_t m) const noexcept {
    Square v;
    levels.square_down(x, m, v);
    const std::size_t place = m << log_lane_square;
    for (std::size_t j = 0; j < lane_width; ++j) {
      for (std::size_t p = 0; p < parts; ++p) {
        v[j][p] = scaled(after, M::carried(v[j][p]), place, j, p);
        M::template lower<1>(v[j][p]);
      }
      M::reverse_lanes(v[j]);
    }
    forward.square_up(x, m, v);
  }
  [[gnu::noinline]] void load_square(std::uint64_t* x, std::size_t m) const noexcept {
    Square v;
    const std::size_t place = m << log_lane_square;
    for (std::size_t j = 0; j < lane_width; ++j) {
      for (std::size_t p = 0; p < parts; ++p) {
        v[j][p] = M::from_words(M::load(square_words(x, j) + first_run(p), step));
        if (before.high == nullptr) continue;
        v[j][p] = scaled(before, v[j][p], place, j, p);
        M::template lower<1>(v[j][p]);
      }
    }
    levels.square_up(x, m, v);
  }
};

/// Elements of F at their addresses, those of part p, times `factor`/2^260; canonical.
template <NttField F, CpuArch A>
[[gnu::always_inline]] inline typename LaneArithmetic<F, A>::Group gathered(
    const F* const (&from)[lane_width], std::size_t p,
    const typename Radix52<F>::Digits& factor) noexcept {
  using M = LaneArithmetic<F, A>;
  alignas(64) std::uint64_t words[M::group_lanes * 4];
  for (std::size_t l = 0; l < M::group_lanes; ++l) {
    const auto* const element =
        reinterpret_cast<const std::uint64_t*>(from[M::group_lanes * p + l]);
    for (std::size_t i = 0; i < 4; ++i) words[4 * l + i] = element[i];
  }
  const auto x = M::from_words(M::load(words, 4));  // w·2^256
  return M::canonical(M::reduced(M::product(x, M::broadcast(factor))));
}

/// 2^(52·5 - 256), 2^(2(52·5 - 256)): Montgomery's product divides by 2^260, and words are w·2^256.
template <NttField F>
inline constexpr
    typename Radix52<F>::Digits from_words_digits{std::uint64_t{1} << (52 * lane_digits - 256)};
template <NttField F>
inline constexpr typename Radix52<F>::Digits from_product_digits{std::uint64_t{1}
                                                                 << (2 * (52 * lane_digits - 256))};

template <NttField F, CpuArch A>
void LaneKernels<F, A>::make_montgomery_factors(const F* const (&from)[lane_width],
                                                std::uint64_t* to) noexcept {
  using M = LaneArithmetic<F, A>;
  const typename M::Scope scope;
  for (std::size_t p = 0; p < M::parts; ++p) {
    M::write_factor(gathered<F, A>(from, p, Radix52<F>::from_field), to + M::group_lanes * p);
  }
}

template <NttField F, CpuArch A>
void LaneKernels<F, A>::make_factors(const F* const (&from)[lane_width],
                                     std::uint64_t* to) noexcept {
  using M = LaneArithmetic<F, A>;
  const typename M::Scope scope;
  for (std::size_t p = 0; p < M::parts; ++p, to += M::group_lanes) {
    M::write_factor(gathered<F, A>(from, p, from_words_digits<F>), to);
    // w·2^260 = w'·r + remainder, so w' = -remainder/r mod 2^260.
    const auto remainder = gathered<F, A>(from, p, Radix52<F>::from_field);
    const auto quotient = M::product_low(remainder, M::broadcast(Radix52<F>::negated_inverse));
    M::write_factor(quotient, to + lane_width * lane_digits);
  }
}

template <NttField F, CpuArch A>
void LaneKernels<F, A>::product_differences(std::size_t groups, const F* a, const F* b, const F* c,
                                            typename F::Integer* to) noexcept {
  using M = LaneArithmetic<F, A>;
  const typename M::Scope scope;
  constexpr std::ptrdiff_t element_words = 4;
  const auto* left = reinterpret_cast<const std::uint64_t*>(a);
  const auto* right = reinterpret_cast<const std::uint64_t*>(b);
  const auto* less = reinterpret_cast<const std::uint64_t*>(c);
  auto* out = reinterpret_cast<std::uint64_t*>(to);
  const auto load = [](const std::uint64_t* at) __attribute__((always_inline)) {
    return M::from_words(M::load(at, element_words));
  };
  constexpr std::ptrdiff_t step = element_words * static_cast<std::ptrdiff_t>(M::group_lanes);
  for (std::size_t g = 0; g < M::parts * groups; ++g) {
    // (a·2^256)(b·2^256) to a·b·2^252, and that to a·b.
    auto x = M::product(load(left), load(right));
    x = M::product(x, M::broadcast(from_product_digits<F>));
    const auto y = M::product(load(less), M::broadcast(from_words_digits<F>));
    x = M::difference(x, y);
    M::template lift<2>(x);
    M::store(M::to_words(M::canonical(M::reduced(x))), out, element_words);
    left += step, right += step, less += step, out += step;
  }
}

template <NttField F, CpuArch A>
void LaneKernels<F, A>::tile_through(bool last, const LaneTile& tile, const LaneTwiddles& twiddles,
                                     const LaneScale& middle, std::uint64_t* buffer) noexcept {
  const typename LaneArithmetic<F, A>::Scope scope;
  const LaneScale none;
  LaneTiles<F, A, true>{tile, {twiddles}, none, middle, buffer}.tile_through(last);
}
template <NttField F, CpuArch A>
void LaneKernels<F, A>::rows_down(bool inverse, const LaneTile& tile, const LaneTwiddles& twiddles,
                                  const LaneScale& scale, std::uint64_t* buffer) noexcept {
  const typename LaneArithmetic<F, A>::Scope scope;
  if (inverse) {
    LaneTiles<F, A, true>{tile, {twiddles}, scale, scale, buffer}.rows_down();
  } else {
    LaneTiles<F, A, false>{tile, {twiddles}, scale, scale, buffer}.rows_down();
  }
}
template <NttField F, CpuArch A>
void LaneKernels<F, A>::tile_down(bool inverse, const LaneTile& tile, const LaneTwiddles& twiddles,
                                  const LaneScale& before, const LaneScale& after,
                                  std::uint64_t* buffer) noexcept {
  const typename LaneArithmetic<F, A>::Scope scope;
  if (inverse) {
    LaneTiles<F, A, true>{tile, {twiddles}, before, after, buffer}.tile_down();
  } else {
    LaneTiles<F, A, false>{tile, {twiddles}, before, after, buffer}.tile_down();
  }
}
template <NttField F, CpuArch A>
void LaneKernels<F, A>::rows_up(bool inverse, bool last, const LaneTile& tile,
                                const LaneTwiddles& twiddles, const LaneScale& scale,
                                std::uint64_t* buffer) noexcept {
  const typename LaneArithmetic<F, A>::Scope scope;
  const LaneScale none;
  if (inverse) {
    LaneTiles<F, A, true>{tile, {twiddles}, none, scale, buffer}.rows_up(last);
  } else {
    LaneTiles<F, A, false>{tile, {twiddles}, none, scale, buffer}.rows_up(last);
  }
}
template <NttField F, CpuArch A>
void LaneKernels<F, A>::tile_up(bool inverse, bool last, const LaneTile& tile,
                                const LaneTwiddles& twiddles, const LaneScale& before,
                                const LaneScale& after, std::uint64_t* buffer) noexcept {
  const typename LaneArithmetic<F, A>::Scope scope;
  if (inverse) {
    LaneTiles<F, A, true>{tile, {twiddles}, before, after, buffer}.tile_up(last);
  } else {
    LaneTiles<F, A, false>{tile, {twiddles}, before, after, buffer}.tile_up(last);
  }
}

}  // namespace zkgpu::ntt_cpu
