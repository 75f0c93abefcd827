// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>

/// Inversion modulo an odd number by division steps: the same instructions for every value but for
/// the number of batches, so the threads of a warp stay together, and additions and shifts instead
/// of products, which leaves the multipliers to others.
///
/// A step takes (δ, f, g), f odd, to (1 − δ, g, (g − f)/2) if δ > 0 and g is odd, and else to
/// (1 + δ, f, (g + (g mod 2)·f)/2). From δ = 1/2, f = m and g = x the pair ends at f = ±gcd, g = 0,
/// for 381 bits after at most 878 steps. What 30 steps do depends on the 30 low bits of f and g
/// alone: they give a matrix of small factors, which is then applied to the long numbers, and
/// modulo m to d and e, of which d = f/x and e = g/x hold throughout.
///
/// @see D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion",
///   eprint 2019/266; the start at 1/2: P. Wuille, "safegcd-bounds", 2021
namespace zkgpu::divsteps {

inline constexpr unsigned batch_steps = 30;
inline constexpr std::int32_t digit_mask = (1 << batch_steps) - 1;

/// A number of signed digits: Σ digit[i]·2^(30 i), all but the last in [0, 2^30).
template <std::size_t D>
struct Digits {
  std::int32_t digit[D];
};

/// 2^30·(f', g') = (ff·f + fg·g, gf·f + gg·g); a row's magnitudes add up to at most 2^30.
struct Factors {
  std::int32_t ff, fg;
  std::int32_t gf, gg;
};

namespace detail {

inline constexpr unsigned half_steps = batch_steps / 2;

/// 15 steps on the low words of f and g, by factors as `Factors` with 2^15.
///
/// The factors of a row travel in one word, as first + 2^16·second: they are added and shifted
/// together. Rows have determinant +2^15, gg stays odd and ff even, so no factor is -2^15; 2^15 - 1
/// more, both are 16-bit numbers. A device has a pipe for products beside that for additions: signs
/// are multiplied.
ZKGPU_HD constexpr Factors run(std::int32_t& half_delta, std::uint32_t& f,
                               std::uint32_t& g) noexcept {
  std::uint32_t row_f = 1;
  std::uint32_t row_g = 1u << 16;
  ZKGPU_NO_UNROLL for (unsigned block = 0; block < half_steps / 5; ++block) {
    ZKGPU_UNROLL for (unsigned i = 0; i < 5; ++i) {
      const std::uint32_t odd = g & 1;
      const std::uint32_t turn = odd & ~static_cast<std::uint32_t>(half_delta >> 31);  // δ > 0
      // g + f or g - f where g is odd; f becomes what g was, which is f + (g - f)
      const std::uint32_t sign = odd - 2 * turn;
      g += sign * f;
      row_g += sign * row_f;
      f += turn * g;
      row_f += turn * row_g;
      g >>= 1;
      row_f <<= 1;
      half_delta = half_delta * static_cast<std::int32_t>(1 - 2 * turn) +
                   static_cast<std::int32_t>(1 - turn);
    }
  }
  constexpr std::uint32_t above = (1u << half_steps) - 1;
  const auto first = [](std::uint32_t row) {
    return static_cast<std::int32_t>((row + above) & 0xffff) - static_cast<std::int32_t>(above);
  };
  const auto second = [](std::uint32_t row) {
    return static_cast<std::int32_t>((row + above + (above << 16)) >> 16) -
           static_cast<std::int32_t>(above);
  };
  return Factors{first(row_f), second(row_f), first(row_g), second(row_g)};
}

}  // namespace detail

/// 30 steps on the low words of f and g.
///
/// @param half_delta  δ − 1/2, carried from batch to batch
ZKGPU_HD constexpr Factors batch(std::int32_t& half_delta, std::uint32_t f,
                                 std::uint32_t g) noexcept {
  const Factors a = detail::run(half_delta, f, g);
  const Factors b = detail::run(half_delta, f, g);
  return Factors{b.ff * a.ff + b.fg * a.gf, b.ff * a.fg + b.fg * a.gg, b.gf * a.ff + b.gg * a.gf,
                 b.gf * a.fg + b.gg * a.gg};
}

/// What inversion modulo the modulus of `M` needs, derived at compile time.
template <class M>
struct Modulus {
  static constexpr std::size_t digits = (64 * M::limb_count + batch_steps - 1) / batch_steps;

  ZKGPU_HD static constexpr Digits<digits> split(const Limbs<M::limb_count>& n) noexcept {
    Digits<digits> r{};
    ZKGPU_UNROLL for (std::size_t i = 0; i < digits; ++i) {
      r.digit[i] = static_cast<std::int32_t>(n.bits(batch_steps * i, batch_steps));
    }
    return r;
  }
  ZKGPU_HD static constexpr Digits<digits> value() noexcept {
    constexpr Digits<digits> m = split(M::modulus());
    return m;
  }
  /// m^-1 mod 2^30
  static constexpr std::uint32_t inverse =
      static_cast<std::uint32_t>(std::uint64_t{0} - M::montgomery_inverse()) & digit_mask;
};

/// (f, g) by a batch's factors.
template <std::size_t D>
ZKGPU_HD constexpr void apply(const Factors& t, Digits<D>& f, Digits<D>& g) noexcept {
  std::int64_t carry_f = 0;
  std::int64_t carry_g = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < D; ++i) {
    const std::int64_t a = f.digit[i];
    const std::int64_t b = g.digit[i];
    carry_f += t.ff * a + t.fg * b;
    carry_g += t.gf * a + t.gg * b;
    if (i > 0) {  // the lowest digits are zero
      f.digit[i - 1] = static_cast<std::int32_t>(carry_f) & digit_mask;
      g.digit[i - 1] = static_cast<std::int32_t>(carry_g) & digit_mask;
    }
    carry_f >>= batch_steps;
    carry_g >>= batch_steps;
  }
  f.digit[D - 1] = static_cast<std::int32_t>(carry_f);
  g.digit[D - 1] = static_cast<std::int32_t>(carry_g);
}

/// (d, e) by a batch's factors modulo m; both stay in (−2m, m).
///
/// A negative one counts as itself plus m: then a row's sum lies within 2^30·m of zero, and less
/// the multiple of m below 2^30·m that makes it divisible the quotient is in the same range again.
template <class M, std::size_t D>
ZKGPU_HD constexpr void apply_modulo(const Factors& t, Digits<D>& d, Digits<D>& e) noexcept {
  const Digits<D> m = Modulus<M>::value();
  const std::int32_t d_below = d.digit[D - 1] >> 31;
  const std::int32_t e_below = e.digit[D - 1] >> 31;
  std::int32_t multiple_d = (t.ff & d_below) + (t.fg & e_below);
  std::int32_t multiple_e = (t.gf & d_below) + (t.gg & e_below);
  const auto low = [](std::int32_t x) { return static_cast<std::uint32_t>(x); };
  const std::uint32_t d_low = low(t.ff) * low(d.digit[0]) + low(t.fg) * low(e.digit[0]);
  const std::uint32_t e_low = low(t.gf) * low(d.digit[0]) + low(t.gg) * low(e.digit[0]);
  multiple_d -=
      static_cast<std::int32_t>((Modulus<M>::inverse * d_low + low(multiple_d)) & low(digit_mask));
  multiple_e -=
      static_cast<std::int32_t>((Modulus<M>::inverse * e_low + low(multiple_e)) & low(digit_mask));
  std::int64_t carry_d = 0;
  std::int64_t carry_e = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < D; ++i) {
    const std::int64_t a = d.digit[i];
    const std::int64_t b = e.digit[i];
    const std::int64_t c = m.digit[i];
    carry_d += t.ff * a + t.fg * b + multiple_d * c;
    carry_e += t.gf * a + t.gg * b + multiple_e * c;
    if (i > 0) {
      d.digit[i - 1] = static_cast<std::int32_t>(carry_d) & digit_mask;
      e.digit[i - 1] = static_cast<std::int32_t>(carry_e) & digit_mask;
    }
    carry_d >>= batch_steps;
    carry_e >>= batch_steps;
  }
  d.digit[D - 1] = static_cast<std::int32_t>(carry_d);
  e.digit[D - 1] = static_cast<std::int32_t>(carry_e);
}

/// d in (−m, m), negated if `sign` is all ones, plus m if it is negative before or after.
///
/// @pre d in (−2m, m)
template <class M, std::size_t D>
ZKGPU_HD constexpr Limbs<M::limb_count> normalized(Digits<D> d, std::int32_t sign) noexcept {
  const Digits<D> m = Modulus<M>::value();
  const auto add_if_below = [&m](Digits<D>& x, std::int32_t negate) {
    const std::int32_t below = x.digit[D - 1] >> 31;
    std::int32_t carry = 0;
    ZKGPU_UNROLL for (std::size_t i = 0; i < D; ++i) {
      carry += ((x.digit[i] + (m.digit[i] & below)) ^ negate) - negate;
      x.digit[i] = i + 1 < D ? carry & digit_mask : carry;
      carry >>= batch_steps;
    }
  };
  add_if_below(d, sign);
  add_if_below(d, 0);
  Limbs<M::limb_count> r{};
  ZKGPU_UNROLL for (std::size_t i = 0; i < D; ++i) {
    const std::uint64_t digit = static_cast<std::uint32_t>(d.digit[i]);
    const std::size_t at = batch_steps * i;
    r.limb[at / 64] |= digit << (at % 64);
    if (at % 64 > 64 - batch_steps && at / 64 + 1 < M::limb_count) {
      r.limb[at / 64 + 1] |= digit >> (64 - at % 64);
    }
  }
  return r;
}

/// 1/x modulo M's modulus for x below it, and 0 for 0.
///
/// @cost   at most 30 batches of 30 steps for 381 bits: 18 additions and logical operations a step,
///         10 D products of 32 bits a batch
template <class M>
ZKGPU_HD constexpr Limbs<M::limb_count> inverse(const Limbs<M::limb_count>& x) noexcept {
  constexpr std::size_t D = Modulus<M>::digits;
  Digits<D> f = Modulus<M>::value();
  Digits<D> g = Modulus<M>::split(x);
  Digits<D> d{};
  Digits<D> e{};
  e.digit[0] = 1;
  std::int32_t half_delta = 0;
  for (;;) {
    std::int32_t any = 0;
    ZKGPU_UNROLL for (std::size_t i = 0; i < D; ++i) any |= g.digit[i];
    if (any == 0) break;
    const Factors t = batch(half_delta, static_cast<std::uint32_t>(f.digit[0]),
                            static_cast<std::uint32_t>(g.digit[0]));
    apply_modulo<M>(t, d, e);
    apply(t, f, g);
  }
  return normalized<M>(d, f.digit[D - 1] >> 31);
}

}  // namespace zkgpu::divsteps
