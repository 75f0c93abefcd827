// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>

/// Transforms in SIMD lanes, eight elements side by side.
///
/// What is here is compiled for any x86-64; what needs the instructions is in `LaneKernels`, whose
/// definitions only units of that architecture include.
namespace zkgpu::ntt_cpu {

/// Elements side by side.
inline constexpr std::size_t lane_width = 8;
inline constexpr unsigned log_lane_width = 3;
/// The last three levels are done on a square of 8 x 8 elements: the smallest tile.
inline constexpr unsigned log_lane_square = 6;
/// A tile has at most this many levels: what grows by each of them is reduced where a tile ends.
inline constexpr unsigned max_lane_levels = 13;
/// Digits of an element in radix 2^52, and the words of a factor: its digits and its quotient's.
inline constexpr std::size_t lane_digits = 5;
inline constexpr std::size_t lane_factor_words = 2 * lane_digits;
/// The last three levels of a square have seven different factors a lane.
inline constexpr std::size_t lane_square_factors = 7;
inline constexpr std::size_t lane_square_words = lane_square_factors * lane_digits * lane_width;

/// Factors w of products x·w.
///
/// `blocks`: the factor of block k with floor(w·2^260/modulus), ten words a factor; what inverse
/// transforms take for block 0 stands at `block_count`. `squares`: w·2^260, seven factors a lane
/// for every square, limb-major; lane l is the l-th run of eight elements. What inverse transforms
/// take for square 0 stands at `square_count`.
struct LaneTwiddles {
  const std::uint64_t* blocks;
  std::size_t block_count;
  const std::uint64_t* squares;
  std::size_t square_count;
};

/// The factors of a domain, and their memory. Factors are digits as the kernels of one architecture
/// keep them: integers for AVX-512 IFMA, doubles for AVX2.
struct LaneTables {
  Array<std::uint64_t> words;
  LaneTwiddles twiddles;
};

/// Factors by place: low[place mod 2^log_low]·high[place div 2^log_low].
///
/// low == nullptr: high[0] alone, for all. high == nullptr: nothing is scaled. `low` is limb-major,
/// in the lanes in which the kernel holds elements where it scales them; `high` has ten words a
/// factor.
struct LaneScale {
  const std::uint64_t* low = nullptr;
  const std::uint64_t* high = nullptr;
  unsigned log_low = 0;
};

/// Rows of a transform that are carried through some of its levels together: 2^log_rows runs of
/// 2^log_columns >= 8 elements, which together are block `block` but for the columns left out. An
/// element is four words, the Montgomery form of `Fp` or, between passes, the same plus the
/// modulus' millionth part.
struct LaneTile {
  std::uint64_t* values;      ///< the first row, where results go
  const std::uint64_t* left;  ///< and where it is read
  /// If not null, what is loaded is left·right/16.
  const std::uint64_t* right;
  std::size_t stride;  ///< elements from row to row
  unsigned log_rows;
  unsigned log_columns;
  std::size_t block;
  std::size_t place;  ///< of the first element in the whole transform
};

/// For arithmetic that needs nothing of the processor's state: what a kernel holds while it runs.
struct AnyState {
  AnyState() noexcept {}
};

/// Products, sums and reductions of groups of lanes: `lane_arithmetic_<arch>_impl.hpp` has them.
template <NttField F, CpuArch A>
struct LaneArithmetic {
  static_assert(always_false<F, A>,
                "no transforms in lanes for this architecture: specialise LaneArithmetic");
};

/// The loops. `buffer` has room for the tile's elements, five words each, 64-byte aligned.
template <NttField F, CpuArch A>
struct LaneKernels {
  /// The factors at eight addresses (elements of F), limb-major, 80 words.
  static void make_factors(const F* const (&from)[lane_width], std::uint64_t* to) noexcept;
  /// The same times 2^260, without the quotients: 40 words.
  static void make_montgomery_factors(const F* const (&from)[lane_width],
                                      std::uint64_t* to) noexcept;

  /// log_rows levels, natural to bit-reversed order: the rows become blocks of their own. `scale`
  /// is applied to what is loaded.
  static void rows_down(bool inverse, const LaneTile& tile, const LaneTwiddles& twiddles,
                        const LaneScale& scale, std::uint64_t* buffer) noexcept;
  /// All levels of one row of at least 64 elements. `before` is applied to what is loaded, `after`
  /// to what is stored.
  static void tile_down(bool inverse, const LaneTile& tile, const LaneTwiddles& twiddles,
                        const LaneScale& before, const LaneScale& after,
                        std::uint64_t* buffer) noexcept;
  /// The same from bit-reversed to natural order.
  ///
  /// @param last  these are the last levels of the transform: what is stored is scaled, canonical
  static void rows_up(bool inverse, bool last, const LaneTile& tile, const LaneTwiddles& twiddles,
                      const LaneScale& scale, std::uint64_t* buffer) noexcept;
  static void tile_up(bool inverse, bool last, const LaneTile& tile, const LaneTwiddles& twiddles,
                      const LaneScale& before, const LaneScale& after,
                      std::uint64_t* buffer) noexcept;
  /// All levels of an inverse transform down, `middle`, and all of a forward one up.
  static void tile_through(bool last, const LaneTile& tile, const LaneTwiddles& twiddles,
                           const LaneScale& middle, std::uint64_t* buffer) noexcept;

  /// to[i] = the integer a[i]·b[i] - c[i]; groups of eight elements.
  static void product_differences(std::size_t groups, const F* a, const F* b, const F* c,
                                  typename F::Integer* to) noexcept;
};

/// Which fields have kernels on which architectures.
template <class F, class A>
inline constexpr bool has_lanes = false;
#if defined(__x86_64__)
template <std::derived_from<arch::avx2> A>
inline constexpr bool has_lanes<Bls12_381::Fr, A> = true;

extern template struct LaneKernels<Bls12_381::Fr, arch::avx2>;
extern template struct LaneKernels<Bls12_381::Fr, arch::avx512ifma>;
#endif

}  // namespace zkgpu::ntt_cpu
