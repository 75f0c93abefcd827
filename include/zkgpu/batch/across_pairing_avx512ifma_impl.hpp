// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <zkgpu/batch/across_pairing.hpp>
#include <zkgpu/field/lanes/across12_avx512ifma_impl.hpp>

namespace zkgpu::batch {

/// The running point of one Miller loop across lanes: X, Y, Z, X + Y, Y + Z in lanes 0 to 4. The
/// formulas are those of `MillerPoint` in curve/pairing.hpp, the products of each stage side by
/// side.
template <PairingCurve C, CpuArch A>
class MillerPointAcross {
  using Fq = typename C::Fq;
  using Fq2 = typename C::Fq2;
  using Tower = typename C::G2::Tower;
  using Numbers = zkgpu::detail::LaneNumbers;
  using Constants = Radix52<Fq>;
  template <unsigned Bound>
  using F = Lanes2<Fq, A, Bound>;
  static constexpr std::size_t width = ifma::width, limbs = Constants::limbs;
  static_assert(xi_is_one_plus_u<Tower>);
  static_assert(C::G2::Params::multiply_by_3b(Fq2::one()) ==
                    Tower::multiply_by_xi(Fq2{Fq(12), Fq::zero()}),
                "double_step takes the twist to be y² = x³ + 4ξ");

 public:
  static constexpr unsigned bound = 104, line_bound = 12;
  /// The value of a line at P: coefficients of 1, w² and w³ in lanes 0, 2 and 3.
  using Line = F<line_bound>;

  void load(const PairingTerm<C>& term) noexcept {
    alignas(64) static constexpr std::uint64_t zeros[sizeof(Fq2) / 8] = {};
    static constexpr Fq2 one = Fq2::one();
    const auto* const zero = reinterpret_cast<const Fq2*>(zeros);
    const Fq2* const q[width] = {&term.q.x, &term.q.y, zero, zero, zero, zero, zero, zero};
    q_ = load_lanes<A>(q);
    const Fq2* const start[width] = {&term.q.x, &term.q.y, &one, zero, zero, zero, zero, zero};
    const auto s = load_lanes<A>(start);
    const auto first = gathered<0b11111>(Numbers{{0, 1, 2, 0, 1, 0, 0, 0}}, s);
    const auto second = gathered<0b11000>(Numbers{{0, 0, 0, 1, 2, 0, 0, 0}}, s);
    point_ = (first + second).template widened<bound>();
    const auto* const none = &zero->c0;
    const Fq* const p[width] = {&one.c0, none, &term.p.x, &term.p.y, none, none, none, none};
    factors_.c0 = load_lanes<A>(p);
    factors_.c1 = factors_.c1.zero();
  }

  /// T = 2T; the tangent there.
  [[gnu::noinline]] Line double_step() noexcept {
    const auto squares = point_.square();  // X², Y², Z², (X + Y)², (Y + Z)²
    const auto left = double_factors(squares);
    const auto right =
        F<left_bound>{right_of(left.c0, factors_.c0), right_of(left.c1, factors_.c1)};
    const auto products = left * right;
    point_ = doubled_point(products);
    return products.template widened<line_bound>();
  }

 private:
  template <unsigned Bound>
  using Lane = Lanes<Fq, A, Bound>;
  static constexpr unsigned left_bound = 600;

  [[gnu::always_inline]] static __m512i sum(__m512i a, __m512i b) noexcept {
    return _mm512_add_epi64(a, b);
  }
  template <std::uint8_t mask>
  [[gnu::always_inline]] static __m512i picked(const Numbers& from, __m512i x) noexcept {
    return _mm512_maskz_permutexvar_epi64(mask, from.load(), x);
  }
  /// Lanes of x by their numbers; zero in lanes outside the mask.
  template <std::uint8_t mask, unsigned Bound>
  [[gnu::always_inline]] static F<Bound> gathered(const Numbers& from, const F<Bound>& x) noexcept {
    F<Bound> r;
    for_coordinates(
        r, [&](auto& to, std::size_t c) __attribute__((always_inline)) {
          const auto& of = c == 0 ? x.c0 : x.c1;
          unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
            constexpr std::size_t i = decltype(at)::value;
            to.limb[i].data = picked<mask>(from, of.limb[i].data);
          });
        });
    return r;
  }

  // Lane by lane, with e = 12ξZ²:
  //   0: Y² - e, 1: Y² + 3e, 2: -3X², 3: 2YZ, 4: 2XY, 5: e, 6: Y², 7: Y² - 3e.
  static constexpr Numbers plus{{1, 1, 0, 4, 3, 0, 1, 1}};
  static constexpr Numbers minus{{0, 0, 0, 1, 0, 0, 0, 0}}, minus_too{{0, 0, 0, 2, 1, 0, 0, 0}};
  static constexpr Numbers z_squared{{2, 2, 2, 2, 2, 2, 2, 2}};

  [[gnu::always_inline]] static F<left_bound> double_factors(const F<4>& squares) noexcept {
    constexpr auto lift = Constants::multiple(290);
    F<left_bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      const __m512i s0 = squares.c0.limb[i].data, s1 = squares.c1.limb[i].data;
      const __m512i z0 = picked<0xff>(z_squared, s0), z1 = picked<0xff>(z_squared, s1);
      r.c0.limb[i].data = with_e(combined(s0, lift[i]), _mm512_sub_epi64(z0, z1));
      r.c1.limb[i].data = with_e(combined(s1, lift[i]), sum(z0, z1));
    });
    r.c0.carry();
    r.c1.carry();
    return r;
  }
  [[gnu::always_inline]] static __m512i combined(__m512i s, std::uint64_t lift) noexcept {
    const __m512i added = sum(picked<0b11011011>(plus, s), ifma::splat(lift).data);
    const __m512i other = picked<0b00011100>(minus_too, s);
    __m512i taken = sum(picked<0b00011100>(minus, s), other);
    taken = _mm512_mask_add_epi64(taken, 0b100, taken, other);
    return _mm512_sub_epi64(added, taken);
  }
  /// @param z  a coordinate of ξZ²
  [[gnu::always_inline]] static __m512i with_e(__m512i x, __m512i z) noexcept {
    const __m512i e = _mm512_maskz_slli_epi64(0xff, sum(sum(z, z), z), 2);
    const __m512i e3 = sum(sum(e, e), e);
    x = _mm512_mask_sub_epi64(x, 0b1, x, e);
    x = _mm512_mask_add_epi64(x, 0b10, x, e3);
    x = _mm512_mask_add_epi64(x, 0b100000, x, e);
    return _mm512_mask_sub_epi64(x, 0b10000000, x, e3);
  }

  // 0: 1, 1: Y² + 3e, 2: x_P, 3: y_P, 4: Y² - 3e, 5: e, 6: 2YZ, 7: 0
  static constexpr Numbers second{{0, 1, 0, 0, 7, 5, 3, 0}};
  [[gnu::always_inline]] static Lane<left_bound> right_of(const Lane<left_bound>& left,
                                                          const Lane<2>& factors) noexcept {
    Lane<left_bound> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = _mm512_mask_permutexvar_epi64(factors.limb[i].data, 0b01110010,
                                                     second.load(), left.limb[i].data);
    });
    return r;
  }

  // X = p4, Y = p1 - 12·p5, Z = 4·p6 and the two sums.
  static constexpr Numbers new_first{{4, 1, 6, 4, 1, 0, 0, 0}};
  static constexpr Numbers new_second{{0, 0, 0, 1, 6, 0, 0, 0}},
      new_minus{{5, 5, 5, 5, 5, 5, 5, 5}};
  [[gnu::always_inline]] static F<bound> doubled_point(const F<6>& p) noexcept {
    F<bound> r;
    for_coordinates(
        r, [&](auto& to, std::size_t c) __attribute__((always_inline)) {
          constexpr auto lift = Constants::multiple(72);
          const auto& of = c == 0 ? p.c0 : p.c1;
          unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
            constexpr std::size_t i = decltype(at)::value;
            const __m512i x = of.limb[i].data;
            __m512i a = picked<0b11111>(new_first, x), b = picked<0b11000>(new_second, x);
            a = _mm512_mask_slli_epi64(a, 0b100, a, 2);
            b = _mm512_mask_slli_epi64(b, 0b10000, b, 2);
            const __m512i m = picked<0b11010>(new_minus, x);
            const __m512i m12 = _mm512_maskz_slli_epi64(0xff, sum(sum(m, m), m), 2);
            const __m512i lifted = sum(sum(a, b), ifma::splat(lift[i]).data);
            to.limb[i].data = _mm512_sub_epi64(lifted, m12);
          });
          to.carry();
        });
    return r;
  }

 public:
  /// T = T + Q; the chord.
  [[gnu::noinline]] Line add_step() noexcept {
    // y_Q·Z, x_Q·Z; then θ = Y - y_Q·Z, μ = X - x_Q·Z in lanes 0, 1
    const auto at_q = gathered<0b11>(Numbers{{2, 2, 0, 0, 0, 0, 0, 0}}, point_) *
                      gathered<0b11>(Numbers{{1, 0, 0, 0, 0, 0, 0, 0}}, q_);
    const auto d = gathered<0b11>(Numbers{{1, 0, 0, 0, 0, 0, 0, 0}}, point_) - at_q;
    // μ², θ², θ·x_Q, μ·y_Q
    const auto q_above = gathered<0b1100>(Numbers{{0, 0, 0, 1, 0, 0, 0, 0}}, q_);
    const auto b = gathered<0b1111>(Numbers{{1, 0, 0, 1, 0, 0, 0, 0}}, d) *
                   (gathered<0b11>(Numbers{{1, 0, 0, 0, 0, 0, 0, 0}}, d) + q_above);
    // μ³, X·μ², -θ·x_P, μ·y_P, Z·θ²
    const auto minus_d = -d;
    const auto c_left = gathered<0b1001>(Numbers{{1, 0, 0, 1, 0, 0, 0, 0}}, d) +
                        gathered<0b100>(Numbers{{0, 0, 0, 0, 0, 0, 0, 0}}, minus_d) +
                        gathered<0b10010>(Numbers{{0, 0, 0, 0, 2, 0, 0, 0}}, point_);
    const auto c_right = gathered<0b10011>(Numbers{{0, 0, 0, 0, 1, 0, 0, 0}}, b) +
                         gathered<0b1100>(Numbers{{0, 0, 2, 3, 0, 0, 0, 0}}, factors_);
    const auto c = c_left * c_right;
    const auto x_mu2 = gathered<0xff>(Numbers{{1, 1, 1, 1, 1, 1, 1, 1}}, c);
    const auto h = gathered<0xff>(Numbers{{0, 0, 0, 0, 0, 0, 0, 0}}, c) +
                   gathered<0xff>(Numbers{{4, 4, 4, 4, 4, 4, 4, 4}}, c) - x_mu2.doubled();
    return finish_addition(b, c, d, h, x_mu2);
  }

 private:
  template <unsigned B0, unsigned B1, unsigned B2, unsigned B3>
  [[gnu::always_inline]] Line finish_addition(const F<B0>& b, const F<B0>& c, const F<B1>& d,
                                              const F<B2>& h, const F<B3>& x_mu2) noexcept {
    // X = μ·h, θ·(X·μ² - h), μ³·Y, Z = μ³·Z
    const Numbers here{{0, 1, 2, 3, 4, 5, 6, 7}};
    const auto left = gathered<0b11>(Numbers{{1, 0, 0, 0, 0, 0, 0, 0}}, d) +
                      gathered<0b1100>(Numbers{{0, 0, 0, 0, 0, 0, 0, 0}}, c);
    const auto right = gathered<0b1>(here, h) + gathered<0b10>(here, x_mu2 - h) +
                       gathered<0b1100>(Numbers{{0, 0, 1, 2, 0, 0, 0, 0}}, point_);
    const auto e = left * right;
    const auto y = gathered<0xff>(Numbers{{1, 1, 1, 1, 1, 1, 1, 1}}, e) -
                   gathered<0xff>(Numbers{{2, 2, 2, 2, 2, 2, 2, 2}}, e);
    const auto first = gathered<0b1101>(Numbers{{0, 0, 3, 0, 0, 0, 0, 0}}, e);
    const auto z_above = gathered<0b10000>(Numbers{{0, 0, 0, 0, 3, 0, 0, 0}}, e);
    point_ = (first + gathered<0b11010>(here, y) + z_above).template widened<bound>();
    // θ·x_Q - μ·y_Q, and from the third stage what is in place
    const auto constant = gathered<0xff>(Numbers{{2, 2, 2, 2, 2, 2, 2, 2}}, b) -
                          gathered<0xff>(Numbers{{3, 3, 3, 3, 3, 3, 3, 3}}, b);
    return Line::select(0b1, constant, c.template widened<line_bound>());
  }

  F<bound> point_;
  F<2> q_;        // x_Q, y_Q
  F<2> factors_;  // 1, x_P, y_P in lanes 0, 2, 3
};

template <PairingCurve C, CpuArch A>
void PairingAcross<C, A>::miller_loop(std::span<const Term* const> terms, Fq12& result) noexcept {
  using Across = Across12<typename C::G2::Tower, A>;
  MillerPointAcross<C, A> point[most_terms];
  const std::size_t count = terms.size();
  for (std::size_t k = 0; k < count; ++k) point[k].load(*terms[k]);
  Across f = Across::one();
  constexpr auto top = static_cast<std::size_t>(std::bit_width(C::z_magnitude)) - 1;
  for (std::size_t bit = top; bit-- > 0;) {
    if (bit + 1 != top) f = f.square();
    for (std::size_t k = 0; k < count; ++k) f = f.multiply_by_line(point[k].double_step());
    if ((C::z_magnitude >> bit & 1) == 0) continue;
    for (std::size_t k = 0; k < count; ++k) f = f.multiply_by_line(point[k].add_step());
  }
  f.store(result);
}

template <PairingCurve C, CpuArch A>
void PairingAcross<C, A>::final_exponentiation_cubed(const Fq12& f, Fq12& result) noexcept {
  using Across = Across12<typename C::G2::Tower, A>;
  zkgpu::detail::FinalExponentiation<C, Across>::cubed(Across::from(f)).store(result);
}

template <PairingCurve C, CpuArch A>
void PairingAcross<C, A>::final_exponentiation(const Fq12& f, Fq12& result) noexcept {
  using Across = Across12<typename C::G2::Tower, A>;
  zkgpu::detail::FinalExponentiation<C, Across>::exact(Across::from(f)).store(result);
}

}  // namespace zkgpu::batch
