// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/core/config.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/loose_fp.hpp>

namespace zkgpu {

/// What the small transforms multiply by: functions of a root ω of order 8.
template <PrimeFieldParams P>
struct DftConstants {
  Fp<P> i;  ///< ω², of order 4
  Fp<P> c;  ///< (ω - ω³)/2
  Fp<P> s;  ///< (ω + ω³)/2

  ZKGPU_HD static constexpr DftConstants from_root(const Fp<P>& root, const Fp<P>& half) noexcept {
    const Fp<P> i = root.square();
    const Fp<P> cube = root * i;
    return DftConstants{i, (root - cube) * half, (root + cube) * half};
  }
};

/// y[k] = Σ x[m] (-1)^(mk); 2A
template <PrimeFieldParams P>
ZKGPU_HD constexpr void dft(const TightFp<P> (&x)[2], LooseFp<P> (&y)[2],
                            const DftConstants<P>&) noexcept {
  y[0] = x[0] + x[1];
  y[1] = x[0] - x[1];
}

/// y[k] = Σ x[m] i^(mk); 1M + 8A
template <PrimeFieldParams P>
ZKGPU_HD constexpr void dft(const TightFp<P> (&x)[4], LooseFp<P> (&y)[4],
                            const DftConstants<P>& constants) noexcept {
  const LooseFp<P> s02 = x[0] + x[2];
  const TightFp<P> d02 = x[0] - x[2];
  const TightFp<P> s13 = (x[1] + x[3]).tightened();
  const TightFp<P> d13 = (x[1] - x[3]) * constants.i;
  y[0] = s02 + s13;
  y[2] = s02 - s13;
  y[1] = d02 + d13;
  y[3] = d02 - d13;
}

/// y[k] = Σ x[m] ω^(mk), ω of order 8; 4M + 26A.
///
/// The odd half needs ω·u + ω³·v and ω³·u + ω·v; with c and s these are s(u + v) ± c(u - v): two
/// products instead of three.
/// @see Winograd, Math. Comp. 32 (1978) 175-199
template <PrimeFieldParams P>
ZKGPU_HD constexpr void dft(const TightFp<P> (&x)[8], LooseFp<P> (&y)[8],
                            const DftConstants<P>& constants) noexcept {
  {  // even outputs: a transform of four sums
    const TightFp<P> sums[4] = {(x[0] + x[4]).tightened(), (x[1] + x[5]).tightened(),
                                (x[2] + x[6]).tightened(), (x[3] + x[7]).tightened()};
    LooseFp<P> even[4];
    dft(sums, even, constants);
    y[0] = even[0];
    y[2] = even[1];
    y[4] = even[2];
    y[6] = even[3];
  }
  // odd outputs
  const TightFp<P> d04 = x[0] - x[4];
  const TightFp<P> d15 = x[1] - x[5];
  const TightFp<P> i26 = (x[2] - x[6]) * constants.i;
  const TightFp<P> d37 = x[3] - x[7];
  const TightFp<P> s = (d15 + d37) * constants.s;
  const TightFp<P> c = (d15 - d37) * constants.c;
  const LooseFp<P> plus = d04 + i26;  // x0 - x4 + i(x2 - x6)
  const TightFp<P> minus = d04 - i26;
  const TightFp<P> odd1 = (s + c).tightened();  // ω(x1 - x5) + ω³(x3 - x7)
  const TightFp<P> odd3 = s - c;                // ω³(x1 - x5) + ω(x3 - x7)
  y[1] = plus + odd1;
  y[5] = plus - odd1;
  y[3] = minus + odd3;
  y[7] = minus - odd3;
}

}  // namespace zkgpu
