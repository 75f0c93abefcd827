// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/fp2.hpp>

namespace zkgpu {

/// a^((p-3)/4) in a field with p = 3 mod 4: 1/√a if a is a square, and 1/√-a up to sign if not.
template <PrimeField F>
ZKGPU_HD constexpr F inverse_sqrt_candidate(const F& a) noexcept {
  static_assert((F::modulus().limb[0] & 3) == 3, "the modulus must be 3 mod 4");
  return a.pow(shift_right(F::modulus(), 2));  // (p-3)/4 is p/4 rounded down
}

/// A square root in a prime field with p = 3 mod 4; which of the two is not specified.
///
/// @param root  set only if `a` is a square
/// @return      whether `a` is a square (zero is)
/// @cost        1 exponentiation
template <PrimeField F>
ZKGPU_HD constexpr bool sqrt(const F& a, F& root) noexcept {
  const F candidate = inverse_sqrt_candidate(a) * a;
  if (!(candidate.square() == a)) return false;
  root = candidate;
  return true;
}

/// A square root in F[u]/(u² + 1), p = 3 mod 4, from the norm: if x² = a then the real part of x is
/// a root of t = (a0 ± √(a0² + a1²))/2, and its imaginary part is a1/(2·Re x).
///
/// @param root  set only if `a` is a square
/// @return      whether `a` is a square (zero is)
/// @cost        2 exponentiations in F
template <PrimeField F>
ZKGPU_HD constexpr bool sqrt(const Fp2<F>& a, Fp2<F>& root) noexcept {
  F s{};
  if (!sqrt(a.norm(), s)) return false;
  constexpr F half = [] {  // (p + 1)/2
    typename F::Integer n = shift_right(F::modulus(), 1);
    n.limb[0] += 1;  // p = 3 mod 4: the halved modulus is odd, and its lowest limb not all ones
    return F::from_integer(n);
  }();
  F t = (a.c0 + s) * half;
  if (t.is_zero()) t = (a.c0 - s) * half;  // a1 = 0 and s = -a0: t = a0
  const F e = inverse_sqrt_candidate(t);
  const F te = t * e;
  const F half_a1 = a.c1 * half;
  // t a square: √t = te and 1/√t = e. Otherwise -t is, √-t = te and 1/√-t = -e, and the other sign
  // of the norm's root gives the real part, since (a0 - s)/2 = -(a1/2)²/t.
  const Fp2<F> candidate = te.square() == t ? Fp2<F>{te, half_a1 * e} : Fp2<F>{half_a1 * e, -te};
  if (!(candidate.square() == a)) return false;
  root = candidate;
  return true;
}

}  // namespace zkgpu
