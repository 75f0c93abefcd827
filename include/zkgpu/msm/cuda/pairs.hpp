// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pair_lists.hpp>

/// Rounds of affine additions: a round replaces neighbours of equal keys in a sorted list by their
/// sums, so that it halves but for what stands alone. An addition is 5M + 1S with an inversion that
/// a thread shares among all its pairs; in XYZZ it would be 8M + 2S.
namespace zkgpu {

/// What becomes of two neighbours of a list.
enum class PairCase : std::uint8_t {
  sum,     ///< different abscissas
  twice,   ///< equal points
  cancel,  ///< opposite points: infinity
  left,    ///< the right one is infinity
  right,   ///< the left one is infinity
};

/// What becomes of elements with abscissas x1 and x2, and what their slope is divided by.
///
/// @param y1, y2  give the ordinates where they are needed: seldom
/// @param denominator  set for `sum` and `twice`
template <Field F, class Left, class Right>
ZKGPU_HD constexpr PairCase case_of_pair(const F& x1, const F& x2, const Left& y1, const Right& y2,
                                         F& denominator) noexcept {
  denominator = x2 - x1;
  if (x1.is_zero() && y1().is_zero()) return PairCase::right;
  if (x2.is_zero() && y2().is_zero()) return PairCase::left;
  if (!denominator.is_zero()) return PairCase::sum;
  const F y = y1();
  if (!(y == y2()) || y.is_zero()) return PairCase::cancel;  // y = 0: a point of order 2
  denominator = y.doubled();
  return PairCase::twice;
}

/// The rise of a tangent at x, over the tangent's denominator. Out of line, for the code cache.
template <Field F>
ZKGPU_HD_NOINLINE constexpr F rise_of_tangent(const F& x) noexcept {
  const F square = x.square();
  return square.doubled() + square;
}

/// A product whose operands come in registers: smaller code for calls.
template <Field F>
ZKGPU_HD_NOINLINE constexpr F far_product(F a, F b) noexcept {
  return a * b;
}

/// The additions of a second pass: takes the inverse of a pair's denominator off `inverse`, which
/// inverts the product of it and all earlier ones, and adds.
///
/// @tparam far  products are calls, where five of them would not fit in the code cache
/// @param before  the product of the earlier denominators
/// @cost  4M + 1S
template <bool far, CurveParams P>
ZKGPU_HD constexpr Affine<P> peel_and_add(const Affine<P>& a, const Affine<P>& b, bool twice,
                                          const typename P::BaseField& before,
                                          const typename P::BaseField& denominator,
                                          typename P::BaseField& inverse) noexcept {
  using F = typename P::BaseField;
  F rise = b.y - a.y;
  if (twice) rise = rise_of_tangent(a.x);
  if constexpr (far) {
    const F own = far_product(before, inverse);
    inverse = far_product(inverse, denominator);
    const F slope = far_product(rise, own);
    const F x = slope.square() - a.x - b.x;
    return Affine<P>{x, far_product(slope, a.x - x) - a.y};
  } else {
    F own{};
    product_pair(own, inverse, before, inverse, inverse, denominator);
    const F slope = rise * own;
    const F x = slope.square() - a.x - b.x;
    return Affine<P>{x, slope * (a.x - x) - a.y};
  }
}

/// The pairs of one warp in a round: pairs [first, end) of a list of n elements.
struct PairTile {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::uint32_t elements = 0;  ///< n
  std::uint32_t ahead = 0;     ///< results of earlier tiles beyond one a pair
};

/// Tile t of `tiles` equal ones: all pairs of n elements, `lanes` side by side.
ZKGPU_HD constexpr PairTile pair_tile(std::uint32_t n, std::uint32_t t, std::uint32_t tiles,
                                      std::uint32_t lanes) noexcept {
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
  std::uint32_t count = 0;
  for (std::uint32_t at = tile.first; at < tile.end; at += Warp::lanes) {
    count += warp.count(keys_of_pair(keys, tile, at + warp.lane()).apart());
  }
  return count;
}

/// The elements of one step of a warp, brought near while it computes the step before: two for each
/// lane, and for the second pass the products of the first.
///
/// @tparam Warp  copy(to, from): begins to copy a piece; commit(): ends a group of copies;
///   finish<n>(): all lanes' copies but those of the n last groups are done; join(): all lanes are
///   here
template <CurveParams P, class Warp>
class PairStage {
  using F = typename P::BaseField;
  using Point = Affine<P>;
  static constexpr unsigned elements = 2 * Warp::lanes;

 public:
  /// Pieces that a stage needs of a warp's shared memory.
  static constexpr unsigned pieces = pieces_of<Point> * elements + pieces_of<F> * Warp::lanes;

  ZKGPU_HD PairStage(MemoryPiece* memory, const Warp& warp) noexcept
      : memory_(memory), warp_(warp) {}

  /// Which half of the memory abscissas are in: while one half is read the other is filled.
  ZKGPU_HD void turn() noexcept { offset_ = pieces_of<F> * elements - offset_; }
  ZKGPU_HD void use_whole() noexcept { offset_ = 0; }

  /// Reads where the elements of the step of the pairs [at, at + lanes) are. For a later `begin`;
  /// any `at`.
  ZKGPU_HD void look(const GatheredPoints<P>& list, const PairTile& tile,
                     std::uint32_t at) noexcept {
    ZKGPU_UNROLL for (std::uint32_t half = 0; half < 2; ++half) {
      places_[half] = list.places[element(tile, at, half)];
    }
  }
  ZKGPU_HD void look(const ListedPoints<P>&, const PairTile&, std::uint32_t) const noexcept {}

  /// Begins the step that was looked at: abscissas, or all and the products.
  template <class List>
  ZKGPU_HD void begin(const List& list, const PairTile& tile, std::uint32_t at, bool whole,
                      const MemoryPiece* products) noexcept {
    negated_ = 0;
    ZKGPU_UNROLL for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t k = half * Warp::lanes + warp_.lane();
      // element k is lane k/2's: its left or its right
      MemoryPiece* const to = memory_ + offset_ + (k % 2) * Warp::lanes + k / 2;
      copy(list, element(tile, at, half), to, whole, half);
    }
    if (products != nullptr) {
      ZKGPU_UNROLL for (unsigned p = 0; p < pieces_of<F>; ++p) {
        warp_.copy(memory_ + pieces_of<Point> * elements + p * Warp::lanes + warp_.lane(),
                   products + p * PointArray<F>::block);
      }
    }
    warp_.commit();
  }
  ZKGPU_HD F x(unsigned right) const noexcept { return value<F>(right); }
  ZKGPU_HD Point point(unsigned right) const noexcept {
    Point r = value<Point>(right);
    if ((negated_ >> right & 1) != 0) r.y = -r.y;
    return r;
  }
  /// The ordinate straight from memory: seldom wanted in the first pass.
  template <class List>
  ZKGPU_HD static F ordinate(const List& list, std::uint32_t i) noexcept {
    return far_point(list, i).y;
  }
  ZKGPU_HD F product() const noexcept {
    return load_pieces<F>(memory_ + pieces_of<Point> * elements + warp_.lane(), Warp::lanes);
  }

 private:
  /// The one of a step's elements that this lane copies; the list's last where there is none.
  ZKGPU_HD std::uint32_t element(const PairTile& tile, std::uint32_t at,
                                 std::uint32_t half) const noexcept {
    const std::uint32_t i = 2 * at + half * Warp::lanes + warp_.lane();
    return i < tile.elements ? i : tile.elements - 1;
  }
  template <class T>
  ZKGPU_HD T value(unsigned right) const noexcept {
    return load_pieces<T>(memory_ + offset_ + right * Warp::lanes + warp_.lane(), elements);
  }
  ZKGPU_HD void copy(const GatheredPoints<P>& list, std::uint32_t, MemoryPiece* to, bool whole,
                     std::uint32_t half) noexcept {
    const std::uint32_t place = places_[half];
    copy_pieces(to, reinterpret_cast<const MemoryPiece*>(list.table + (place & 0x7fffffffu)), 1,
                whole);
    negated_ |= warp_.own_pair(place >> 31 != 0, half);
  }
  ZKGPU_HD void copy(const ListedPoints<P>& list, std::uint32_t i, MemoryPiece* to, bool whole,
                     std::uint32_t) noexcept {
    const PieceSteps from = list.points.at(i);
    copy_pieces(to, list.points.pieces + from.first, from.stride, whole);
  }
  ZKGPU_HD void copy_pieces(MemoryPiece* to, const MemoryPiece* from, unsigned stride,
                            bool whole) const noexcept {
    ZKGPU_UNROLL for (unsigned p = 0; p < pieces_of<Point>; ++p) {
      if (whole || p < pieces_of<F>) warp_.copy(to + p * elements, from + p * stride);
    }
  }
  ZKGPU_HD static Point far_point(const GatheredPoints<P>& list, std::uint32_t i) noexcept {
    return point_at(list.table, list.places[i]);
  }
  ZKGPU_HD static Point far_point(const ListedPoints<P>& list, std::uint32_t i) noexcept {
    const PieceSteps from = list.points.at(i);
    return load_pieces<Point>(list.points.pieces + from.first, from.stride);
  }

  MemoryPiece* memory_;
  Warp warp_;
  unsigned offset_ = 0;
  std::uint32_t places_[2] = {};
  std::uint32_t negated_ = 0;  ///< bit 0: this lane's left element, bit 1: its right one
};

/// What the first pass of a tile leaves to the second.
template <Field F>
struct PairProduct {
  F product;            ///< of a lane's denominators
  std::uint32_t end;    ///< the first pair behind the tile's steps
  std::uint32_t ahead;  ///< results beyond one a pair, before that one
};

/// Multiplies the denominators of a lane's pairs, and keeps the product before each.
///
/// @tparam far  see peel_and_add
/// @pre    the tile has pairs
/// @cost   1M a pair
template <CurveParams P, bool far, class List, class Warp>
ZKGPU_HD PairProduct<typename P::BaseField> multiply_denominators(
    PairStage<P, Warp>& stage, const std::uint32_t* list_keys, const List& list,
    const PairResults<P>& out, const PairTile& tile, const Warp& warp) noexcept {
  using F = typename P::BaseField;
  F product = F::one();
  F denominator{};
  std::uint32_t ahead = tile.ahead;
  std::uint32_t at = tile.first;
  // two steps are on their way while a third is computed
  stage.look(list, tile, at);
  stage.begin(list, tile, at, false, nullptr);
  stage.turn();
  stage.look(list, tile, at + Warp::lanes);
  stage.begin(list, tile, at + Warp::lanes, false, nullptr);
  stage.turn();
  stage.look(list, tile, at + 2 * Warp::lanes);
  PairKeys next = keys_of_pair(list_keys, tile, at + warp.lane());
  ZKGPU_NO_UNROLL for (; at < tile.end; at += Warp::lanes) {
    const std::uint32_t pair = at + warp.lane();
    const PairKeys keys = next;
    warp.template finish<1>();
    const F x1 = stage.x(0);
    const F x2 = stage.x(1);
    warp.join();
    next = keys_of_pair(list_keys, tile, pair + Warp::lanes);
    stage.begin(list, tile, at + 2 * Warp::lanes, false, nullptr);
    stage.turn();
    stage.look(list, tile, at + 3 * Warp::lanes);
    ahead += warp.count(keys.apart());
    store_pieces(out.product(pair), PointArray<F>::block, product);
    if (!keys.together()) continue;
    const std::uint32_t i = 2 * pair;
    const PairCase which = case_of_pair(
        x1, x2, [&] { return stage.ordinate(list, i); },
        [&] { return stage.ordinate(list, i + 1); }, denominator);
    if (which != PairCase::sum && which != PairCase::twice) continue;
    if constexpr (far) {
      product = far_product(product, denominator);
    } else {
      product = product * denominator;
    }
  }
  warp.template finish<0>();
  stage.use_whole();
  return {product, at, ahead};
}

/// a + b for one pair, whose place in a product of denominators `inverse` inverts.
template <bool far, CurveParams P>
ZKGPU_HD constexpr Affine<P> pair_sum(const Affine<P>& a, const Affine<P>& b,
                                      const typename P::BaseField& before,
                                      typename P::BaseField& inverse) noexcept {
  typename P::BaseField denominator{};
  const PairCase which = case_of_pair(
      a.x, b.x, [&a] { return a.y; }, [&b] { return b.y; }, denominator);
  if (which == PairCase::cancel) return Affine<P>::infinity();
  if (which == PairCase::right) return b;
  if (which == PairCase::left) return a;
  return peel_and_add<far>(a, b, which == PairCase::twice, before, denominator, inverse);
}

/// One lane's share of a round: every `lanes`-th pair of a tile. Two passes: the first multiplies
/// the denominators and keeps the products before each; then one inversion; the second goes back,
/// peels one inverse after the other off it, and adds.
///
/// Results keep the order of the list; pair k of a list goes to k plus the number of pairs apart
/// before it.
///
/// @tparam far    see peel_and_add
/// @param memory  PairStage::pieces for this warp
/// @param warp    lanes, lane(), before(flag): flags of lower lanes, count(flag): of all, and what
///   PairStage wants
/// @cost  5M + 1S a pair, one inversion
template <CurveParams P, bool far, class List, class Warp>
ZKGPU_HD void add_pairs(const std::uint32_t* list_keys, const List& list, const PairResults<P>& out,
                        const PairTile& tile, MemoryPiece* memory, const Warp& warp) noexcept {
  using F = typename P::BaseField;
  if (tile.first == tile.end) return;
  PairStage<P, Warp> stage(memory, warp);
  const PairProduct<F> first =
      multiply_denominators<P, far>(stage, list_keys, list, out, tile, warp);
  F inverse = first.product.inverse();
  std::uint32_t ahead = first.ahead;
  std::uint32_t at = first.end - Warp::lanes;
  stage.look(list, tile, at);
  stage.begin(list, tile, at, true, out.product(at + warp.lane()));
  stage.look(list, tile, at - Warp::lanes);
  PairKeys next = keys_of_pair(list_keys, tile, at + warp.lane());
  ZKGPU_NO_UNROLL for (bool more = true; more;) {
    const std::uint32_t pair = at + warp.lane();
    const PairKeys keys = next;
    warp.template finish<0>();
    Affine<P> a = stage.point(0);
    const Affine<P> b = stage.point(1);
    const F before = stage.product();
    warp.join();
    more = at > tile.first;
    at -= Warp::lanes;
    if (more) {
      next = keys_of_pair(list_keys, tile, pair - Warp::lanes);
      stage.begin(list, tile, at, true, out.product(pair - Warp::lanes));
      stage.look(list, tile, at - Warp::lanes);
    }
    ahead -= warp.count(keys.apart());
    const std::uint32_t to = pair + ahead + warp.before(keys.apart());
    if (!keys.has_left) continue;
    if (keys.apart()) {
      out.put(to + 1, keys.right, b);
    } else if (keys.has_right) {
      a = pair_sum<far>(a, b, before, inverse);
    }
    out.put(to, keys.left, a);
  }
}

}  // namespace zkgpu
