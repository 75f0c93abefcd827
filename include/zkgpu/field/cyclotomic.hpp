// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/field/fp12.hpp>

namespace zkgpu {

/// An element of the cyclotomic subgroup of Fp12 by four of its six coefficients, which are enough
/// to square it: two thirds of the work of cyclotomic_square().
///
/// With the element written as g0 + g1·s + g2·w + g3·v² + g4·v + g5·v²w, s = v·w: g0 and g1 follow
/// from the rest by one division.
/// @see K. Karabina, "Squaring in cyclotomic subgroups", Math. Comp. 82, 2013; D. Aranha et al.,
///      "Faster explicit formulas for computing pairings over ordinary curves", eprint 2010/526
///      §5.2
template <TowerParams T>
struct CompressedCyclotomic {
  using F = typename T::BaseField;

  F g2, g3, g4, g5;

  ZKGPU_HD static constexpr CompressedCyclotomic from(const Fp12<T>& f) noexcept {
    return CompressedCyclotomic{f.c1.c0, f.c0.c2, f.c0.c1, f.c1.c2};
  }

  /// 6S: the squares (g2 + g3·s)² and (g4 + g5·s)² in F[s]/(s² - ξ)
  ZKGPU_HD_NOINLINE constexpr CompressedCyclotomic square() const noexcept {
    const F s2 = g2.square();
    const F s3 = g3.square();
    const F s4 = g4.square();
    const F s5 = g5.square();
    const F b1 = (g2 + g3).square() - s2 - s3;                     // 2 g2 g3
    const F c1 = T::multiply_by_xi((g4 + g5).square() - s4 - s5);  // 2ξ g4 g5
    const F b0 = s2 + T::multiply_by_xi(s3);
    const F c0 = s4 + T::multiply_by_xi(s5);
    return CompressedCyclotomic{(c1 + g2).doubled() + c1, (c0 - g3).doubled() + c0,
                                (b0 - g4).doubled() + b0, (b1 + g5).doubled() + b1};
  }

  /// The divisor of g1: 4·g2, or g3 where g2 is zero. Zero only for the element one.
  ZKGPU_HD constexpr F denominator() const noexcept {
    return g2.is_zero() ? g3 : g2.doubled().doubled();
  }

  /// The whole element. @param inverse  of denominator(), zero for zero
  ZKGPU_HD constexpr Fp12<T> decompress(const F& inverse) const noexcept {
    const F g45 = g4 * g5;
    const F s4 = g4.square();
    // 4·g1·g2 = ξ·g5² + 3·g4² - 2·g3, or g1·g3 = 2·g4·g5
    const F numerator = g2.is_zero()
                            ? g45.doubled()
                            : T::multiply_by_xi(g5.square()) + s4.doubled() + s4 - g3.doubled();
    const F g1 = numerator * inverse;
    const F g34 = g3 * g4;
    const F sum = g1.square().doubled() + g2 * g5 - g34.doubled() - g34;
    const F g0 = T::multiply_by_xi(sum) + F::one();  // g0 = ξ(2·g1² + g2·g5 - 3·g3·g4) + 1
    return Fp12<T>{{g0, g4, g3}, {g2, g1, g5}};
  }
};

namespace detail {

/// The highest one of n that ends a run of at least 12 squarings without a factor; 0 if there is
/// none. 12 saved thirds of a squaring outweigh a decompression.
constexpr unsigned end_of_long_runs(std::uint64_t n) noexcept {
  unsigned end = 0;
  unsigned last = 0;
  for (unsigned bit = 1; bit < 64; ++bit) {
    if (((n >> bit) & 1) == 0) continue;
    if (bit - last >= 12) end = bit;
    last = bit;
  }
  return end;
}

}  // namespace detail

/// f^magnitude for f in the cyclotomic subgroup and a magnitude with few ones far apart, from the
/// lowest bit up: compressed squarings up to the end of the last long run, one shared inversion for
/// what has to be decompressed, then whole squarings.
template <std::uint64_t magnitude, TowerParams T>
ZKGPU_HD_NOINLINE constexpr Fp12<T> cyclotomic_pow_sparse(const Fp12<T>& f) noexcept {
  using F = typename T::BaseField;
  constexpr unsigned end = detail::end_of_long_runs(magnitude);
  constexpr unsigned top = 63 - static_cast<unsigned>(std::countl_zero(magnitude));
  constexpr std::uint64_t low_ones =
      magnitude & ~std::uint64_t{1} & (~std::uint64_t{0} >> (63 - end));
  constexpr auto kept = static_cast<std::size_t>(std::popcount(low_ones));
  static_assert(kept > 0, "without long runs use cyclotomic_pow");

  CompressedCyclotomic<T> powers[kept];  // f^(2^bit) for the ones of low_ones
  CompressedCyclotomic<T> square = CompressedCyclotomic<T>::from(f);
  std::size_t at = 0;
  for (unsigned bit = 1; bit <= end; ++bit) {
    square = square.square();
    if (((magnitude >> bit) & 1) != 0) powers[at++] = square;
  }
  F inverses[kept];
  F scratch[kept];
  for (std::size_t i = 0; i < kept; ++i) inverses[i] = powers[i].denominator();
  batch_inverse(std::span<F>(inverses), std::span<F>(scratch));

  Fp12<T> power = powers[0].decompress(inverses[0]);
  Fp12<T> r = (magnitude & 1) != 0 ? f * power : power;
  for (std::size_t i = 1; i < kept; ++i) {
    power = powers[i].decompress(inverses[i]);
    r *= power;
  }
  for (unsigned bit = end + 1; bit <= top; ++bit) {
    power = power.cyclotomic_square();
    if (((magnitude >> bit) & 1) != 0) r *= power;
  }
  return r;
}

}  // namespace zkgpu
