// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/msm/cpu/lane_engine.hpp>
#include <zkgpu/msm/cpu/lane_field_avx512ifma_impl.hpp>
#include <zkgpu/msm/cpu/lane_groups_avx512ifma_impl.hpp>

namespace zkgpu::msm_cpu {

/// An element's digits in Montgomery form for 2^416.
///
/// Made at compile time only: this unit must not bring a copy of its own, made with its
/// instructions, of functions that all units share.
template <class F>
struct LaneConstant {
  using Prime = typename PrimeBelow<F>::Type;
  using Digits = typename Radix52<Prime>::Digits;
  Digits coordinate[PrimeBelow<F>::degree];
};
template <class F>
constexpr LaneConstant<F> lane_constant(const F& value) noexcept {
  using Prime = typename PrimeBelow<F>::Type;
  using Radix = Radix52<Prime>;
  const Prime scale = Prime::from_integer(Prime::Integer::from_uint64(std::uint64_t{1} << 32));
  if constexpr (PrimeBelow<F>::degree == 1) {
    return {{Radix::digits((value * scale).montgomery())}};
  } else {
    return {{Radix::digits((value.c0 * scale).montgomery()),
             Radix::digits((value.c1 * scale).montgomery())}};
  }
}
template <class F>
inline constexpr LaneConstant<F> lane_zero = lane_constant(F::zero());
template <class F>
inline constexpr LaneConstant<F> lane_one = lane_constant(F::one());

/// One group of eight pairs in registers.
template <CurveGroup G, CpuArch A>
struct LaneGroup {
  using F = typename G::BaseField;
  using Prime = typename PrimeBelow<F>::Type;
  using Point = LanePoint<G>;
  using Element = LaneElement<PrimeBelow<F>::degree>;
  using Vector = ifma::Vector;
  using Constants = Radix52<Prime>;
  template <unsigned Bound>
  using Field = typename FieldLanes<F, A, Bound>::Type;
  /// What a product is bounded by: 2, and 6 in the extension.
  static constexpr unsigned product_bound = PrimeBelow<F>::degree == 1 ? 2 : 6;
  static_assert(Constants::limbs == 8, "a coordinate is one cache line of eight digits");

  // Marks of a group, a byte each.
  static constexpr unsigned left_infinite = 0, right_infinite = 8, tangent = 16, opposite = 24;

  /// Eight elements, one from each address, to lanes.
  template <class At>
  [[gnu::always_inline]] static Field<2> gather(const At& element) noexcept {
    Field<2> r;
    for_coordinates(r, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
        lanes.limb[k] = Vector::load_aligned(element(k).digit[c]);
      }
      transpose(lanes.limb);
    });
    return r;
  }
  /// The left (side 0) or right (1) ordinates: their digits may be signed, their signs apart.
  template <class Source>
  [[gnu::always_inline]] static Field<2> ordinates(const Source& from, std::size_t side) noexcept {
    Field<2> r = gather([&](std::size_t k) -> const auto& {
      return side == 0 ? from.left(k).y : from.right(k).y;
    });
    for_coordinates(r, [&](auto& lanes, std::size_t) {
      if constexpr (Source::has_signs) {
        constexpr auto twice = Constants::multiple(2);
        ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
          lanes.limb[i] = _mm512_mask_sub_epi64(lanes.limb[i], from.negative[side],
                                                ifma::splat(twice[i]), lanes.limb[i]);
        }
      }
      lanes.carry();
    });
    return r;
  }
  template <class Source>
  [[gnu::always_inline]] static Field<2> abscissas(const Source& from, std::size_t side) noexcept {
    return gather([&](std::size_t k) -> const auto& {
      return side == 0 ? from.left(k).x : from.right(k).x;
    });
  }
  template <class At>
  [[gnu::always_inline]] static void scatter(Field<2> x, const At& element) noexcept {
    for_coordinates(x, [&](auto& lanes, std::size_t c) {
      transpose(lanes.limb);
      ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
        lanes.limb[k].store_aligned(element(k).digit[c]);
      }
    });
  }

  /// Lanes to eight elements of F, and back.
  [[gnu::always_inline]] static void to_elements(const Field<product_bound>& x,
                                                 F (&elements)[8]) noexcept {
    for_coordinates(x, [&](const auto& lanes, std::size_t c) {
      Prime* to[8];
      for (std::size_t k = 0; k < 8; ++k) to[k] = reinterpret_cast<Prime*>(&elements[k]) + c;
      lanes.store(to);
    });
  }
  [[gnu::always_inline]] static Field<2> from_elements(const F (&elements)[8]) noexcept {
    Field<2> x;
    for_coordinates(x, [&](auto& lanes, std::size_t c) {
      const Prime* from[8];
      for (std::size_t k = 0; k < 8; ++k) {
        from[k] = reinterpret_cast<const Prime*>(&elements[k]) + c;
      }
      lanes = lanes.load(from);
    });
    return x;
  }

  /// Lanes as they are, to and from the scratch.
  template <unsigned Bound>
  [[gnu::always_inline]] static void save(const Field<Bound>& x, Element* to) noexcept {
    auto* const digits = &to->digit[0][0];
    for_coordinates(x, [&](const auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        lanes.limb[i].store_aligned(digits + 64 * c + 8 * i);
      }
    });
  }
  template <unsigned Bound>
  [[gnu::always_inline]] static Field<Bound> restore(const Element* from) noexcept {
    const auto* const digits = &from->digit[0][0];
    Field<Bound> x;
    for_coordinates(x, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        lanes.limb[i] = Vector::load_aligned(digits + 64 * c + 8 * i);
      }
    });
    return x;
  }

  template <unsigned Bound>
  [[gnu::always_inline]] static Field<Bound> constant(const LaneConstant<F>& digits) noexcept {
    Field<Bound> x;
    for_coordinates(x, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) lanes.limb[i] =
          ifma::splat(digits.coordinate[c][i]);
    });
    return x;
  }
  /// Lanes whose digits are all zero.
  [[gnu::always_inline]] static std::uint8_t no_digits(const Field<2>& x) noexcept {
    Vector any = ifma::splat(0);
    for_coordinates(x, [&](const auto& lanes, std::size_t) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) any = any | lanes.limb[i];
    });
    return static_cast<std::uint8_t>(_mm512_testn_epi64_mask(any, any));
  }
  /// Lanes that may be zero: their lowest digit is that of 0, 1, 2 or 3 times the modulus.
  /// Otherwise they are not zero.
  [[gnu::always_inline]] static std::uint8_t maybe_zero(const Field<4>& x) noexcept {
    unsigned all = 0xff;
    for_coordinates(x, [&](const auto& lanes, std::size_t) {
      unsigned some = 0;
      unrolled<4>([&](auto multiple) __attribute__((always_inline)) {
        constexpr std::uint64_t digit = Constants::multiple(decltype(multiple)::value)[0];
        some |= _mm512_cmpeq_epi64_mask(lanes.limb[0], ifma::splat(digit));
      });
      all &= some;
    });
    return static_cast<std::uint8_t>(all);
  }

  /// A denominator of every lane, and the marks of lanes that are no plain sum of two points.
  template <class Source>
  [[gnu::always_inline]] static Field<4> denominator(const Source& pairs,
                                                     std::uint32_t& marks) noexcept {
    const auto x1 = abscissas(pairs, 0);
    const auto x2 = abscissas(pairs, 1);
    const Field<4> difference = x2 - x1;
    const unsigned infinite1 = no_digits(x1), infinite2 = no_digits(x2);
    const unsigned candidates = maybe_zero(difference);
    marks = infinite1 << left_infinite | infinite2 << right_infinite;
    if ((marks | candidates) == 0) [[likely]]
      return difference;
    return special_denominator(pairs, difference, marks);
  }

  template <class Source>
  [[gnu::noinline]] static Field<4> special_denominator(const Source& pairs,
                                                        const Field<4>& difference,
                                                        std::uint32_t& marks) noexcept {
    const auto y1 = ordinates(pairs, 0);
    const auto y2 = ordinates(pairs, 1);
    const unsigned infinite = (marks >> left_infinite | marks >> right_infinite) & 0xff;
    const unsigned same_x = difference.zero_mask() & ~infinite;
    const unsigned same_y = (y2 - y1).zero_mask();
    const unsigned tangents = same_x & same_y, opposites = same_x & ~same_y;
    marks |= tangents << tangent | opposites << opposite;
    const auto other = constant<4>(lane_one<F>);
    using Select = Field<4>;
    Select d = Select::select(static_cast<std::uint8_t>(infinite | opposites), other, difference);
    d = Select::select(static_cast<std::uint8_t>(tangents), y1.doubled(), d);
    return d;
  }

  /// The sums of a group, given the inverse of each denominator.
  template <class Source>
  [[gnu::always_inline]] static void add(const Source& pairs, const Field<product_bound>& own,
                                         std::uint32_t marks) noexcept {
    const auto x1 = abscissas(pairs, 0);
    const auto y1 = ordinates(pairs, 0);
    auto numerator = (ordinates(pairs, 1) - y1).template widened<16>();
    const auto both = x1 + abscissas(pairs, 1);
    if ((marks >> tangent & 0xff) != 0) [[unlikely]] {
      const auto xx = x1.square();
      const auto mask = static_cast<std::uint8_t>(marks >> tangent);
      numerator = Field<16>::select(mask, (xx.doubled() + xx).template widened<16>(), numerator);
    }
    const auto slope = own * numerator;
    auto x3 = (slope.square() - both).partially_reduced();  // λ² - x1 - x2
    auto y3 =
        (slope * (x1 - x3).template widened<16>() - y1).partially_reduced();  // λ(x1 - x3) - y1
    if (marks != 0) [[unlikely]]
      set_special(pairs, marks, x3, y3);
    scatter(
        x3, [&](std::size_t k) -> auto& { return pairs.sum(k).x; });
    scatter(
        y3, [&](std::size_t k) -> auto& { return pairs.sum(k).y; });
  }

 private:
  /// The sums of marked lanes that are no plain sum: an operand, or infinity.
  template <class Source>
  [[gnu::noinline]] static void set_special(const Source& pairs, std::uint32_t marks, Field<2>& x,
                                            Field<2>& y) noexcept {
    using Select = Field<2>;
    const auto mask = [marks](unsigned at) { return static_cast<std::uint8_t>(marks >> at); };
    x = Select::select(mask(opposite), constant<2>(lane_zero<F>), x);
    x = Select::select(mask(right_infinite), abscissas(pairs, 0), x);
    y = Select::select(mask(right_infinite), ordinates(pairs, 0), y);
    x = Select::select(mask(left_infinite), abscissas(pairs, 1), x);
    y = Select::select(mask(left_infinite), ordinates(pairs, 1), y);
  }
};

template <CurveGroup G, CpuArch A, class Pairs>
[[gnu::always_inline]] inline void multiply_groups(
    std::size_t groups, const Pairs& pairs,
    const PairScratch<typename LaneKernels<G, A>::Element>& scratch,
    typename G::BaseField (&products)[8]) noexcept {
  using Group = LaneGroup<G, A>;
  using F = typename G::BaseField;
  using Product = typename Group::template Field<Group::product_bound>;
  using Source = typename GroupOf<Pairs>::Type;
  constexpr std::size_t width = LaneKernels<G, A>::width;
  constexpr std::size_t ahead = 4;  // groups
  // Two chains, for even and odd groups: one product does not wait for the last.
  Product chain[2] = {Group::template constant<Group::product_bound>(lane_one<F>),
                      Group::template constant<Group::product_bound>(lane_one<F>)};
  for (std::size_t g = groups; g-- > 0;) {
    if (g >= ahead) Source::prefetch(pairs, g - ahead);
    const auto d = Group::denominator(Source(pairs, g), scratch.marks[g]);
    Group::template save<4>(d, scratch.differences + width * g);
    Product& c = chain[g % 2];
    Group::template save<Group::product_bound>(c, scratch.products + width * g);
    c = c * d.template widened<16>();
  }
  Group::template save<Group::product_bound>(chain[0], scratch.differences + width * groups);
  Group::template save<Group::product_bound>(chain[1], scratch.products + width * groups);
  Group::to_elements(chain[0] * chain[1].template widened<16>(), products);
}

template <CurveGroup G, CpuArch A, class Pairs>
[[gnu::always_inline]] inline void finish_groups(
    std::size_t groups, const Pairs& pairs,
    const PairScratch<typename LaneKernels<G, A>::Element>& scratch,
    const typename G::BaseField (&inverses)[8]) noexcept {
  using Group = LaneGroup<G, A>;
  using Product = typename Group::template Field<Group::product_bound>;
  using Source = typename GroupOf<Pairs>::Type;
  constexpr std::size_t width = LaneKernels<G, A>::width;
  constexpr unsigned bound = Group::product_bound;
  const auto start = Group::from_elements(inverses).template widened<bound>();
  const auto chain0 = Group::template restore<bound>(scratch.differences + width * groups);
  const auto chain1 = Group::template restore<bound>(scratch.products + width * groups);
  Product inverse[2] = {start * chain1.template widened<16>(),
                        start * chain0.template widened<16>()};
  for (std::size_t g = 0; g < groups; ++g) {
    const auto d = Group::template restore<4>(scratch.differences + width * g);
    const auto after = Group::template restore<bound>(scratch.products + width * g);
    Product& c = inverse[g % 2];
    const Product own = c * after.template widened<16>();
    c = c * d.template widened<16>();
    Group::add(Source(pairs, g), own, scratch.marks[g]);
  }
}

template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::multiply(std::size_t groups, const PointPair<Point>* pairs,
                                 const PairScratch<Element>& scratch,
                                 F (&products)[width]) noexcept {
  multiply_groups<G, A>(groups, pairs, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::multiply(std::size_t groups, const EntryPairs<Point>& pairs,
                                 const PairScratch<Element>& scratch,
                                 F (&products)[width]) noexcept {
  multiply_groups<G, A>(groups, pairs, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::finish(std::size_t groups, const PointPair<Point>* pairs,
                               const PairScratch<Element>& scratch,
                               const F (&inverses)[width]) noexcept {
  finish_groups<G, A>(groups, pairs, scratch, inverses);
}
template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::finish(std::size_t groups, const EntryPairs<Point>& pairs,
                               const PairScratch<Element>& scratch,
                               const F (&inverses)[width]) noexcept {
  finish_groups<G, A>(groups, pairs, scratch, inverses);
}

template <CurveGroup G, CpuArch A>
void LaneKernels<G, A>::convert(const Affine* const (&from)[width],
                                Point* const (&to)[parts][width], unsigned stored) noexcept {
  using Group = LaneGroup<G, A>;
  using Prime = typename Group::Prime;
  typename Group::template Field<2> x, y;
  const auto load = [&](auto& lanes, std::size_t at) {
    const Prime* address[width];
    for (std::size_t k = 0; k < width; ++k) {
      address[k] = reinterpret_cast<const Prime*>(from[k]) + at;
    }
    lanes = lanes.load(address);
  };
  constexpr std::size_t degree = PrimeBelow<F>::degree;
  for_coordinates(x, [&](auto& lanes, std::size_t c) { load(lanes, c); });
  for_coordinates(y, [&](auto& lanes, std::size_t c) { load(lanes, degree + c); });
  for (unsigned p = 0; p < stored; ++p) {
    if (p > 0) {
      if constexpr (degree == 1) {  // -φ²(x, y) = (β²x, -y)
        constexpr auto beta_squared = lane_constant(G::beta().square());
        x = x * Group::template constant<2>(beta_squared);
        y = -y;
      } else {  // ψ(x, y): conjugates times constants
        constexpr auto for_x = lane_constant(G::Tower::frobenius_v_inverse());
        constexpr auto for_y = lane_constant(G::Tower::frobenius_vw_inverse());
        x.c1 = -x.c1;
        y.c1 = -y.c1;
        x = (x * Group::template constant<16>(for_x)).partially_reduced();
        y = (y * Group::template constant<16>(for_y)).partially_reduced();
      }
    }
    Group::scatter(
        x, [&](std::size_t k) -> auto& { return to[p][k]->x; });
    Group::scatter(
        y, [&](std::size_t k) -> auto& { return to[p][k]->y; });
  }
}

}  // namespace zkgpu::msm_cpu
