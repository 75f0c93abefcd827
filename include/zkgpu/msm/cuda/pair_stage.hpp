// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pair_lists.hpp>

/// The pairs of a list as warps go through them: tiles, keys, and elements on their way to shared
/// memory.
namespace zkgpu {

/// The pairs of one warp in a round: pairs [first, end) of a list of n elements.
struct PairTile {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::uint32_t elements = 0;  ///< n

  /// Where the last step of a warp begins. Not for an empty tile.
  [[nodiscard]] ZKGPU_HD constexpr std::uint32_t last_step(std::uint32_t lanes) const noexcept {
    return first + (end - first - 1) / lanes * lanes;
  }
};

/// A list cut into equal tiles.
struct PairTiling {
  std::uint32_t elements = 0;
  std::uint32_t tiles = 0;
};

/// Tile t: pairs are `lanes` side by side.
ZKGPU_HD constexpr PairTile pair_tile(const PairTiling& tiling, std::uint32_t t,
                                      std::uint32_t lanes) noexcept {
  const std::uint32_t n = tiling.elements;
  const std::uint32_t tiles = tiling.tiles;
  const std::uint32_t pairs = n / 2 + n % 2;
  const std::uint32_t size = (pairs + tiles * lanes - 1) / (tiles * lanes) * lanes;
  const std::uint64_t first = std::uint64_t{t} * size;
  PairTile tile;
  tile.elements = n;
  tile.first = first < pairs ? static_cast<std::uint32_t>(first) : pairs;
  tile.end = pairs - tile.first < size ? pairs : tile.first + size;
  return tile;
}

/// The keys of a pair, and whether it is one.
struct PairKeys {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  bool has_left = false;
  bool has_right = false;

  [[nodiscard]] ZKGPU_HD constexpr bool together() const noexcept {
    return has_right && left == right;
  }
  [[nodiscard]] ZKGPU_HD constexpr bool apart() const noexcept {
    return has_right && left != right;
  }
};

/// @param keys  sorted, 8-byte aligned
ZKGPU_HD PairKeys keys_of_pair(const std::uint32_t* keys, const PairTile& tile,
                               std::uint32_t pair) noexcept {
  struct alignas(8) Two {
    std::uint32_t key[2];
  };
  PairKeys r;
  r.has_left = pair < tile.end;
  r.has_right = r.has_left && 2 * pair + 1 < tile.elements;
  if (r.has_right) {
    const Two two = reinterpret_cast<const Two*>(keys)[pair];
    r.left = two.key[0];
    r.right = two.key[1];
  } else if (r.has_left) {
    r.left = keys[std::size_t{2} * pair];
  }
  return r;
}

/// Pairs of a tile that do not belong together, as counted by one lane's warp.
template <class Warp>
ZKGPU_HD std::uint32_t count_pairs_apart(const std::uint32_t* keys, const PairTile& tile,
                                         const Warp& warp) noexcept {
  constexpr std::uint32_t side = 4;  // steps whose keys are on their way together
  std::uint32_t count = 0;
  for (std::uint32_t at = tile.first; at < tile.end; at += side * Warp::lanes) {
    PairKeys found[side];
    ZKGPU_UNROLL for (std::uint32_t i = 0; i < side; ++i) {
      found[i] = keys_of_pair(keys, tile, at + i * Warp::lanes + warp.lane());
    }
    ZKGPU_UNROLL for (std::uint32_t i = 0; i < side; ++i) count += warp.count(found[i].apart());
  }
  return count;
}

/// The elements of one step of a warp, brought near while it computes something else: two for each
/// lane; abscissas alone, or for the second pass all and the products of the first.
///
/// @tparam Warp  copy(to, from): begins to copy a piece; commit(): ends a group of copies; own_pair
template <CurveParams P, class Warp, bool whole>
class PairStage {
  using F = typename P::BaseField;
  using Point = Affine<P>;
  static constexpr unsigned elements = 2 * Warp::lanes;
  static constexpr unsigned element_pieces = whole ? pieces_of<Point> : pieces_of<F>;

 public:
  /// Pieces that a stage needs of a warp's shared memory.
  static constexpr unsigned pieces =
      element_pieces * elements + (whole ? pieces_of<F> * Warp::lanes : 0);

  ZKGPU_HD PairStage(MemoryPiece* memory, const Warp& warp) noexcept
      : memory_(memory), warp_(warp) {}

  /// Which of two halves of the memory, `pieces` each, abscissas are in: while one is read the
  /// other is filled.
  ZKGPU_HD void turn() noexcept { offset_ = pieces - offset_; }

  /// Reads where the elements of the step of the pairs [at, at + lanes) are. For a later `begin`;
  /// any `at`.
  ZKGPU_HD void look(const GatheredPoints<P>& list, const PairTile& tile,
                     std::uint32_t at) noexcept {
    ZKGPU_UNROLL for (std::uint32_t half = 0; half < 2; ++half) {
      places_[half] = list.places[element(tile, at, half)];
    }
  }
  ZKGPU_HD void look(const ListedPoints<P>&, const PairTile&, std::uint32_t) const noexcept {}

  /// Begins the step that was looked at.
  ///
  /// @param products  of this lane's pair in the first pass; read if `whole`
  template <class List>
  ZKGPU_HD void begin(const List& list, const PairTile& tile, std::uint32_t at,
                      const MemoryPiece* products) noexcept {
    negated_ = 0;
    ZKGPU_UNROLL for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t k = half * Warp::lanes + warp_.lane();
      // element k is lane k/2's: its left or its right
      copy(list, element(tile, at, half), memory_ + offset_ + (k % 2) * Warp::lanes + k / 2, half);
    }
    if constexpr (whole) {
      ZKGPU_UNROLL for (unsigned p = 0; p < pieces_of<F>; ++p) {
        warp_.copy(memory_ + pieces_of<Point> * elements + p * Warp::lanes + warp_.lane(),
                   products + p * PointArray<F>::block);
      }
    }
    warp_.commit();
  }
  ZKGPU_HD F x(unsigned right) const noexcept { return value(right, 0); }
  ZKGPU_HD F y(unsigned right) const noexcept {
    const F r = value(right, pieces_of<F>);
    return (negated_ >> right & 1) != 0 ? -r : r;
  }
  ZKGPU_HD Point point(unsigned right) const noexcept { return Point{x(right), y(right)}; }
  /// The product of the denominators before this lane's.
  ZKGPU_HD F product() const noexcept {
    return load_pieces<F>(memory_ + pieces_of<Point> * elements + warp_.lane(), Warp::lanes);
  }
  /// An ordinate straight from memory: seldom wanted in the first pass.
  ZKGPU_HD static F ordinate(const GatheredPoints<P>& list, std::uint32_t i) noexcept {
    return point_at(list.table, list.places[i]).y;
  }
  ZKGPU_HD static F ordinate(const ListedPoints<P>& list, std::uint32_t i) noexcept {
    const PieceSteps from = list.points.at(i);
    return load_pieces<Point>(list.points.pieces + from.first, from.stride).y;
  }

 private:
  /// The one of a step's elements that this lane copies; the list's last where there is none.
  ZKGPU_HD std::uint32_t element(const PairTile& tile, std::uint32_t at,
                                 std::uint32_t half) const noexcept {
    const std::uint32_t i = 2 * at + half * Warp::lanes + warp_.lane();
    return i < tile.elements ? i : tile.elements - 1;
  }
  ZKGPU_HD F value(unsigned right, unsigned first_piece) const noexcept {
    return load_pieces<F>(
        memory_ + offset_ + first_piece * elements + right * Warp::lanes + warp_.lane(), elements);
  }
  ZKGPU_HD void copy(const GatheredPoints<P>& list, std::uint32_t, MemoryPiece* to,
                     std::uint32_t half) noexcept {
    const std::uint32_t place = places_[half];
    copy_pieces(to, reinterpret_cast<const MemoryPiece*>(list.table + (place & 0x7fffffffu)), 1);
    if constexpr (whole) negated_ |= warp_.own_pair(place >> 31 != 0, half);
  }
  ZKGPU_HD void copy(const ListedPoints<P>& list, std::uint32_t i, MemoryPiece* to,
                     std::uint32_t) noexcept {
    const PieceSteps from = list.points.at(i);
    copy_pieces(to, list.points.pieces + from.first, from.stride);
  }
  ZKGPU_HD void copy_pieces(MemoryPiece* to, const MemoryPiece* from,
                            unsigned stride) const noexcept {
    ZKGPU_UNROLL for (unsigned p = 0; p < element_pieces; ++p) {
      warp_.copy(to + p * elements, from + p * stride);
    }
  }

  MemoryPiece* memory_;
  Warp warp_;
  unsigned offset_ = 0;
  std::uint32_t places_[2] = {};
  std::uint32_t negated_ = 0;  ///< bit 0: this lane's left element, bit 1: its right one
};

}  // namespace zkgpu
