// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>

/// Inversion modulo an odd number by the binary extended Euclidean algorithm, in batches.
///
/// The algorithm keeps a = y·u and b = y·v mod m, b odd, and steps
///
///     a odd and a < b: exchange (a, u) and (b, v);   a odd: (a, u) -= (b, v);   (a, u) /= 2
///
/// until a = 0; then b = 1 and v = 1/y. What 31 steps do depends only on the 31 low bits of a and b
/// and on how their high bits compare, so they run on two words: 33 high bits over 31 low bits.
/// They leave a matrix of small factors. A batch is two such runs, the second on what the first
/// makes of 64 high and 64 low bits; only then are the long numbers multiplied by the factors.
///
/// The words follow the algorithm exactly, and each run takes 31 bits off them; the long numbers
/// follow within two units of the last high bit. So their lengths shrink by at least 28 bits a run,
/// which ends the loop; what may go wrong is that nearly equal numbers are subtracted the wrong way
/// round. The negative difference is negated, and its factors with it. Once both numbers fit in 64
/// bits the words are exact.
///
/// Variable time: for public values only.
///
/// @see T. Pornin, "Optimized Binary GCD for Modular Inversion", eprint 2020/972
namespace zkgpu::binary_gcd {

inline constexpr unsigned run_steps = 31;
inline constexpr unsigned batch_steps = 2 * run_steps;

/// 2^steps · (a', b') = matrix · (a, b). The factors of a row add up to at most 2^steps in
/// magnitude.
struct Factors {
  std::int64_t aa, ab;  // 2^steps a' = aa · a + ab · b
  std::int64_t ba, bb;  // 2^steps b' = ba · a + bb · b
};

/// A signed number of 64 (N + 1) bits in two's complement.
template <std::size_t N>
using Signed = Limbs<N + 1>;

/// 31 steps on the words that stand for a and b. A pair of factors travels in one word, as low +
/// 2^32 · high: they are added, subtracted and shifted together.
constexpr Factors run(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t row_a = 1;
  std::uint64_t row_b = std::uint64_t{1} << 32;
  unsigned left = run_steps;
  const auto zeros_within = [&left](std::uint64_t x) {
    return static_cast<unsigned>(std::countr_zero(x | (std::uint64_t{1} << left)));
  };
  unsigned zeros = zeros_within(a);
  for (;;) {
    a >>= zeros;
    row_b <<= zeros;
    left -= zeros;
    if (left == 0) break;
    // Both are odd: the difference is even either way round, so its zeros need not wait for its
    // sign.
    const std::uint64_t difference = a - b;
    const std::uint64_t exchange = std::uint64_t{0} - static_cast<std::uint64_t>(a < b);
    zeros = zeros_within(difference);
    b += difference & exchange;              // the smaller of the two
    a = (difference ^ exchange) - exchange;  // |a - b|
    const std::uint64_t row_difference = row_a - row_b;
    row_b += row_difference & exchange;
    row_a = (row_difference ^ exchange) - exchange;
  }
  // All four factors lie in (-2^31, 2^31]: shift them to be positive, take them apart, shift back.
  constexpr std::int64_t shift = 0x7fffffff;
  constexpr std::uint64_t both = 0x7fffffff7fffffff;
  row_a += both;
  row_b += both;
  return Factors{static_cast<std::int64_t>(row_a & 0xffffffff) - shift,
                 static_cast<std::int64_t>(row_a >> 32) - shift,
                 static_cast<std::int64_t>(row_b & 0xffffffff) - shift,
                 static_cast<std::int64_t>(row_b >> 32) - shift};
}

/// The word of `run`: 33 high bits over 31 low bits.
constexpr std::uint64_t word(std::uint64_t high, std::uint64_t low) noexcept {
  constexpr std::uint64_t low_bits = (std::uint64_t{1} << run_steps) - 1;
  return (high & ~low_bits) | (low & low_bits);
}

/// (fa · a + fb · b) / 2^31 for the high bits; a negative value is one that is zero but for an
/// error.
constexpr std::uint64_t after_run(std::uint64_t a, std::int64_t fa, std::uint64_t b,
                                  std::int64_t fb) noexcept {
  const __int128 sum = static_cast<__int128>(a) * fa + static_cast<__int128>(b) * fb;
  return sum < 0 ? 0 : static_cast<std::uint64_t>(sum >> run_steps);
}

/// The factors of two runs from `top` = the length of the longer number.
template <std::size_t N>
constexpr Factors batch(const Limbs<N>& a, const Limbs<N>& b, std::size_t top) noexcept {
  const bool exact = top <= 64;
  const std::uint64_t high_a = exact ? a.limb[0] : a.bits(top - 64, 64);
  const std::uint64_t high_b = exact ? b.limb[0] : b.bits(top - 64, 64);
  const Factors f = run(word(high_a, a.limb[0]), word(high_b, b.limb[0]));
  const auto times = [](std::uint64_t x, std::int64_t y) {
    return x * static_cast<std::uint64_t>(y);
  };
  const std::uint64_t low_a = (times(a.limb[0], f.aa) + times(b.limb[0], f.ab)) >> run_steps;
  const std::uint64_t low_b = (times(a.limb[0], f.ba) + times(b.limb[0], f.bb)) >> run_steps;
  const std::uint64_t next_a = after_run(high_a, f.aa, high_b, f.ab);
  const std::uint64_t next_b = after_run(high_a, f.ba, high_b, f.bb);
  const int lead = exact ? 0 : std::countl_zero(next_a | next_b | 1);
  const Factors g = run(word(next_a << lead, low_a), word(next_b << lead, low_b));
  return Factors{g.aa * f.aa + g.ab * f.ba, g.aa * f.ab + g.ab * f.bb, g.ba * f.aa + g.bb * f.ba,
                 g.ba * f.ab + g.bb * f.bb};
}

/// The length of the longer of two numbers.
template <std::size_t N>
constexpr std::size_t longer_length(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  for (std::size_t i = N; i-- > 0;) {
    const std::uint64_t both = a.limb[i] | b.limb[i];
    if (both != 0) return 64 * i + static_cast<std::size_t>(std::bit_width(both));
  }
  return 0;
}

/// (fa · a + fb · b) / 2^62 for unsigned a, b; the division is exact. Returns whether the value is
/// negative; r is its magnitude.
template <std::size_t N>
constexpr bool combine(Limbs<N>& r, const Limbs<N>& a, std::int64_t fa, const Limbs<N>& b,
                       std::int64_t fb) noexcept {
  __int128 sum = 0;
  std::uint64_t below = 0;  // the limb before the one being made
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    sum += static_cast<__int128>(a.limb[i]) * fa + static_cast<__int128>(b.limb[i]) * fb;
    const auto low = static_cast<std::uint64_t>(sum);
    if (i > 0) r.limb[i - 1] = (below >> batch_steps) | (low << (64 - batch_steps));
    below = low;
    sum >>= 64;
  }
  const auto top = static_cast<std::uint64_t>(sum);
  r.limb[N - 1] = (below >> batch_steps) | (top << (64 - batch_steps));
  if (sum >= 0) return false;
  limb_ops::subtract(r, Limbs<N>::zero(), r);
  return true;
}

/// (fu · u + fv · v) / 2^62 mod m for signed u, v: a multiple of m makes the division exact.
///
/// @param inverse  -m^-1 mod 2^64
/// @return a number whose magnitude is below max(|u|, |v|) + m
template <std::size_t N>
constexpr Signed<N> combine_modular(const Signed<N>& u, std::int64_t fu, const Signed<N>& v,
                                    std::int64_t fv, const Limbs<N>& m,
                                    std::uint64_t inverse) noexcept {
  constexpr std::uint64_t mask = (std::uint64_t{1} << batch_steps) - 1;
  const std::uint64_t lowest =
      u.limb[0] * static_cast<std::uint64_t>(fu) + v.limb[0] * static_cast<std::uint64_t>(fv);
  const auto multiple = static_cast<std::int64_t>((lowest * inverse) & mask);
  Signed<N> r{};
  __int128 sum = 0;
  std::uint64_t below = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    sum += static_cast<__int128>(u.limb[i]) * fu + static_cast<__int128>(v.limb[i]) * fv;
    sum += static_cast<__int128>(m.limb[i]) * multiple;
    const auto low = static_cast<std::uint64_t>(sum);
    if (i > 0) r.limb[i - 1] = (below >> batch_steps) | (low << (64 - batch_steps));
    below = low;
    sum >>= 64;
  }
  sum += static_cast<__int128>(static_cast<std::int64_t>(u.limb[N])) * fu +
         static_cast<__int128>(static_cast<std::int64_t>(v.limb[N])) * fv;
  r.limb[N - 1] = (below >> batch_steps) | (static_cast<std::uint64_t>(sum) << (64 - batch_steps));
  r.limb[N] = static_cast<std::uint64_t>(sum >> batch_steps);
  return r;
}

/// factor / y mod M::modulus() up to a multiple of the modulus, of magnitude below 2^8 · modulus.
///
/// @param y       below the modulus, prime to it, not zero
/// @param factor  below the modulus
template <class M, std::size_t N>
constexpr Signed<N> quotient(const Limbs<N>& factor, const Limbs<N>& y) noexcept {
  Limbs<N> a = y;
  Limbs<N> b = M::modulus();
  Signed<N> u{}, v{};
  for (std::size_t i = 0; i < N; ++i) u.limb[i] = factor.limb[i];
  while (!a.is_zero()) {
    Factors f = batch(a, b, longer_length(a, b));
    Limbs<N> next_a{}, next_b{};
    if (combine(next_a, a, f.aa, b, f.ab)) f.aa = -f.aa, f.ab = -f.ab;
    if (combine(next_b, a, f.ba, b, f.bb)) f.ba = -f.ba, f.bb = -f.bb;
    a = next_a;
    b = next_b;
    const Signed<N> next_u =
        combine_modular(u, f.aa, v, f.ab, M::modulus(), M::montgomery_inverse());
    v = combine_modular(u, f.ba, v, f.bb, M::modulus(), M::montgomery_inverse());
    u = next_u;
  }
  return v;
}

/// 2^(128N) / y mod M::modulus(): the inverse in Montgomery form of a y in Montgomery form.
///
/// @param y  below the modulus, prime to it, not zero
/// @cost     about 9 batches for 381 bits, 6 for 255; no product but the last reduction
template <class M, std::size_t N>
constexpr Limbs<N> montgomery_inverse(const Limbs<N>& y) noexcept {
  // Each batch adds at most one modulus to the magnitude of v, so v + 2^8 · modulus is positive.
  // The reduction takes any multiple of the modulus away, and a factor 2^(64N), which R³ makes up
  // for.
  const Signed<N> v = quotient<M>(M::r_cubed(), y);
  constexpr Signed<N> lift = [] {
    Signed<N> r{};
    for (std::size_t i = 0; i <= N; ++i) {
      if (i < N) r.limb[i] = M::modulus().limb[i] << 8;
      if (i > 0) r.limb[i] |= M::modulus().limb[i - 1] >> 56;
    }
    return r;
  }();
  Signed<N> positive{};
  limb_ops::add(positive, v, lift);
  Limbs<2 * N> wide{};
  for (std::size_t i = 0; i <= N; ++i) wide.limb[i] = positive.limb[i];
  Limbs<N> r{};
  limb_ops::montgomery_reduce<M>(r, wide);
  return r;
}

}  // namespace zkgpu::binary_gcd
