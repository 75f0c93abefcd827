// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>

namespace zkgpu::batch {

/// Eight Miller loops side by side. Defined in `lane_miller_<arch>_impl.hpp`, which only units of
/// that architecture include.
template <PairingCurve C, CpuArch A>
struct MillerLanes {
  using Term = PairingTerm<C>;
  using Fq12 = typename C::Fq12;
  static constexpr std::size_t width = 8;
  /// Terms that share the squarings of one lane at most: their points stay in the L1 cache.
  static constexpr std::size_t most_groups = 4;

  /// f[k] = Π f_{|z|,q}(p) over the terms k, k + 8, ..., with shared squarings.
  /// @param terms  8·groups of them; nullptr: none, a factor of one
  static void run(std::size_t groups, const Term* const* terms, Fq12 (&f)[width]) noexcept;
};

/// Which curves have kernels on which architectures: those of the library. Other curves take scalar
/// code.
template <class C, class A>
inline constexpr bool has_miller_lanes = false;
#if defined(__x86_64__)
template <>
inline constexpr bool has_miller_lanes<Bls12_381, arch::avx512ifma> = true;

extern template struct MillerLanes<Bls12_381, arch::avx512ifma>;
#endif

}  // namespace zkgpu::batch
