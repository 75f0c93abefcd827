// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/msm/cuda/lazy_bucket.hpp>
#include <zkgpu/msm/cuda/pair_lists.hpp>
#include <zkgpu/msm/cuda/pair_stage.hpp>

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

/// Whether there is something to divide by.
ZKGPU_HD constexpr bool has_denominator(PairCase which) noexcept {
  return which == PairCase::sum || which == PairCase::twice;
}

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

/// The product of the denominators of a lane's pairs in a tile; keeps the product before each.
///
/// @param memory  of PairStage<P, Warp, false> twice
/// @pre    the tile has pairs
/// @cost   1M a pair
template <CurveParams P, class List, class Warp>
ZKGPU_HD typename P::BaseField multiply_denominators(const std::uint32_t* list_keys,
                                                     const List& list, const PairResults<P>& out,
                                                     const PairTile& tile, MemoryPiece* memory,
                                                     const Warp& warp) noexcept {
  using F = typename P::BaseField;
  using Stage = PairStage<P, Warp, false>;
  Stage stage(memory, warp);
  F product = F::one();
  std::uint32_t at = tile.first;
  // two steps are on their way while a third is computed
  ZKGPU_UNROLL for (std::uint32_t ahead = 0; ahead < 2; ++ahead) {
    stage.look(list, tile, at + ahead * Warp::lanes);
    stage.begin(list, tile, at + ahead * Warp::lanes, nullptr);
    stage.turn();
  }
  stage.look(list, tile, at + 2 * Warp::lanes);
  PairKeys next = keys_of_pair(list_keys, tile, at + warp.lane());
  ZKGPU_NO_UNROLL for (; at < tile.end; at += Warp::lanes) {
    const std::uint32_t pair = at + warp.lane();
    const PairKeys keys = next;
    warp.template finish<1>();
    const F x1 = stage.x(0);
    const F x2 = stage.x(1);
    warp.join();  // the stage is read
    next = keys_of_pair(list_keys, tile, pair + Warp::lanes);
    stage.begin(list, tile, at + 2 * Warp::lanes, nullptr);
    stage.turn();
    stage.look(list, tile, at + 3 * Warp::lanes);
    store_pieces(out.product(pair), PointArray<F>::block, product);
    if (!keys.together()) continue;
    F denominator{};
    const PairCase which = case_of_pair(
        x1, x2, [&] { return Stage::ordinate(list, 2 * pair); },
        [&] { return Stage::ordinate(list, 2 * pair + 1); }, denominator);
    if (has_denominator(which)) product = product * denominator;
  }
  warp.template finish<0>();
  return product;
}

/// A sum that is left to do once the stage holds the next pair.
template <CurveParams P>
struct OpenSum {
  using F = typename P::BaseField;
  F slope, x1, x2, y1;

  /// @cost 1M + 1S
  ZKGPU_HD Affine<P> point() const noexcept {
    const F x = slope.square() - x1 - x2;
    return Affine<P>{x, slope * (x1 - x) - y1};
  }
};

/// The slope of the pair in a stage, whose place in a product of denominators `inverse` inverts.
/// Takes its own off it.
///
/// Reads a coordinate where it is wanted: with all of them in registers fewer warps would fit.
///
/// @param which  has_denominator
/// @cost  3M
template <CurveParams P, class Warp>
ZKGPU_HD OpenSum<P> open_sum(const PairStage<P, Warp, true>& stage, PairCase which,
                             const typename P::BaseField& denominator,
                             typename P::BaseField& inverse) noexcept {
  using F = typename P::BaseField;
  const F own = stage.product() * inverse;
  inverse = inverse * denominator;
  F rise = stage.y(1) - stage.y(0);
  if (which == PairCase::twice) rise = rise_of_tangent(stage.x(0));
  return {rise * own, stage.x(0), stage.x(1), stage.y(0)};
}

/// Pieces of shared memory that `add_pairs` needs for a warp.
template <CurveParams P, class Warp>
inline constexpr unsigned add_pairs_pieces = PairStage<P, Warp, true>::pieces;

/// One lane's share of a round: every `lanes`-th pair of a tile. Two passes: the first multiplies
/// the denominators and keeps the products before each; then one inversion; the second goes back,
/// peels one inverse after the other off it, and adds.
///
/// Results keep the order of the list; pair k of a list goes to k plus the number of pairs apart
/// before it.
///
/// @param ahead   pairs apart up to the end of the tile
/// @param memory  add_pairs_pieces for this warp
/// @param warp    lanes, lane(), before(flag): flags of lower lanes, count(flag): of all;
///   finish<n>(): all lanes' copies but those of the n last groups are done; join(): all lanes are
///   here; and what PairStage wants
/// @cost  5M + 1S a pair, one inversion
template <CurveParams P, class List, class Warp>
ZKGPU_HD void add_pairs(const std::uint32_t* list_keys, const List& list, const PairResults<P>& out,
                        const PairTile& tile, std::uint32_t ahead, MemoryPiece* memory,
                        const Warp& warp) noexcept {
  using F = typename P::BaseField;
  static_assert(2 * PairStage<P, Warp, false>::pieces <= add_pairs_pieces<P, Warp>);
  if (tile.first == tile.end) return;
  F inverse = multiply_denominators(list_keys, list, out, tile, memory, warp).inverse();
  PairStage<P, Warp, true> stage(memory, warp);
  std::uint32_t at = tile.last_step(Warp::lanes);
  stage.look(list, tile, at);
  stage.begin(list, tile, at, out.product(at + warp.lane()));
  stage.look(list, tile, at - Warp::lanes);
  PairKeys next = keys_of_pair(list_keys, tile, at + warp.lane());
  ZKGPU_NO_UNROLL for (bool more = true; more;) {
    const std::uint32_t pair = at + warp.lane();
    const PairKeys keys = next;
    more = at > tile.first;
    at -= Warp::lanes;
    if (more) next = keys_of_pair(list_keys, tile, pair - Warp::lanes);
    ahead -= warp.count(keys.apart());
    const std::uint32_t to = pair + ahead + warp.before(keys.apart());
    warp.template finish<0>();
    OpenSum<P> sum{};
    PairCase which = PairCase::cancel;
    if (keys.together()) {
      F denominator{};
      which = case_of_pair(
          stage.x(0), stage.x(1), [&] { return stage.y(0); }, [&] { return stage.y(1); },
          denominator);
      if (has_denominator(which)) {
        sum = open_sum<P>(stage, which, denominator, inverse);
      } else {
        out.put(to, keys.left,
                which == PairCase::cancel ? Affine<P>::infinity()
                                          : stage.point(which == PairCase::right ? 1 : 0));
      }
    } else {
      if (keys.has_left) out.put(to, keys.left, stage.point(0));
      if (keys.has_right) out.put(to + 1, keys.right, stage.point(1));
    }
    warp.join();  // the stage is read
    if (more) {
      stage.begin(list, tile, at, out.product(at + warp.lane()));
      stage.look(list, tile, at - Warp::lanes);
    }
    if (has_denominator(which)) out.put(to, keys.left, sum.point());
  }
}

}  // namespace zkgpu
