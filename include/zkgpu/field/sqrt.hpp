// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/fp2.hpp>

namespace zkgpu {

/// The Legendre symbol by Euler's criterion, a^((p-1)/2): 1 for a square, -1 for a non-square, 0
/// for zero. Variable time in the modulus only.
///
/// @cost  1 exponentiation
template <PrimeField F>
ZKGPU_HD constexpr int legendre(const F& a) noexcept {
  const F power = a.pow(shift_right(F::modulus(), 1));
  if (power.is_zero()) return 0;
  return power == F::one() ? 1 : -1;
}

/// The same in F[u]/(u² + 1): a is a square just if its norm is one in F.
template <PrimeField F>
ZKGPU_HD constexpr int legendre(const Fp2<F>& a) noexcept {
  return legendre(a.norm());
}

/// Whether a is a square; zero is.
template <Field F>
ZKGPU_HD constexpr bool is_square(const F& a) noexcept {
  return legendre(a) >= 0;
}

/// a^((p-3)/4) in a field with p = 3 mod 4: 1/√a if a is a square, and 1/√-a up to sign if not.
template <PrimeField F>
ZKGPU_HD constexpr F inverse_sqrt_candidate(const F& a) noexcept {
  static_assert((F::modulus().limb[0] & 3) == 3, "the modulus must be 3 mod 4");
  return a.pow(shift_right(F::modulus(), 2));  // (p-3)/4 is p/4 rounded down
}

/// A square root where p = 1 mod 4, by the algorithm of Tonelli and Shanks: with p - 1 = 2^s t, the
/// candidate a^((t+1)/2) is off by a root of a^t, whose order is a power of two; the bits of its
/// logarithm to the base of a root of unity of order 2^s are found and taken away from below.
///
/// @return  false, with `root` unchanged, if `a` is not a square
/// @cost    1 exponentiation of bits - s bits, and about s²/4 squarings
/// @see     H. Cohen, "A Course in Computational Algebraic Number Theory", 1993, algorithm 1.5.1
template <NttField F>
ZKGPU_HD constexpr bool sqrt_tonelli_shanks(const F& a, F& root) noexcept {
  if (a.is_zero()) {
    root = a;
    return true;
  }
  unsigned order = F::two_adicity;  // z has order 2^order
  F z = F::root_of_unity(order);
  const F w = a.pow(shift_right(F::modulus(), F::two_adicity + 1));  // a^((t-1)/2)
  F x = a * w;                                                       // a^((t+1)/2)
  F b = x * w;                                                       // a^t = x²/a
  while (!(b == F::one())) {
    unsigned k = 0;  // b has order 2^k
    for (F power = b; !(power == F::one()); power = power.square()) {
      if (++k == order) return false;  // only for the first b, if a is no square
    }
    for (unsigned i = order - 1; i > k; --i) z = z.square();
    x *= z;  // z² has order 2^k and so b·z² a smaller one
    z = z.square();
    b *= z;
    order = k;
  }
  root = x;
  return true;
}

/// A square root in a prime field; which of the two is not specified. Variable time.
///
/// @param root  set only if `a` is a square
/// @return      whether `a` is a square (zero is)
/// @cost        1 exponentiation where p = 3 mod 4; else see sqrt_tonelli_shanks
template <PrimeField F>
ZKGPU_HD constexpr bool sqrt(const F& a, F& root) noexcept {
  if constexpr ((F::modulus().limb[0] & 3) == 3) {
    const F candidate = inverse_sqrt_candidate(a) * a;
    if (!(candidate.square() == a)) return false;
    root = candidate;
    return true;
  } else {
    return sqrt_tonelli_shanks(a, root);
  }
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
