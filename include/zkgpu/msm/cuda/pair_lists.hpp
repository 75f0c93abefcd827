// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>

/// How the lists that rounds of affine additions work on lie in memory.
namespace zkgpu {

/// Sixteen bytes, the widest access to memory.
struct alignas(16) MemoryPiece {
  std::uint64_t word[2];
};
template <class T>
inline constexpr unsigned pieces_of = sizeof(T) / sizeof(MemoryPiece);

/// A value from pieces that are `stride` apart, and back.
template <class T>
ZKGPU_HD T load_pieces(const MemoryPiece* from, unsigned stride) noexcept {
  static_assert(pieces_of<T> * sizeof(MemoryPiece) == sizeof(T));
  struct Pieces {
    MemoryPiece piece[pieces_of<T>];
  } copy;
  ZKGPU_UNROLL for (unsigned i = 0; i < pieces_of<T>; ++i) copy.piece[i] = from[i * stride];
  return __builtin_bit_cast(T, copy);
}
template <class T>
ZKGPU_HD void store_pieces(MemoryPiece* to, unsigned stride, const T& value) noexcept {
  static_assert(pieces_of<T> * sizeof(MemoryPiece) == sizeof(T));
  struct Pieces {
    MemoryPiece piece[pieces_of<T>];
  };
  const Pieces copy = __builtin_bit_cast(Pieces, value);
  ZKGPU_UNROLL for (unsigned i = 0; i < pieces_of<T>; ++i) to[i * stride] = copy.piece[i];
}
/// *from in 16-byte accesses.
template <class T>
ZKGPU_HD T load_wide(const T* from) noexcept {
  return load_pieces<T>(reinterpret_cast<const MemoryPiece*>(from), 1);
}

/// The point of an entry: at its place in a table, or the opposite where bit 31 says so.
template <CurveParams P>
ZKGPU_HD Affine<P> point_at(const Affine<P>* table, std::uint32_t place) noexcept {
  Affine<P> point = load_wide(table + (place & 0x7fffffffu));
  if (place >> 31 != 0) point.y = -point.y;
  return point;
}

/// Where the pieces of an element stand.
struct PieceSteps {
  std::size_t first = 0;
  unsigned stride = 1;
};

/// An array of points. Lists between two rounds are woven: blocks of 32 points, in each the first
/// pieces of all, then the second pieces, and so on, so that neighbouring lanes touch neighbouring
/// pieces.
template <class Point>
struct PointArray {
  MemoryPiece* pieces = nullptr;
  bool woven = false;

  static constexpr unsigned block = 32;
  /// Points of a woven array for n.
  ZKGPU_HD static constexpr std::size_t room(std::size_t n) noexcept {
    return (n + block - 1) / block * block;
  }
  ZKGPU_HD constexpr PieceSteps at(std::size_t i) const noexcept {
    constexpr std::size_t each = pieces_of<Point>;
    return woven ? PieceSteps{i / block * (block * each) + i % block, block}
                 : PieceSteps{i * each, 1};
  }
  ZKGPU_HD void put(std::size_t i, const Point& point) const noexcept {
    const PieceSteps to = at(i);
    store_pieces(pieces + to.first, to.stride, point);
  }
};

/// What a first round reads: places in a table, and signs.
template <CurveParams P>
struct GatheredPoints {
  const std::uint32_t* places = nullptr;  ///< bit 31: the opposite
  const Affine<P>* table = nullptr;
};
/// What a later round reads.
template <CurveParams P>
struct ListedPoints {
  PointArray<Affine<P>> points;
};

/// Where a round puts its results, and what it keeps in between.
template <CurveParams P>
struct PairResults {
  using F = typename P::BaseField;
  std::uint32_t* keys = nullptr;
  PointArray<Affine<P>> points;
  std::uint32_t* places = nullptr;  ///< of the last round: results' own indices; else null
  MemoryPiece* products = nullptr;  ///< an element of F for each pair, woven

  ZKGPU_HD void put(std::uint32_t to, std::uint32_t key, const Affine<P>& point) const noexcept {
    keys[to] = key;
    points.put(to, point);
    if (places != nullptr) places[to] = to;
  }
  ZKGPU_HD MemoryPiece* product(std::uint32_t pair) const noexcept {
    return products + PointArray<F>{nullptr, true}.at(pair).first;
  }
};

}  // namespace zkgpu
