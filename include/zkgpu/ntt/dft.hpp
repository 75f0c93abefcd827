// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/loose_fp.hpp>

namespace zkgpu {

/// What the small transforms multiply by: functions of a root ω of order 8.
template <PrimeFieldParams P>
struct DftConstants {
  KnownFactor<P> i;  ///< ω², of order 4
  KnownFactor<P> c;  ///< (ω - ω³)/2
  KnownFactor<P> s;  ///< (ω + ω³)/2

  ZKGPU_HD static constexpr DftConstants from_root(const Fp<P>& root, const Fp<P>& half) noexcept {
    const Fp<P> i = root.square();
    const Fp<P> cube = root * i;
    return DftConstants{KnownFactor<P>::from(i), KnownFactor<P>::from((root - cube) * half),
                        KnownFactor<P>::from((root + cube) * half)};
  }
};

/// y[k] = Σ x[m] i^(mk); 1M + 8A
template <PrimeFieldParams P>
ZKGPU_HD constexpr void dft(const TightFp<P> (&x)[4], TightFp<P> (&y)[4],
                            const DftConstants<P>& constants) noexcept {
  const TightFp<P> s02 = tight_sum(x[0], x[2]);
  const TightFp<P> d02 = x[0] - x[2];
  const TightFp<P> s13 = tight_sum(x[1], x[3]);
  const TightFp<P> d13 = (x[1] - x[3]) * constants.i;
  y[0] = tight_sum(s02, s13);
  y[2] = s02 - s13;
  y[1] = tight_sum(d02, d13);
  y[3] = d02 - d13;
}

/// The odd outputs of a transform of eight, y[k] = Σ d[m] ω^(m(2k + 1)) with ω of order 8, from the
/// differences d[m] = x[m] - x[m + 4]; 3M + 10A. The even ones are the transform of the four sums.
///
/// It needs ω·d1 + ω³·d3 and ω³·d1 + ω·d3; with c and s these are s(d1 + d3) ± c(d1 - d3): two
/// products instead of three.
/// @see Winograd, Math. Comp. 32 (1978) 175-199
template <PrimeFieldParams P>
ZKGPU_HD constexpr void dft_odd(const TightFp<P> (&d)[4], TightFp<P> (&y)[4],
                                const DftConstants<P>& constants) noexcept {
  const TightFp<P> i2 = d[2] * constants.i;
  const TightFp<P> s = tight_sum(d[1], d[3]) * constants.s;
  const TightFp<P> c = (d[1] - d[3]) * constants.c;
  const TightFp<P> plus = tight_sum(d[0], i2);
  const TightFp<P> minus = d[0] - i2;
  const TightFp<P> odd1 = tight_sum(s, c);  // ω·d1 + ω³·d3
  const TightFp<P> odd3 = s - c;            // ω³·d1 + ω·d3
  y[0] = tight_sum(plus, odd1);
  y[2] = plus - odd1;
  y[1] = tight_sum(minus, odd3);
  y[3] = minus - odd3;
}

}  // namespace zkgpu
