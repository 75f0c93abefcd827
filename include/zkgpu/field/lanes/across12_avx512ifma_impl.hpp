// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <zkgpu/field/fp12.hpp>
#include <zkgpu/field/lanes/across_rows_avx512ifma_impl.hpp>

namespace zkgpu {

/// One element of Fp12 = Fp2[w]/(w⁶ - ξ), ξ = 1 + u, across the lanes: the coefficient of wⁿ in
/// lane n, lanes 6 and 7 unused. For chains of operations on one element, where only the products
/// within an operation can run side by side; the interface is that of `Fp12`.
///
/// Coordinates are below bound · modulus in every lane, the unused ones included.
template <TowerParams T, CpuArch A>
class Across12 {
  using Fp2 = typename T::BaseField;
  using F = typename LaneField<Fp2, A>::Prime;
  using Constants = Radix52<F>;
  using Rows = detail::AcrossRows<F, A>;
  using Numbers = detail::LaneNumbers;
  using Constant = detail::AcrossConstant<F>;
  static constexpr std::size_t limbs = Constants::limbs;
  static constexpr std::size_t width = ifma::width;
  static_assert(xi_is_one_plus_u<T>);

 public:
  static constexpr unsigned bound = 43;
  using Pair = Lanes2<F, A, bound>;

  Across12() = default;
  explicit Across12(const Pair& pair) noexcept : pair_(pair) {}

  [[nodiscard]] static Across12 from(const Fp12<T>& f) noexcept {
    const Fp2* const at[width] = {&f.c0.c0, &f.c1.c0, &f.c0.c1, &f.c1.c1,
                                  &f.c0.c2, &f.c1.c2, &f.c0.c0, &f.c0.c0};
    return Across12(load_lanes<A>(at).template widened<bound>());
  }
  void store(Fp12<T>& f) const noexcept {
    alignas(Fp2) std::byte unused[2 * sizeof(Fp2)];
    auto* const rest = reinterpret_cast<Fp2*>(unused);
    Fp2* const at[width] = {&f.c0.c0, &f.c1.c0, &f.c0.c1, &f.c1.c1,
                            &f.c0.c2, &f.c1.c2, rest,     rest + 1};
    store_lanes(pair_, at);
  }
  [[nodiscard]] const Pair& pair() const noexcept { return pair_; }

  [[nodiscard]] static Across12 one() noexcept {
    return Across12(load(one_digits).template widened<bound>());
  }

  /// Six rows, each a coefficient of a by all of b: 3·6·128 + 256 multiply-adds.
  [[gnu::noinline]] friend Across12 operator*(const Across12& a, const Across12& b) noexcept {
    static constexpr std::uint8_t rows[] = {0, 1, 2, 3, 4, 5};
    return b.times_rows(a.pair_, rows);
  }
  Across12& operator*=(const Across12& b) noexcept { return *this = *this * b; }

  /// this·(l0 + l2·w² + l3·w³), the form of a line, its coefficients in lanes 0, 2 and 3 of l.
  template <unsigned Bound>
  [[gnu::noinline]] Across12 multiply_by_line(const Lanes2<F, A, Bound>& l) const noexcept {
    static constexpr std::uint8_t rows[] = {0, 2, 3};
    return times_rows(l, rows);
  }

  /// this², with this = g(v) + h(v)·w, g in the even lanes, h in the odd ones: g·h in the even
  /// lanes of a product, (g + h)(g + v·h) = g² + v·h² + (1 + v)·g·h in the odd ones.
  [[gnu::noinline]] Across12 square() const noexcept {
    const auto left = whole_square_factor_left();
    const auto right = whole_square_factor_right();
    static constexpr std::uint8_t rows[] = {0, 2, 4};
    return Across12(combined_whole_square(Rows::template sum<true>(left, right, rows)));
  }

  /// this² in the cyclotomic subgroup: six products in Fp2.
  ///
  /// Of the three squares (a + b·s)² in Fp2[s]/(s² - ξ), s = w³, a in lanes 0 to 2, b in 3 to 5:
  /// a·b and (a + b)(a + ξb) = a² + ξb² + (1 + ξ)ab. Then 3·(a² + ξb²) - 2·old in the even lanes,
  /// 3·2ab + 2·old in the odd ones, of lane 1 ξ times that product.
  /// @see `Fp12::cyclotomic_square`
  [[gnu::noinline]] Across12 cyclotomic_square() const noexcept {
    const auto product = square_factor_left() * square_factor_right();
    return Across12(combined_squares(product));
  }

  /// this^(q⁶): the odd powers of w negated
  [[nodiscard]] Across12 conjugate() const noexcept {
    const Pair negated = -pair_;
    return Across12(Pair::select(odd_lanes, negated, pair_));
  }

  /// this^q: conjugates of the coefficients by powers of w^(q - 1)
  [[gnu::noinline]] Across12 frobenius() const noexcept {
    const Pair conjugates{pair_.c0, -pair_.c1};
    return Across12((conjugates * load(frobenius_digits)).template widened<bound>());
  }

 private:
  static constexpr std::uint8_t odd_lanes = 0b101010, even_lanes = 0b010101, upper_lanes = 0b111000;

  // Powers of w^(q - 1): constants of their own, each within clang's limit of steps.
  static constexpr Fp2 w0 = Fp2::one(), w1 = T::frobenius_w(), w2 = T::frobenius_v();
  static constexpr Fp2 w3 = w2 * w1;
  static constexpr Fp2 w4 = w2.square();
  static constexpr Fp2 w5 = w4 * w1;
  template <const Fp2& value>
  static constexpr auto lane_digits = make_lane_constant(value);

  /// Lane n from the n-th constant; zero in the rest.
  template <std::size_t count>
  static constexpr Constant lane_by_lane(const LaneConstant<Fp2> (&from)[count]) noexcept {
    Constant made;
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t c = 0; c < 2; ++c) {
        for (std::size_t i = 0; i < limbs; ++i) made.digits[c][i][n] = from[n].digits[c][i];
      }
    }
    return made;
  }
  static constexpr Constant one_digits = lane_by_lane({lane_digits<w0>});
  static constexpr Constant frobenius_digits =
      lane_by_lane({lane_digits<w0>, lane_digits<w1>, lane_digits<w2>, lane_digits<w3>,
                    lane_digits<w4>, lane_digits<w5>});

  static Lanes2<F, A, 1> load(const Constant& from) noexcept {
    Lanes2<F, A, 1> r;
    for_coordinates(r, [&](auto& lanes, std::size_t c) {
      for (std::size_t i = 0; i < limbs; ++i) {
        lanes.limb[i].data = _mm512_load_si512(from.digits[c][i].data());
      }
    });
    return r;
  }

  /// Σ a_e·w^e·this over rows e of a's lanes.
  template <unsigned Bound, std::size_t count>
  [[gnu::always_inline]] Across12 times_rows(const Lanes2<F, A, Bound>& a,
                                             const std::uint8_t (&rows)[count]) const noexcept {
    return Across12(Rows::template sum<false>(a, pair_, rows).template widened<bound>());
  }

  [[gnu::always_inline]] static __m512i permuted(const Numbers& from, __m512i x) noexcept {
    return _mm512_maskz_permutexvar_epi64(0xff, from.load(), x);
  }
  /// Lanes 0 to 2 and 3 to 5 exchanged.
  static constexpr Numbers exchanged{{3, 4, 5, 0, 1, 2, 0, 0}};

  /// a | a + b
  [[gnu::always_inline]] auto square_factor_left() const noexcept {
    Lanes2<F, A, 2 * bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i x = pair_.c0.limb[i].data, y = pair_.c1.limb[i].data;
      r.c0.limb[i].data = _mm512_mask_add_epi64(x, upper_lanes, x, permuted(exchanged, x));
      r.c1.limb[i].data = _mm512_mask_add_epi64(y, upper_lanes, y, permuted(exchanged, y));
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }
  /// b | a + ξb
  [[gnu::always_inline]] auto square_factor_right() const noexcept {
    constexpr auto lift = Constants::multiple(bound);
    Lanes2<F, A, 3 * bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i x = pair_.c0.limb[i].data, y = pair_.c1.limb[i].data;
      const __m512i real = permuted(exchanged, x), imaginary = permuted(exchanged, y);
      const __m512i lifted = _mm512_add_epi64(real, ifma::splat(lift[i]).data);
      const __m512i both = _mm512_sub_epi64(_mm512_add_epi64(lifted, x), y);
      r.c0.limb[i].data = _mm512_mask_blend_epi64(upper_lanes, real, both);
      const __m512i sum = _mm512_add_epi64(x, y);
      r.c1.limb[i].data = _mm512_mask_add_epi64(imaginary, upper_lanes, imaginary, sum);
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }

  // Neighbours: lane n + 1 in even lanes; lane n - 1 in odd ones; g of v·h, of which ξ times lane
  // 5.
  static constexpr Numbers below{{0, 0, 0, 2, 0, 4, 0, 0}}, turned{{1, 0, 3, 2, 5, 4, 0, 0}};
  static constexpr Numbers v_times_h{{0, 5, 0, 1, 0, 3, 0, 0}};
  static constexpr std::uint8_t lane1 = 0b10;

  /// g | g + h
  [[gnu::always_inline]] auto whole_square_factor_left() const noexcept {
    Lanes2<F, A, 2 * bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i x = pair_.c0.limb[i].data, y = pair_.c1.limb[i].data;
      r.c0.limb[i].data = _mm512_mask_add_epi64(x, odd_lanes, x, permuted(below, x));
      r.c1.limb[i].data = _mm512_mask_add_epi64(y, odd_lanes, y, permuted(below, y));
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }
  /// h | g + v·h
  [[gnu::always_inline]] auto whole_square_factor_right() const noexcept {
    constexpr auto lift = Constants::multiple(bound);
    Lanes2<F, A, 3 * bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i x = pair_.c0.limb[i].data, y = pair_.c1.limb[i].data;
      const __m512i h0 = permuted(v_times_h, x), h1 = permuted(v_times_h, y);
      const __m512i gx = permuted(turned, x), gy = permuted(turned, y);
      const __m512i real =
          sum(_mm512_mask_add_epi64(gx, odd_lanes, gx, h0), ifma::splat(lift[i]).data);
      r.c0.limb[i].data = _mm512_mask_sub_epi64(real, lane1, real, h1);
      const __m512i imaginary = _mm512_mask_add_epi64(gy, odd_lanes, gy, h1);
      r.c1.limb[i].data = _mm512_mask_add_epi64(imaginary, lane1, imaginary, h0);
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }
  static constexpr Numbers product{{0, 0, 2, 2, 4, 4, 0, 0}}, other{{1, 0, 3, 0, 5, 0, 0, 0}};
  static constexpr Numbers moved_product{{4, 0, 0, 2, 2, 4, 0, 0}};
  /// Even lanes: m - (1 + v)·p with p of the even lanes of x, m of the odd ones; odd lanes: 2·p.
  [[gnu::always_inline]] Pair combined_whole_square(const Lanes2<F, A, 3>& x) const noexcept {
    constexpr auto lift = Constants::multiple(10);
    Pair r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      constexpr std::uint8_t lane0 = 1;
      const __m512i x0 = x.c0.limb[i].data, x1 = x.c1.limb[i].data;
      const __m512i p0 = permuted(product, x0), p1 = permuted(product, x1);
      const __m512i v0 = permuted(moved_product, x0), v1 = permuted(moved_product, x1);
      const __m512i c = ifma::splat(lift[i]).data;
      const __m512i taken0 = _mm512_mask_sub_epi64(sum(p0, v0), lane0, sum(p0, v0), v1);
      const __m512i taken1 = _mm512_mask_add_epi64(sum(p1, v1), lane0, sum(p1, v1), v0);
      const __m512i even0 = _mm512_sub_epi64(sum(permuted(other, x0), c), taken0);
      const __m512i even1 = _mm512_sub_epi64(sum(permuted(other, x1), c), taken1);
      r.c0.limb[i].data = _mm512_mask_add_epi64(even0, odd_lanes, p0, p0);
      r.c1.limb[i].data = _mm512_mask_add_epi64(even1, odd_lanes, p1, p1);
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }

  // The places of combined_squares: l of a·b, h of (a + b)(a + ξb); in lane 1 l1 a second time.
  static constexpr Numbers lower{{0, 2, 1, 0, 2, 1, 0, 0}};
  static constexpr Numbers upper{{3, 0, 4, 0, 5, 0, 0, 0}};
  static constexpr Numbers upper_or_other{{3, 8 + 2, 4, 0, 5, 0, 0, 0}};

  /// p: a·b in lanes 0 to 2, (a + b)(a + ξb) in lanes 3 to 5.
  [[gnu::always_inline]] Pair combined_squares(const Lanes2<F, A, 6>& p) const noexcept {
    constexpr auto lift = Constants::multiple(square_lift);
    Pair r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i p0 = p.c0.limb[i].data, p1 = p.c1.limb[i].data;
      const __m512i l0 = permuted(lower, p0), l1 = permuted(lower, p1);
      const __m512i h0 = _mm512_permutex2var_epi64(p0, upper_or_other.load(), p1);
      const __m512i h1 = permuted(upper, p1);
      // Even lanes: minus 2·old + 3·(2·l0 - l1 - h0). Lane 1: 2·old + 6·(l0 - l1).
      const __m512i t0 = _mm512_maskz_add_epi64(even_lanes | lane1, l1, h0);
      const __m512i w0 =
          _mm512_sub_epi64(twice(sum(thrice(l0), pair_.c0.limb[i].data)), thrice(t0));
      // Even lanes: minus 2·old + 3·(l0 + 2·l1 - h1). Lane 1: 2·old + 6·(l0 + l1).
      const __m512i halves = _mm512_maskz_sub_epi64(even_lanes, l0, h1);
      const __m512i t1 = _mm512_mask_add_epi64(halves, lane1, l0, l0);
      const __m512i w1 = sum(twice(sum(thrice(l1), pair_.c1.limb[i].data)), thrice(t1));
      const __m512i c = ifma::splat(lift[i]).data;
      r.c0.limb[i].data = _mm512_mask_sub_epi64(sum(c, w0), even_lanes, c, w0);
      r.c1.limb[i].data = _mm512_mask_sub_epi64(sum(c, w1), even_lanes, c, w1);
    });
    settle(r.c0);
    settle(r.c1);
    return r;
  }
  [[gnu::always_inline]] static __m512i sum(__m512i a, __m512i b) noexcept {
    return _mm512_add_epi64(a, b);
  }
  [[gnu::always_inline]] static __m512i twice(__m512i a) noexcept { return sum(a, a); }
  [[gnu::always_inline]] static __m512i thrice(__m512i a) noexcept { return sum(twice(a), a); }

  // With products below 6 · modulus what combined_squares adds up to is between -(54 + 2·bound) and
  // 72 + 2·bound times the modulus.
  static constexpr unsigned square_lift = 55 + 2 * bound, most = square_lift + 72 + 2 * bound;
  static constexpr std::uint64_t top = Constants::modulus[limbs - 1];
  static constexpr unsigned quotient_shift =
      static_cast<unsigned>(std::bit_width(most * (top + 1)) - std::bit_width(width - 1));
  static constexpr std::uint64_t multiple = (std::uint64_t{1} << quotient_shift) / (top + 1);
  // q = floor(highest limb / 2^shift) < 8, and x - q·(multiple·modulus) is not negative. It is at
  // most 2^shift + 7·(2^shift - multiple·top) in units of the highest limb.
  static_assert(most * (top + 1) >> quotient_shift < width);
  static_assert((width << quotient_shift) <= (bound + (width - 1) * multiple) * top);

  /// Limb i of 0, 1, ..., 7 times multiple·modulus.
  alignas(64) static constexpr auto multiples = [] {
    std::array<std::array<std::uint64_t, width>, limbs> made{};
    for (std::size_t k = 0; k < width; ++k) {
      const auto digits = Constants::multiple(k * multiple);
      for (std::size_t i = 0; i < limbs; ++i) made[i][k] = digits[i];
    }
    return made;
  }();

  /// Below bound · modulus, from between one and `most` times it; limbs of any sign. A quotient by
  /// the highest limb, to which carries add next to nothing.
  [[gnu::always_inline]] static void settle(Lanes<F, A, bound>& x) noexcept {
    const __m512i quotient = _mm512_maskz_srli_epi64(0xff, x.limb[limbs - 1].data, quotient_shift);
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i table = _mm512_load_si512(multiples[i].data());
      const __m512i some = _mm512_maskz_permutexvar_epi64(0xff, quotient, table);
      x.limb[i].data = _mm512_sub_epi64(x.limb[i].data, some);
    });
    x.carry();
  }

  Pair pair_;
};

}  // namespace zkgpu
