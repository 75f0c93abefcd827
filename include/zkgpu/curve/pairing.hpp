// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/projective.hpp>
#include <zkgpu/curve/scalar_mul.hpp>
#include <zkgpu/field/cyclotomic.hpp>
#include <zkgpu/field/fp12.hpp>

/// The optimal ate pairing of a BLS12 curve,  e(P, Q) = f_{z,Q}(P)^((q¹² - 1)/r).
///
///     miller_loop, multi_miller_loop      f_{z,Q}(P), products of them with shared squarings
///     final_exponentiation                to the power (q¹² - 1)/r, exactly
///     final_exponentiation_cubed          to three times that power: what many libraries compute
///     pairing, pairing_check              the two together; is a product of pairings one?
///
/// Everything is total: infinity on either side gives one. Points are in their subgroups; for
/// others the result is some element, without meaning. Variable time.
/// @see docs/math/pairing.md
namespace zkgpu {

/// A BLS12 curve with an M-type sextic twist and its tower of extensions.
template <class C>
concept PairingCurve = Curve<C> && TowerParams<typename C::G2::Tower> &&
    CompleteCurveParams<typename C::G2::Params> && Bls12Params<typename C::G2::Params> &&
    std::same_as<typename C::Fq12, Fp12<typename C::G2::Tower>>;

/// One factor e(p, q) of a product of pairings.
template <PairingCurve C>
struct PairingTerm {
  typename C::G1::Affine p;
  typename C::G2::Affine q;
};

/// A line through points of the twist, up to factors that the final exponentiation removes:
/// l(P) = constant + (slope·x_P)·v + (vertical·y_P)·v·w.
template <PairingCurve C>
struct TwistLine {
  typename C::Fq2 constant, slope, vertical;
};

namespace detail {

/// The running point of the Miller loop, homogeneous on the twist, and the lines that it makes.
template <PairingCurve C>
struct MillerPoint {
  using Params = typename C::G2::Params;
  using F = typename C::Fq2;
  F x, y, z;

  static constexpr MillerPoint from_affine(const typename C::G2::Affine& q) noexcept {
    return MillerPoint{q.x, q.y, F::one()};
  }

  /// this = 2·this; the tangent, scaled by 2YZ. 2M + 7S
  /// @see D. Aranha et al., "Faster explicit formulas for computing pairings over ordinary curves",
  ///      eprint 2010/526 §4 (here without halvings)
  ZKGPU_HD_NOINLINE constexpr TwistLine<C> double_step() noexcept {
    const F xx = x.square();
    const F yy = y.square();
    const F zz = z.square();
    const F xy2 = (x + y).square() - xx - yy;
    const F yz2 = (y + z).square() - yy - zz;
    const F e = Params::multiply_by_3b(zz);  // 3b'Z²
    const F e3 = e.doubled() + e;
    const F ee = e.square();
    const F ee4 = ee.doubled().doubled();
    x = xy2 * (yy - e3);                                     // X3 = 2XY(Y² - 9b'Z²)
    y = (yy + e3).square() - ee4.doubled() - ee4;            // Y3 = (Y² + 9b'Z²)² - 12(3b'Z²)²
    z = (yy * yz2).doubled().doubled();                      // Z3 = 8Y³Z
    return TwistLine<C>{yy - e, -(xx.doubled() + xx), yz2};  // Y² - 3b'Z², -3X², 2YZ
  }

  /// this = this + q, this != ±q; the chord, scaled by X - x_q·Z. 11M + 2S
  ZKGPU_HD_NOINLINE constexpr TwistLine<C> add_step(const typename C::G2::Affine& q) noexcept {
    const F theta = y - q.y * z;
    const F mu = x - q.x * z;
    const F mu2 = mu.square();
    const F mu3 = mu2 * mu;
    const F x_mu2 = x * mu2;
    const F h = mu3 + z * theta.square() - x_mu2.doubled();
    const TwistLine<C> line{difference_of_products(theta, q.x, mu, q.y), -theta, mu};
    x = mu * h;                                            // X3 = μ(μ³ + Zθ² - 2Xμ²)
    y = difference_of_products(theta, x_mu2 - h, mu3, y);  // Y3 = θ(3Xμ² - μ³ - Zθ²) - μ³Y
    z = z * mu3;                                           // Z3 = Zμ³
    return line;
  }
};

/// f·l(p)
template <PairingCurve C>
ZKGPU_HD constexpr typename C::Fq12 multiply_by_line_at(const typename C::Fq12& f,
                                                        const TwistLine<C>& line,
                                                        const typename C::G1::Affine& p) noexcept {
  return f.multiply_by_line(line.constant, line.slope * p.x, line.vertical * p.y);
}

/// Number of doublings and additions of the loop over the bits of |z| below the top one.
template <PairingCurve C>
inline constexpr std::size_t miller_doublings = 63 - std::countl_zero(C::z_magnitude);
template <PairingCurve C>
inline constexpr std::size_t miller_additions = std::popcount(C::z_magnitude) - 1;

template <PairingCurve C>
constexpr bool miller_adds_at(std::size_t bit) noexcept {
  return ((C::z_magnitude >> bit) & 1) != 0;
}

}  // namespace detail

/// A point of G2 with all lines of its Miller loop: for points that stay, like those of a verifying
/// key. Saves a third of the loop.
template <PairingCurve C>
class PreparedG2 {
 public:
  PreparedG2() = default;  ///< infinity
  explicit constexpr PreparedG2(const typename C::G2::Affine& q) noexcept
      : infinity_(q.is_infinity()) {
    auto t = detail::MillerPoint<C>::from_affine(q);
    std::size_t at = 0;
    for (std::size_t bit = detail::miller_doublings<C>; bit-- > 0;) {
      lines_[at++] = t.double_step();
      if (detail::miller_adds_at<C>(bit)) lines_[at++] = t.add_step(q);
    }
  }
  [[nodiscard]] constexpr bool is_infinity() const noexcept { return infinity_; }
  [[nodiscard]] constexpr const TwistLine<C>& line(std::size_t at) const noexcept {
    return lines_[at];
  }

 private:
  TwistLine<C> lines_[detail::miller_doublings<C> + detail::miller_additions<C>] = {};
  bool infinity_ = true;
};

/// One factor e(p, q) with the lines of q prepared. The prepared point outlives the term.
template <PairingCurve C>
struct PreparedPairingTerm {
  typename C::G1::Affine p;
  const PreparedG2<C>* q;
};

namespace detail {

/// Π f_{|z|,q}(p) over at most `miller_block` terms of each kind.
inline constexpr std::size_t miller_block = 16;
template <PairingCurve C>
constexpr typename C::Fq12 miller_loop_block(
    std::span<const PairingTerm<C>> terms,
    std::span<const PreparedPairingTerm<C>> prepared) noexcept {
  using F = typename C::Fq12;
  MillerPoint<C> points[miller_block];
  for (std::size_t i = 0; i < terms.size(); ++i) {
    points[i] = MillerPoint<C>::from_affine(terms[i].q);
  }
  const auto skips = [](const auto& p, const auto& q) {
    return p.is_infinity() || q.is_infinity();
  };

  F f = F::one();
  std::size_t at = 0;  // of the prepared lines
  const auto multiply_by_prepared = [&] {
    for (const auto& term : prepared) {
      if (skips(term.p, *term.q)) continue;
      f = multiply_by_line_at<C>(f, term.q->line(at), term.p);
    }
    ++at;
  };
  for (std::size_t bit = miller_doublings<C>; bit-- > 0;) {
    if (at != 0) f = f.square();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (skips(terms[i].p, terms[i].q)) continue;
      f = multiply_by_line_at<C>(f, points[i].double_step(), terms[i].p);
    }
    multiply_by_prepared();
    if (!miller_adds_at<C>(bit)) continue;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (skips(terms[i].p, terms[i].q)) continue;
      f = multiply_by_line_at<C>(f, points[i].add_step(terms[i].q), terms[i].p);
    }
    multiply_by_prepared();
  }
  return f;
}

}  // namespace detail

/// Π f_{z,q}(p) over all terms of both kinds: without meaning until the final exponentiation.
///
/// @cost  a block of 16 terms shares 62 squarings; a term takes 68 lines, which are made on the way
///        (prepared: only read) and multiplied in
template <PairingCurve C>
constexpr typename C::Fq12 multi_miller_loop(
    std::span<const PairingTerm<C>> terms,
    std::span<const PreparedPairingTerm<C>> prepared = {}) noexcept {
  using F = typename C::Fq12;
  F f = F::one();
  for (bool first = true; first || !terms.empty() || !prepared.empty(); first = false) {
    const auto some = terms.first(std::min(terms.size(), detail::miller_block));
    const auto some_prepared = prepared.first(std::min(prepared.size(), detail::miller_block));
    terms = terms.subspan(some.size());
    prepared = prepared.subspan(some_prepared.size());
    const F block = detail::miller_loop_block<C>(some, some_prepared);
    f = first ? block : f * block;
  }
  // f_{-n} = 1/f_n up to factors in Fq6, and the final exponentiation takes 1/f to what it takes
  // f̄.
  return C::z_is_negative ? f.conjugate() : f;
}

/// f_{z,q}(p)
template <PairingCurve C>
constexpr typename C::Fq12 miller_loop(const typename C::G1::Affine& p,
                                       const typename C::G2::Affine& q) noexcept {
  const PairingTerm<C> term{p, q};
  return multi_miller_loop<C>(std::span<const PairingTerm<C>>(&term, 1));
}

namespace detail {

/// Can squarings of F be compressed?
template <class F>
inline constexpr bool has_compressed_squares = false;
template <TowerParams T>
inline constexpr bool has_compressed_squares<Fp12<T>> = true;

/// f^±magnitude in the cyclotomic subgroup, where an inverse is a conjugate: by compressed
/// squarings if the magnitude is sparse, as |z| and |z - 1| are, or bit by bit where there are
/// none, else by its w-NAF with w = 4.
template <std::uint64_t magnitude, bool negative, class F>
ZKGPU_HD_NOINLINE constexpr F cyclotomic_pow_signed(const F& f) noexcept {
  if constexpr (std::popcount(magnitude) < 10) {
    F r = f;
    if constexpr (has_compressed_squares<F>) {
      r = cyclotomic_pow_sparse<magnitude>(f);
    } else {
      constexpr unsigned top = 63 - static_cast<unsigned>(std::countl_zero(magnitude));
      for (unsigned bit = top; bit-- > 0;) {
        r = r.cyclotomic_square();
        if ((magnitude >> bit & 1) != 0) r *= f;
      }
    }
    return negative ? r.conjugate() : r;
  } else {
    constexpr auto naf = WindowedNaf<4, 64>::of(Limbs<1>::from_uint64(magnitude), negative);
    F odd[4] = {f};
    const F square = f.cyclotomic_square();
    for (std::size_t i = 1; i < 4; ++i) odd[i] = odd[i - 1] * square;
    F r = F::one();
    bool started = false;
    for (std::size_t i = naf.length; i-- > 0;) {
      if (started) r = r.cyclotomic_square();
      const int digit = naf.digit[i];
      if (digit == 0) continue;
      const F factor = digit > 0 ? odd[digit / 2] : odd[-digit / 2].conjugate();
      r = started ? r * factor : factor;
      started = true;
    }
    return r;
  }
}

/// f^(q⁶ - 1), what the final exponentiation begins with. Zero stays zero.
template <PairingCurve C>
constexpr typename C::Fq12 final_exponentiation_start(const typename C::Fq12& f) noexcept {
  return f.conjugate() * f.inverse();
}

/// The rest of it: f^(q² + 1) is in the cyclotomic subgroup. F is C::Fq12, or has its interface.
template <PairingCurve C, class F>
struct FinalExponentiation {
  static constexpr F cubed(const F& f) noexcept {
    const F t = easy(f);
    const auto pow_z_minus_1 = [](const F& x) { return pow_z(x) * x.conjugate(); };
    const F a = pow_z_minus_1(pow_z_minus_1(t));
    return tail(a) * t.cyclotomic_square() * t;
  }
  static constexpr F exact(const F& f) noexcept {
    constexpr std::uint64_t z_minus_1 = C::z_is_negative ? C::z_magnitude + 1 : C::z_magnitude - 1;
    static_assert(z_minus_1 % 3 == 0, "z = 1 mod 3 in the BLS12 family");
    const F t = easy(f);
    const F a = cyclotomic_pow_signed<z_minus_1, C::z_is_negative>(t);
    const F b = cyclotomic_pow_signed<z_minus_1 / 3, C::z_is_negative>(a);
    return tail(b) * t;
  }

 private:
  static constexpr F easy(const F& f) noexcept { return f.frobenius().frobenius() * f; }
  static constexpr F pow_z(const F& x) noexcept {
    return cyclotomic_pow_signed<C::z_magnitude, C::z_is_negative>(x);
  }
  /// a^((z + q)(z² + q² - 1)), a in the cyclotomic subgroup.
  static constexpr F tail(const F& a) noexcept {
    const F b = pow_z(a) * a.frobenius();
    return pow_z(pow_z(b)) * b.frobenius().frobenius() * b.conjugate();
  }
};

}  // namespace detail

/// f^(3(q¹² - 1)/r): the cube of final_exponentiation(f), for less.
///
/// One exactly if final_exponentiation(f) is one, since 3 does not divide r. The hard part of the
/// exponent is (q⁴ - q² + 1)/r = (z - 1)²/3·(z + q)(z² + q² - 1) + 1.
/// @see D. Hayashida, K. Hayasaka, T. Teruya, "Efficient final exponentiation via cyclotomic
///      structure for pairings over families of elliptic curves", eprint 2020/875 §4.1
template <PairingCurve C>
constexpr typename C::Fq12 final_exponentiation_cubed(const typename C::Fq12& f) noexcept {
  using Hard = detail::FinalExponentiation<C, typename C::Fq12>;
  return Hard::cubed(detail::final_exponentiation_start<C>(f));
}

/// f^((q¹² - 1)/r). Zero stays zero.
template <PairingCurve C>
constexpr typename C::Fq12 final_exponentiation(const typename C::Fq12& f) noexcept {
  using Hard = detail::FinalExponentiation<C, typename C::Fq12>;
  return Hard::exact(detail::final_exponentiation_start<C>(f));
}

/// e(p, q) = f_{z,q}(p)^((q¹² - 1)/r), an element of order r, or one if a point is infinity.
template <PairingCurve C>
constexpr typename C::Fq12 pairing(const typename C::G1::Affine& p,
                                   const typename C::G2::Affine& q) noexcept {
  return final_exponentiation<C>(miller_loop<C>(p, q));
}

/// Is Π e(p, q) over all terms of both kinds one? The empty product is.
template <PairingCurve C>
constexpr bool pairing_check(std::span<const PairingTerm<C>> terms,
                             std::span<const PreparedPairingTerm<C>> prepared = {}) noexcept {
  return final_exponentiation_cubed<C>(multi_miller_loop<C>(terms, prepared)) == C::Fq12::one();
}

}  // namespace zkgpu
