// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/msm/cpu/lane_kernels_avx512ifma_impl.hpp>
#include <zkgpu/msm/cpu/lane_sums.hpp>

namespace zkgpu::msm_cpu {

/// One group of eight sums in registers, with coordinates times 2^-32: see lane_sums.hpp.
template <CurveGroup G, CpuArch A>
struct LaneSumGroup {
  using F = typename G::BaseField;
  using Group = LaneGroup<G, A>;  // what does not depend on where operands stand
  using Prime = typename Group::Prime;
  using Vector = ifma::Vector;
  using Constants = Radix52<Prime>;
  template <unsigned Bound>
  using Field = typename Group::template Field<Bound>;
  using Sums = LaneSums<G>;
  using Bases = IndexedBases<G>;
  static constexpr std::size_t degree = PrimeBelow<F>::degree;
  static constexpr unsigned product_bound = Group::product_bound;
  static constexpr std::size_t words = Prime::limb_count;

  using Stored = std::uint64_t[degree][8][8];
  [[gnu::always_inline]] static Field<2> load(const Stored& from) noexcept {
    Field<2> r;
    for_coordinates(r, [&](auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
        lanes.limb[i] = Vector::load_aligned(from[c][i]);
      }
    });
    return r;
  }
  [[gnu::always_inline]] static void store(const Field<2>& x, Stored& to) noexcept {
    for_coordinates(x, [&](const auto& lanes, std::size_t c) {
      ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) lanes.limb[i].store_aligned(to[c][i]);
    });
  }

  /// Coordinate `which` (0: x, 1: y) of eight bases: their digits as they are.
  [[gnu::always_inline]] static Field<2> raw(const Bases& from, std::size_t g,
                                             std::size_t which) noexcept {
    Field<2> r;
    for_coordinates(
        r, [&](auto& lanes, std::size_t c) __attribute__((always_inline)) {
          Vector word[8];
          unrolled<8>([&](auto lane) __attribute__((always_inline)) {
            constexpr std::size_t k = decltype(lane)::value;
            const auto* const base =
                reinterpret_cast<const std::uint64_t*>(from.bases + from.index[8 * g + k]);
            word[k] =
                _mm512_maskz_loadu_epi64((1U << words) - 1, base + words * (degree * which + c));
          });
          transpose(word);
          unrolled<8>([&](auto digit) __attribute__((always_inline)) {
            constexpr std::size_t i = decltype(digit)::value;
            constexpr unsigned at = ifma::limb_bits * i, w = at / 64, low = at % 64;
            __m512i x = _mm512_maskz_srli_epi64(0xff, word[w], low);
            if constexpr (low + ifma::limb_bits > 64 && w + 1 < words) {
              x = _mm512_or_si512(x, _mm512_maskz_slli_epi64(0xff, word[w + 1], 64 - low));
            }
            lanes.limb[i] = ifma::low_limb(x);
          });
        });
    return r;
  }
  [[gnu::always_inline]] static Field<2> abscissas(const Bases& from, std::size_t g) noexcept {
    return raw(from, g, 0);
  }
  [[gnu::always_inline]] static Field<2> ordinates(const Bases& from, std::size_t g) noexcept {
    return raw(from, g, 1);
  }
  [[gnu::always_inline]] static Field<2> abscissas(const Sums* from, std::size_t g) noexcept {
    return load(from[g].x);
  }
  [[gnu::always_inline]] static Field<2> ordinates(const Sums* from, std::size_t g) noexcept {
    return load(from[g].y);
  }
  [[gnu::always_inline]] static void prefetch(const Bases& from, std::size_t g) noexcept {
    ZKGPU_UNROLL for (std::size_t k = 0; k < 8; ++k) {
      const auto* const base = reinterpret_cast<const char*>(from.bases + from.index[8 * g + k]);
      ZKGPU_UNROLL for (std::size_t line = 0; line < sizeof(*from.bases); line += 64) {
        __builtin_prefetch(base + line, 0, 2);
      }
    }
  }
  [[gnu::always_inline]] static void prefetch(const Sums*, std::size_t) noexcept {}

  /// x·2^-32 for x below 2^3·modulus: below 2·modulus. Digits may be a little above 2^52.
  ///
  /// One step of Montgomery's reduction, by 32 bits instead of 52.
  [[gnu::always_inline]] static void divide(const Vector (&x)[8], Vector (&r)[8]) noexcept {
    constexpr std::uint64_t low_word = 0xffffffff;
    const Vector m =
        _mm512_and_si512(ifma::madd_low(ifma::splat(0), x[0], ifma::splat(Constants::inverse)),
                         ifma::splat(low_word));
    Vector t[8];
    unrolled<8>([&](auto digit) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(digit)::value;
      t[i] = ifma::madd_low(x[i], m, ifma::splat(Constants::modulus[i]));
      if constexpr (i > 0) {
        t[i] = ifma::madd_high(t[i], m, ifma::splat(Constants::modulus[i - 1]));
      }
    });
    unrolled<8>([&](auto digit) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(digit)::value;
      r[i] = _mm512_maskz_srli_epi64(0xff, t[i], 32);
      if constexpr (i + 1 < 8) {
        r[i] = r[i] + Vector(_mm512_maskz_slli_epi64(
                          0xff, _mm512_and_si512(t[i + 1], ifma::splat(low_word)), 20));
      }
    });
  }
  template <class Square>
  [[gnu::always_inline]] static Field<2> divided(const Square& x) noexcept {
    Field<2> r;
    if constexpr (degree == 1) {
      divide(x.limb, r.limb);
    } else {
      divide(x.c0.limb, r.c0.limb);
      divide(x.c1.limb, r.c1.limb);
    }
    return r;
  }

  /// A denominator of every lane, and the marks of lanes that are no plain sum of two points.
  template <class Operands>
  [[gnu::always_inline]] static Field<4> denominator(const Sums& sum, const Operands& operands,
                                                     std::size_t g, std::uint32_t& marks) noexcept {
    const auto x1 = load(sum.x);
    const auto x2 = abscissas(operands, g);
    const Field<4> difference = x2 - x1;
    const unsigned infinite1 = Group::no_digits(x1), infinite2 = Group::no_digits(x2);
    const unsigned candidates = Group::maybe_zero(difference);
    marks = infinite1 << Group::left_infinite | infinite2 << Group::right_infinite;
    if ((marks | candidates) == 0) [[likely]]
      return difference;
    return special_denominator(sum, operands, g, difference, marks);
  }

  /// sum += operand, given the inverse of each denominator.
  template <class Operands>
  [[gnu::always_inline]] static void add(Sums& sum, const Operands& operands, std::size_t g,
                                         const Field<product_bound>& own,
                                         std::uint32_t marks) noexcept {
    const auto x1 = load(sum.x);
    const auto y1 = load(sum.y);
    const auto x2 = abscissas(operands, g);
    auto numerator = (ordinates(operands, g) - y1).template widened<16>();
    if ((marks >> Group::tangent & 0xff) != 0) [[unlikely]] {
      const auto mask = static_cast<std::uint8_t>(marks >> Group::tangent);
      numerator = Field<16>::select(mask, tangent_numerator(x1), numerator);
    }
    const auto slope = own * numerator;
    auto x3 = (divided(slope.square()) - (x1 + x2)).partially_reduced();  // λ²/2^32 - x1 - x2
    auto y3 =
        (slope * (x1 - x3).template widened<16>() - y1).partially_reduced();  // λ(x1 - x3) - y1
    if (marks != 0) [[unlikely]]
      set_special(sum, operands, g, marks, x3, y3);
    store(x3, sum.x);
    store(y3, sum.y);
  }

 private:
  template <class Operands>
  [[gnu::noinline]] static Field<4> special_denominator(const Sums& sum, const Operands& operands,
                                                        std::size_t g, const Field<4>& difference,
                                                        std::uint32_t& marks) noexcept {
    const auto y1 = load(sum.y);
    const auto y2 = ordinates(operands, g);
    const unsigned infinite =
        (marks >> Group::left_infinite | marks >> Group::right_infinite) & 0xff;
    const unsigned same_x = difference.zero_mask() & ~infinite;
    const unsigned same_y = (y2 - y1).zero_mask();
    const unsigned tangents = same_x & same_y, opposites = same_x & ~same_y;
    marks |= tangents << Group::tangent | opposites << Group::opposite;
    const auto other = Group::template constant<4>(lane_one<F>);
    using Select = Field<4>;
    Select d = Select::select(static_cast<std::uint8_t>(infinite | opposites), other, difference);
    d = Select::select(static_cast<std::uint8_t>(tangents), y1.doubled(), d);
    return d;
  }
  /// 3x²·2^32: the slope of a tangent, λ = 3x²/2y, is that of the curve itself.
  [[gnu::noinline]] static Field<16> tangent_numerator(const Field<2>& x) noexcept {
    constexpr auto scale = lane_constant(field_element(std::uint64_t{1} << 32));
    const auto xx = x.square();
    const auto tripled = (xx.doubled() + xx).template widened<16>();
    return (tripled * Group::template constant<16>(scale)).template widened<16>();
  }
  static constexpr F field_element(std::uint64_t value) noexcept {
    const Prime n = Prime::from_integer(Prime::Integer::from_uint64(value));
    if constexpr (degree == 1) {
      return n;
    } else {
      return F{n, Prime::zero()};
    }
  }
  /// The sums of marked lanes that are no plain sum: an operand, or infinity.
  template <class Operands>
  [[gnu::noinline]] static void set_special(const Sums& sum, const Operands& operands,
                                            std::size_t g, std::uint32_t marks, Field<2>& x,
                                            Field<2>& y) noexcept {
    using Select = Field<2>;
    const auto mask = [marks](unsigned at) { return static_cast<std::uint8_t>(marks >> at); };
    x = Select::select(mask(Group::opposite), Group::template constant<2>(lane_zero<F>), x);
    x = Select::select(mask(Group::right_infinite), load(sum.x), x);
    y = Select::select(mask(Group::right_infinite), load(sum.y), y);
    x = Select::select(mask(Group::left_infinite), abscissas(operands, g), x);
    y = Select::select(mask(Group::left_infinite), ordinates(operands, g), y);
  }
};

template <CurveGroup G, CpuArch A, class Operands>
[[gnu::always_inline]] inline void multiply_sums(
    std::size_t groups, const LaneSums<G>* sums, const Operands& operands,
    const PairScratch<typename LaneSumKernels<G, A>::Element>& scratch,
    typename G::BaseField (&products)[8]) noexcept {
  using Sum = LaneSumGroup<G, A>;
  using Group = typename Sum::Group;
  using F = typename G::BaseField;
  using Product = typename Sum::template Field<Sum::product_bound>;
  constexpr std::size_t width = LaneSumKernels<G, A>::width;
  constexpr std::size_t ahead = 16;  // groups
  // Two chains, for even and odd groups: one product does not wait for the last. Upward, as bases
  // stand in memory; the second pass goes down.
  Product chain[2] = {Group::template constant<Sum::product_bound>(lane_one<F>),
                      Group::template constant<Sum::product_bound>(lane_one<F>)};
  for (std::size_t g = 0; g < groups; ++g) {
    if (g + ahead < groups) Sum::prefetch(operands, g + ahead);
    const auto d = Sum::denominator(sums[g], operands, g, scratch.marks[g]);
    Group::template save<4>(d, scratch.differences + width * g);
    Product& c = chain[g % 2];
    Group::template save<Sum::product_bound>(c, scratch.products + width * g);
    c = c * d.template widened<16>();
  }
  Group::template save<Sum::product_bound>(chain[0], scratch.differences + width * groups);
  Group::template save<Sum::product_bound>(chain[1], scratch.products + width * groups);
  Group::to_elements(chain[0] * chain[1].template widened<16>(), products);
}

template <CurveGroup G, CpuArch A, class Operands>
[[gnu::always_inline]] inline void finish_sums(
    std::size_t groups, LaneSums<G>* sums, const Operands& operands,
    const PairScratch<typename LaneSumKernels<G, A>::Element>& scratch,
    const typename G::BaseField (&inverses)[8]) noexcept {
  using Sum = LaneSumGroup<G, A>;
  using Group = typename Sum::Group;
  using Product = typename Sum::template Field<Sum::product_bound>;
  constexpr std::size_t width = LaneSumKernels<G, A>::width;
  constexpr unsigned bound = Sum::product_bound;
  const auto start = Group::from_elements(inverses).template widened<bound>();
  const auto chain0 = Group::template restore<bound>(scratch.differences + width * groups);
  const auto chain1 = Group::template restore<bound>(scratch.products + width * groups);
  Product inverse[2] = {start * chain1.template widened<16>(),
                        start * chain0.template widened<16>()};
  for (std::size_t g = groups; g-- > 0;) {
    const auto d = Group::template restore<4>(scratch.differences + width * g);
    const auto before = Group::template restore<bound>(scratch.products + width * g);
    Product& c = inverse[g % 2];
    const Product own = c * before.template widened<16>();
    c = c * d.template widened<16>();
    Sum::add(sums[g], operands, g, own, scratch.marks[g]);
  }
}

template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::fill(std::size_t groups, Sums* sums, const Bases& bases) noexcept {
  using Sum = LaneSumGroup<G, A>;
  for (std::size_t g = 0; g < groups; ++g) {
    Sum::store(Sum::abscissas(bases, g), sums[g].x);
    Sum::store(Sum::ordinates(bases, g), sums[g].y);
  }
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::multiply(std::size_t groups, const Sums* sums, const Bases& operands,
                                    const PairScratch<Element>& scratch,
                                    F (&products)[width]) noexcept {
  multiply_sums<G, A>(groups, sums, operands, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::multiply(std::size_t groups, const Sums* sums, const Sums* operands,
                                    const PairScratch<Element>& scratch,
                                    F (&products)[width]) noexcept {
  multiply_sums<G, A>(groups, sums, operands, scratch, products);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::finish(std::size_t groups, Sums* sums, const Bases& operands,
                                  const PairScratch<Element>& scratch,
                                  const F (&inverses)[width]) noexcept {
  finish_sums<G, A>(groups, sums, operands, scratch, inverses);
}
template <CurveGroup G, CpuArch A>
void LaneSumKernels<G, A>::finish(std::size_t groups, Sums* sums, const Sums* operands,
                                  const PairScratch<Element>& scratch,
                                  const F (&inverses)[width]) noexcept {
  finish_sums<G, A>(groups, sums, operands, scratch, inverses);
}

}  // namespace zkgpu::msm_cpu
