// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/core/wipe.hpp>
#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/ntt/cpu/lane_engine.hpp>
#include <zkgpu/ntt/cpu/loops_impl.hpp>
#include <zkgpu/ntt/ntt.hpp>

namespace zkgpu::ntt_cpu {

/// @throws ResourceExhausted
template <class T>
Array<T> lane_array(std::size_t n) {
  try {
    return Array<T>(n);
  } catch (const std::exception&) {
    throw ResourceExhausted("ntt: no memory for " + std::to_string(n * sizeof(T)) +
                            " bytes of a transform in lanes");
  }
}

/// The threads' buffers for tiles, of one operation: values that derive from a witness do not
/// outlive it.
class LaneBuffers {
 public:
  explicit LaneBuffers(std::size_t words) : words_(words) {}

  /// The calling thread's. @throws ResourceExhausted
  std::uint64_t* local() {
    try {
      SecretArray<std::uint64_t>& buffer = buffers_.local();
      if (buffer.empty()) buffer = SecretArray<std::uint64_t>(words_);
      return buffer.data();
    } catch (const std::exception&) {
      throw ResourceExhausted("ntt: no memory for a tile in lanes");
    }
  }

 private:
  std::size_t words_;
  oneapi::tbb::enumerable_thread_specific<SecretArray<std::uint64_t>> buffers_;
};

/// Ten words a factor, one factor after the other, of element(0)..element(count - 1).
template <NttField F, CpuArch A, class Element>
void make_broadcast_factors(std::size_t count, std::uint64_t* to, const Element& element) {
  for_ranges(count, task_elements, [&](std::size_t first, std::size_t last) {
    alignas(64) std::uint64_t eight[lane_factor_words * lane_width];
    for (std::size_t i = first; i < last; i += lane_width) {
      const std::size_t lanes = std::min(lane_width, last - i);
      const F* from[lane_width];
      for (std::size_t l = 0; l < lane_width; ++l) from[l] = &element(i + std::min(l, lanes - 1));
      LaneKernels<F, A>::make_factors(from, eight);
      for (std::size_t l = 0; l < lanes; ++l) {
        for (std::size_t w = 0; w < lane_factor_words; ++w) {
          to[lane_factor_words * (i + l) + w] = eight[lane_width * w + l];
        }
      }
    }
  });
}

/// Transforms of at most this many elements are done in lanes: 2.7 GB of factors.
inline constexpr unsigned max_log_lane_transform = 26;

/// What transforms in lanes read of a table of n/2 twiddles.
/// @return nullptr if there are none of this size
/// @throws ResourceExhausted
template <NttField F, CpuArch A>
std::shared_ptr<const LaneTables> make_lane_tables(std::span<const F> table, unsigned log_n) {
  if (log_n < log_lane_square || log_n > max_log_lane_transform) return nullptr;
  const std::size_t n = std::size_t{1} << log_n;
  const std::size_t blocks = n / (2 * lane_width), squares = n >> log_lane_square;
  const std::size_t squares_at = (lane_factor_words * (blocks + 1) + 7) / 8 * 8;
  auto made = std::make_shared<LaneTables>();
  made->words = lane_array<std::uint64_t>(squares_at + lane_square_words * (squares + 1));
  std::uint64_t* const words = made->words.data();
  made->twiddles = {words, blocks, words + squares_at, squares};

  // Inverse transforms take the opposite of what stands at mirrored places; for block 0 that is -1.
  const F opposite = -F::one();
  make_broadcast_factors<F, A>(blocks + 1, words, [&](std::size_t k) -> const F& {
    return k < blocks ? table[k] : opposite;
  });
  // Factor i of a run: of the run, i = 0; of its halves, 1 and 2; of its quarters, 3 to 6.
  const auto entry = [](std::size_t run, std::size_t i) {
    return i == 0 ? run : i < 3 ? 2 * run + i - 1 : 4 * run + i - 3;
  };
  const auto make = [&](std::size_t square, std::size_t i, const auto& element) {
    const F* from[lane_width];
    for (std::size_t l = 0; l < lane_width; ++l) from[l] = &element(l);
    LaneKernels<F, A>::make_montgomery_factors(
        from, words + squares_at + lane_square_words * square + lane_digits * lane_width * i);
  };
  for_ranges(squares, task_elements >> log_lane_square, [&](std::size_t first, std::size_t last) {
    for (std::size_t m = first; m < last; ++m) {
      for (std::size_t i = 0; i < lane_square_factors; ++i) {
        make(m, i, [&](std::size_t l) -> const F& { return table[entry(lane_width * m + l, i)]; });
      }
    }
  });
  constexpr std::size_t mirror[lane_square_factors] = {0, 2, 1, 6, 5, 4, 3};
  for (std::size_t i = 0; i < lane_square_factors; ++i) {
    make(squares, mirror[i], [&](std::size_t l) -> const F& {
      const std::size_t e = entry(lane_width - 1 - l, i);
      return e == 0 ? opposite : table[mirrored_twiddle(e)];
    });
  }
  return made;
}

/// Factors constant·base^i by place, as `LaneScale` describes them.
template <NttField F, CpuArch A>
class LaneScaling {
 public:
  LaneScaling() = default;
  /// @param reversed  element i stands at the place of i reversed, and is scaled in a square
  /// @param inverse   the direction of the transform: squares are turned
  LaneScaling(unsigned log_n, bool reversed, bool inverse, const F& base, const F& constant) {
    const bool powers = !(base == F::one());
    if (!powers && constant == F::one()) return;
    const unsigned log_low = powers ? std::clamp(log_n / 2, log_lane_square, log_table) : 0;
    const unsigned log_high = powers ? log_n - log_low : 0;
    const std::size_t low = powers ? std::size_t{1} << log_low : 0;
    const std::size_t high = std::size_t{1} << log_high;
    words_ = lane_array<std::uint64_t>(lane_factor_words * (low + high));
    scale_.log_low = log_low;
    scale_.high = words_.data() + lane_factor_words * low;
    auto elements = lane_array<F>(high);
    F large = base;  // base^(2^(the bits that come second))
    for (unsigned b = 0; b < (reversed ? log_high : log_low); ++b) large = large.square();
    F power = constant;
    for (std::size_t i = 0; i < high; ++i) {
      elements[reversed ? reverse_bits(i, log_high) : i] = power;
      power *= reversed ? base : large;
    }
    make_broadcast_factors<F, A>(high, words_.data() + lane_factor_words * low,
                                 [&](std::size_t i) -> const F& { return elements[i]; });
    if (!powers) return;
    elements = lane_array<F>(low);
    power = F::one();
    for (std::size_t i = 0; i < low; ++i) {
      elements[reversed ? reverse_bits(i, log_low) : i] = power;
      power *= reversed ? large : base;
    }
    scale_.low = words_.data();
    for (std::size_t g = 0; g < low / lane_width; ++g) {
      const F* from[lane_width];
      for (std::size_t l = 0; l < lane_width; ++l) {
        const std::size_t run = inverse ? lane_width - 1 - l : l;  // column g of its square
        const std::size_t in_square = g / lane_width * 64 + run * lane_width + g % lane_width;
        from[l] = &elements[reversed ? in_square : g * lane_width + l];
      }
      LaneKernels<F, A>::make_factors(from, words_.data() + lane_factor_words * lane_width * g);
    }
  }
  [[nodiscard]] const LaneScale& scale() const noexcept { return scale_; }

 private:
  static constexpr unsigned log_table = 8;  // 20 KiB of factors: half of the first-level cache
  Array<std::uint64_t> words_;
  LaneScale scale_;
};

/// Where elements come from and where they go: to = left, or left∘right/16. Arrays of one size;
/// `to` may be any of the others.
template <NttField F>
struct LaneArrays {
  F* to;
  const F* left;
  const F* right = nullptr;
};

/// Transforms of 2^log_n >= 64 elements, in the order in which they read and write.
template <NttField F, CpuArch A>
class LaneTransform {
 public:
  LaneTransform(const NttPlan& plan, const LaneTables& tables)
      : log_n_(plan.log_n),
        log_tile_(
            std::min(plan.log_n, std::clamp(plan.log_tile, log_lane_square, max_lane_levels))),
        twiddles_(tables.twiddles),
        buffers_(lane_digits << log_tile_) {}

  /// Natural to bit-reversed order. `before` and `after`: factors of what is loaded, and stored.
  /// @throws ResourceExhausted
  void down(bool inverse, const LaneArrays<F>& x, const LaneScale& before,
            const LaneScale& after) const {
    const LaneArrays<F> rest = rows_down(inverse, x, before);
    const LaneScale none;
    tiles(rest, [&](const LaneTile& tile, std::uint64_t* buffer) {
      Kernels::tile_down(inverse, tile, twiddles_, passes() == 0 ? before : none, after, buffer);
    });
  }
  /// Bit-reversed to natural order. @throws ResourceExhausted
  void up(bool inverse, F* x, const LaneScale& before, const LaneScale& after) const {
    const bool last = passes() == 0;
    const LaneScale none;
    tiles({x, x}, [&](const LaneTile& tile, std::uint64_t* buffer) {
      Kernels::tile_up(inverse, last, tile, twiddles_, before, last ? after : none, buffer);
    });
    rows_up(inverse, x, after);
  }
  /// An inverse transform down, factors, and a forward transform up: natural order on both sides.
  /// @throws ResourceExhausted
  void through(const LaneArrays<F>& x, const LaneScale& middle) const {
    const LaneScale none;
    const LaneArrays<F> rest = rows_down(true, x, none);
    tiles(rest, [&](const LaneTile& tile, std::uint64_t* buffer) {
      Kernels::tile_through(passes() == 0, tile, twiddles_, middle, buffer);
    });
    rows_up(false, x.to, none);
  }

 private:
  using Kernels = LaneKernels<F, A>;
  static constexpr std::size_t element_words = sizeof(F) / sizeof(std::uint64_t);
  static_assert(element_words == 4);

  /// Passes above the tiles, each over rows of at least two groups.
  unsigned passes() const noexcept {
    const unsigned most = log_tile_ - log_lane_width - 1;
    return (log_n_ - log_tile_ + most - 1) / most;
  }
  unsigned levels_of(unsigned pass) const noexcept {
    const unsigned above = log_n_ - log_tile_;
    return above / passes() + (pass < above % passes() ? 1 : 0);
  }
  static const std::uint64_t* words(const F* x, std::size_t place) noexcept {
    return x == nullptr ? nullptr
                        : reinterpret_cast<const std::uint64_t*>(x) + element_words * place;
  }
  static LaneTile tile_at(const LaneArrays<F>& x, std::size_t place) noexcept {
    LaneTile tile{};
    tile.values = reinterpret_cast<std::uint64_t*>(x.to) + element_words * place;
    tile.left = words(x.left, place);
    tile.right = words(x.right, place);
    tile.place = place;
    return tile;
  }

  /// The passes above the tiles. @return where the tiles find what is left to do
  LaneArrays<F> rows_down(bool inverse, LaneArrays<F> x, const LaneScale& before) const {
    unsigned log_size = log_n_;
    const LaneScale none;
    for (unsigned pass = 0; pass < passes(); ++pass) {
      const unsigned levels = levels_of(pass);
      rows(x, log_size, levels, [&](const LaneTile& tile, std::uint64_t* buffer) {
        Kernels::rows_down(inverse, tile, twiddles_, pass == 0 ? before : none, buffer);
      });
      log_size -= levels;
      x = {x.to, x.to};
    }
    return x;
  }
  void rows_up(bool inverse, F* x, const LaneScale& after) const {
    unsigned log_size = log_tile_;
    const LaneScale none;
    for (unsigned pass = passes(); pass-- > 0;) {
      log_size += levels_of(pass);
      rows({x, x}, log_size, levels_of(pass), [&](const LaneTile& tile, std::uint64_t* buffer) {
        Kernels::rows_up(inverse, pass == 0, tile, twiddles_, pass == 0 ? after : none, buffer);
      });
    }
  }

  /// body(tile, buffer) for every strip of the blocks of 2^log_size.
  template <class Body>
  void rows(const LaneArrays<F>& x, unsigned log_size, unsigned levels, const Body& body) const {
    const unsigned log_columns = std::max(log_lane_width, log_tile_ - levels);
    const unsigned log_strips = log_size - levels - log_columns;  // of a block
    for_ranges(std::size_t{1} << (log_n_ - levels - log_columns), 1,
               [&](std::size_t first, std::size_t end) {
                 std::uint64_t* const scratch = buffers_.local();
                 for (std::size_t s = first; s < end; ++s) {
                   const std::size_t block = s >> log_strips;
                   const std::size_t column = (s - (block << log_strips)) << log_columns;
                   LaneTile tile = tile_at(x, (block << log_size) + column);
                   tile.stride = std::size_t{1} << (log_size - levels);
                   tile.log_rows = levels;
                   tile.log_columns = log_columns;
                   tile.block = block;
                   body(tile, scratch);
                 }
               });
  }
  /// body(tile, buffer) for every tile.
  template <class Body>
  void tiles(const LaneArrays<F>& x, const Body& body) const {
    if (log_n_ <= log_small && log_n_ == log_tile_) return small_tile(x, body);
    for_ranges(std::size_t{1} << (log_n_ - log_tile_), 1, [&](std::size_t first, std::size_t end) {
      std::uint64_t* const scratch = buffers_.local();
      for (std::size_t t = first; t < end; ++t) {
        LaneTile tile = tile_at(x, t << log_tile_);
        tile.log_columns = log_tile_;
        tile.block = t;
        body(tile, scratch);
      }
    });
  }

  /// Of 20 µs, memory that is kept from dumps and wiped would take 13.
  template <class Body>
  [[gnu::noinline]] void small_tile(const LaneArrays<F>& x, const Body& body) const {
    alignas(64) std::uint64_t scratch[lane_digits << log_small];
    LaneTile tile = tile_at(x, 0);
    tile.log_columns = log_tile_;
    body(tile, scratch);
    secure_wipe(static_cast<void*>(scratch), sizeof(std::uint64_t) * (lane_digits << log_n_));
  }

  static constexpr unsigned log_small = 10;
  unsigned log_n_, log_tile_;
  const LaneTwiddles& twiddles_;
  mutable LaneBuffers buffers_;
};

/// Transforms as the contract states them, all of one kind.
template <NttField F, CpuArch A>
class LaneJob {
 public:
  /// @throws ResourceExhausted
  LaneJob(const NttPlan& plan, const NttTwiddles<F>& twiddles, const NttTransform<F>& transform)
      : log_n_(plan.log_n),
        order_(transform.order),
        inverse_(transform.direction == NttDirection::inverse),
        lanes_(plan, *twiddles.lanes(cpu_level<A>)),
        // Forward: shift^i on the input. Inverse: shift^-i/n on the output.
        scaling_(plan.log_n, inverse_ == is_down(), inverse_,
                 inverse_ ? transform.shift.inverse() : transform.shift,
                 inverse_ ? twiddles.inverse_size() : F::one()) {}
  /// @throws ResourceExhausted
  void run(F* x) const {
    const LaneScale none;
    const LaneScale& before = inverse_ ? none : scaling_.scale();
    const LaneScale& after = inverse_ ? scaling_.scale() : none;
    if (!is_down()) {
      lanes_.up(inverse_, x, before, after);
      return;
    }
    lanes_.down(inverse_, {x, x}, before, after);
    if (order_ == NttOrder::natural_to_natural) bit_reverse(x, log_n_);
  }

 private:
  bool is_down() const noexcept { return order_ != NttOrder::reversed_to_natural; }

  unsigned log_n_;
  NttOrder order_;
  bool inverse_;
  LaneTransform<F, A> lanes_;
  LaneScaling<F, A> scaling_;
};

/// See Ntt::enqueue_to_coset. @throws ResourceExhausted
template <NttField F, CpuArch A>
void to_coset_in_lanes(const NttPlan& plan, const NttTwiddles<F>& twiddles, const F& shift,
                       const LaneArrays<F>& x) {
  const LaneTransform<F, A> lanes(plan, *twiddles.lanes(cpu_level<A>));
  F constant = twiddles.inverse_size();
  if (x.right != nullptr) constant *= F(16);
  const LaneScaling<F, A> scaling(plan.log_n, true, true, shift, constant);
  lanes.through(x, scaling.scale());
}

/// See Ntt::enqueue_interpolate_product. @throws ResourceExhausted
template <NttField F, CpuArch A>
void interpolate_product_in_lanes(const NttPlan& plan, const NttTwiddles<F>& twiddles,
                                  const F& shift, const F& constant, const LaneArrays<F>& x) {
  const LaneTransform<F, A> lanes(plan, *twiddles.lanes(cpu_level<A>));
  const LaneScaling<F, A> scaling(plan.log_n, true, true, shift.inverse(),
                                  constant * twiddles.inverse_size() * F(16));
  lanes.down(true, x, {}, scaling.scale());
}

}  // namespace zkgpu::ntt_cpu
