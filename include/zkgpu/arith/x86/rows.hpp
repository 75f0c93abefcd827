// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of the x86-64 products: one row of N limbs at a time, as one block of assembly.
///
/// `mulx` leaves the flags alone and `adcx`, `adox` carry through one flag each, so the low and the
/// high halves of a row are summed by two chains that run side by side. A block keeps every partial
/// sum in registers; at most 13 general registers are in use, so the blocks also assemble without
/// optimisation and with a frame pointer. Results are written in 64-bit pieces and should be read
/// in 64-bit pieces: a 16-byte load soon after waits until the stores have left the store buffer.
///
/// @see  Ozturk et al., "Large Integer Squaring on Intel Architecture Processors", 2013
namespace zkgpu::limb_ops::x86 {

/// What a reduction reads, in one piece so that one register addresses it.
template <std::size_t N>
struct ReductionConstants {
  std::uint64_t modulus[N];
  std::uint64_t inverse;  // -modulus^-1 mod 2^64
};

/// The blocks for N limbs; t has N + 1 limbs unless it says otherwise.
///
///     multiply(t, a, b)          t = a · b                            N mulx
///     accumulate(t, a, b)        t[0..N) += a · b, t[N] = carry out   N mulx
///     accumulate_more(t, a, b)   t += a · b; the sum must fit         N mulx
///     reduce(t, p)               t += m · modulus with the m that makes t[0] zero; the sum must
///                                fit
///     finish(r, t, p)            r = t mod modulus, for t[0..N) < 2 · modulus
///     add(r, a, b, p)            r = a + b mod modulus, for a, b < modulus < 2^(64N - 1)
///     subtract(r, a, b, p)       r = a - b mod modulus, for a, b < modulus
template <std::size_t N>
struct Rows;

}  // namespace zkgpu::limb_ops::x86
