// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/lanes/elements_avx512ifma_impl.hpp>
#include <zkgpu/msm/bucket.hpp>
#include <zkgpu/msm/cpu/lane_engine.hpp>

/// Groups of eight sums in registers, and the two passes over the groups of a batch.
namespace zkgpu::msm_cpu {

/// n, as an element of either field.
template <class F>
constexpr F field_element(std::uint64_t n) noexcept {
  using Prime = typename PrimeBelow<F>::Type;
  const Prime made = Prime::from_integer(Prime::Integer::from_uint64(n));
  if constexpr (PrimeBelow<F>::degree == 1) {
    return made;
  } else {
    return F{made, Prime::zero()};
  }
}

/// What does not depend on where operands stand.
///
/// A source says where: `abscissas(side)` and `ordinates(side)` of the left (0) and right (1)
/// operands, below 2·modulus, digits of ordinates perhaps signed; `store(x, y)`.
template <CurveGroup G, CpuArch A>
struct LaneGroup {
  using F = typename G::BaseField;
  using Prime = typename PrimeBelow<F>::Type;
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

  static constexpr auto zero = make_lane_constant(F::zero());
  static constexpr auto one = make_lane_constant(F::one());
  /// Coordinates are divided by 2^32 = scale², slopes by scale.
  static constexpr unsigned log_scale = 16;
  static constexpr auto scale_inverse =
      make_lane_constant(field_element<F>(std::uint64_t{1} << log_scale).inverse());

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
  [[gnu::always_inline]] static Field<Bound> constant(const LaneConstant<F>& value) noexcept {
    Field<Bound> x;
    for_coordinates(x, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) lanes.limb[i] =
          ifma::splat(value.digits[c][i]);
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
  [[gnu::always_inline]] static Field<4> denominator(const Source& source,
                                                     std::uint32_t& marks) noexcept {
    const auto x1 = source.abscissas(0);
    const auto x2 = source.abscissas(1);
    const Field<4> difference = x2 - x1;
    const unsigned infinite1 = no_digits(x1), infinite2 = no_digits(x2);
    const unsigned candidates = maybe_zero(difference);
    marks = infinite1 << left_infinite | infinite2 << right_infinite;
    if ((marks | candidates) == 0) [[likely]]
      return difference;
    return special_denominator(source, difference, marks);
  }

  /// The sums of a group, given 1/scale of the inverse of each denominator.
  template <class Source>
  [[gnu::always_inline]] static void add(const Source& source, const Field<product_bound>& own,
                                         std::uint32_t marks) noexcept {
    const auto x1 = source.abscissas(0);
    const auto y1 = source.ordinates(0);
    auto numerator = (source.ordinates(1) - y1).template widened<16>();
    if ((marks >> tangent & 0xff) != 0) [[unlikely]] {
      const auto mask = static_cast<std::uint8_t>(marks >> tangent);
      numerator = Field<16>::select(mask, tangent_numerator(x1), numerator);
    }
    const auto slope = own * numerator;                           // λ/scale
    auto x3 = slope.square_less(slope, x1, source.abscissas(1));  // λ²/scale² - x1 - x2
    const auto fall = (x1 - x3).template times_power_of_two<log_scale>();
    auto y3 = slope.product_less(slope, fall, y1);  // λ(x1 - x3) - y1
    if ((marks & ~(0xffU << tangent)) != 0) [[unlikely]]
      set_special(source, marks, x3, y3);
    source.store(x3, y3);
  }

 private:
  template <class Source>
  [[gnu::noinline]] static Field<4> special_denominator(const Source& source,
                                                        const Field<4>& difference,
                                                        std::uint32_t& marks) noexcept {
    const auto y1 = source.ordinates(0);
    const auto y2 = source.ordinates(1);
    const unsigned infinite = (marks >> left_infinite | marks >> right_infinite) & 0xff;
    const unsigned same_x = difference.zero_mask() & ~infinite;
    const unsigned same_y = (y2 - y1).zero_mask();
    const unsigned tangents = same_x & same_y, opposites = same_x & ~same_y;
    marks |= tangents << tangent | opposites << opposite;
    using Select = Field<4>;
    Select d = Select::select(static_cast<std::uint8_t>(infinite | opposites), constant<4>(one),
                              difference);
    d = Select::select(static_cast<std::uint8_t>(tangents), y1.doubled(), d);
    return d;
  }
  /// 3x²·scale²: the slope of a tangent, λ = 3x²/2y, is that of the curve itself.
  [[gnu::noinline]] static Field<16> tangent_numerator(const Field<2>& x) noexcept {
    if constexpr (PrimeBelow<F>::degree == 1) {
      const auto xx = x.template times_power_of_two<log_scale>().square();
      return (xx.doubled() + xx).template widened<16>();
    } else {  // one power of two more than the square has room for
      const auto half_root = x.template times_power_of_two<log_scale - 1>();
      const auto xx = half_root.square().doubled().partially_reduced().doubled();
      return (xx.doubled() + xx).template widened<16>();
    }
  }
  /// The sums of marked lanes that are no plain sum: an operand, or infinity.
  template <class Source>
  [[gnu::noinline]] static void set_special(const Source& source, std::uint32_t marks, Field<2>& x,
                                            Field<2>& y) noexcept {
    using Select = Field<2>;
    const auto mask = [marks](unsigned at) { return static_cast<std::uint8_t>(marks >> at); };
    x = Select::select(mask(opposite), constant<2>(zero), x);
    if ((mask(left_infinite) | mask(right_infinite)) == 0) return;
    x = Select::select(mask(right_infinite), source.abscissas(0), x);
    y = Select::select(mask(right_infinite), source.ordinates(0), y);
    x = Select::select(mask(left_infinite), source.abscissas(1), x);
    y = Select::select(mask(left_infinite), source.ordinates(1), y);
    for_coordinates(y, [](auto& lanes, std::size_t) { lanes.carry(); });
  }
};

enum class CacheLevel { first, second };

/// The number of the group that comes as step `step` of the first pass, or of the second backwards.
template <class Source>
constexpr std::size_t group_of_step(std::size_t step, std::size_t groups) noexcept {
  return Source::first_pass_upward ? step : groups - 1 - step;
}

/// First pass: see LaneKernels::multiply.
/// @param pairs  what a Source is made of, with the number of a group
template <class Source, CurveGroup G, CpuArch A, class Pairs>
[[gnu::always_inline]] inline void multiply_groups(
    std::size_t groups, const Pairs& pairs,
    const PairScratch<typename LaneGroup<G, A>::Element>& scratch,
    typename G::BaseField (&products)[8]) noexcept {
  using Group = LaneGroup<G, A>;
  constexpr unsigned bound = Group::product_bound;
  constexpr std::size_t width = 8;
  // Two chains, for even and odd groups: one product does not wait for the last.
  typename Group::template Field<bound> chain[2] = {Group::template constant<bound>(Group::one),
                                                    Group::template constant<bound>(Group::one)};
  for (std::size_t step = 0; step < groups; ++step) {
    if (step + Source::ahead < groups) {
      Source::template prefetch<CacheLevel::second>(
          pairs, group_of_step<Source>(step + Source::ahead, groups));
    }
    const std::size_t g = group_of_step<Source>(step, groups);
    const auto d = Group::denominator(Source(pairs, g), scratch.marks[g]);
    Group::template save<4>(d, scratch.differences + width * g);
    auto& c = chain[g % 2];
    Group::template save<bound>(c, scratch.products + width * g);
    c = c * d.template widened<16>();
  }
  Group::template save<bound>(chain[0], scratch.differences + width * groups);
  Group::template save<bound>(chain[1], scratch.products + width * groups);
  Group::to_elements(chain[0] * chain[1].template widened<16>(), products);
}

/// Second pass: see LaneKernels::finish.
template <class Source, CurveGroup G, CpuArch A, class Pairs>
[[gnu::always_inline]] inline void finish_groups(
    std::size_t groups, const Pairs& pairs,
    const PairScratch<typename LaneGroup<G, A>::Element>& scratch,
    const typename G::BaseField (&inverses)[8]) noexcept {
  using Group = LaneGroup<G, A>;
  constexpr std::size_t width = 8;
  constexpr unsigned bound = Group::product_bound;
  // Divided by `scale` once, for all that follow.
  const auto start = Group::from_elements(inverses).template widened<bound>() *
                     Group::template constant<16>(Group::scale_inverse);
  const auto chain0 = Group::template restore<bound>(scratch.differences + width * groups);
  const auto chain1 = Group::template restore<bound>(scratch.products + width * groups);
  typename Group::template Field<bound> inverse[2] = {start * chain1.template widened<16>(),
                                                      start * chain0.template widened<16>()};
  for (std::size_t step = groups; step-- > 0;) {
    const std::size_t g = group_of_step<Source>(step, groups);
    if (step > 0) {
      Source::template prefetch<CacheLevel::first>(pairs, group_of_step<Source>(step - 1, groups));
    }
    const auto d = Group::template restore<4>(scratch.differences + width * g);
    const auto next = Group::template restore<bound>(scratch.products + width * g);
    auto& c = inverse[g % 2];
    const auto own = c * next.template widened<16>();
    c = c * d.template widened<16>();
    Group::add(Source(pairs, g), own, scratch.marks[g]);
  }
}

}  // namespace zkgpu::msm_cpu
