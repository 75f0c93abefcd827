// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/pairing.hpp>

namespace zkgpu::batch {

/// One product of pairings, with the products of each operation side by side. Defined in
/// `across_pairing_<arch>_impl.hpp`, which only units of that architecture include.
template <PairingCurve C, CpuArch A>
struct PairingAcross {
  using Term = PairingTerm<C>;
  using Fq12 = typename C::Fq12;
  /// Terms that share the squarings: their points stay in the L1 cache.
  static constexpr std::size_t most_terms = 16;

  /// Π f_{|z|,q}(p) over at most `most_terms`, none of them with infinity in it.
  static void miller_loop(std::span<const Term* const> terms, Fq12& result) noexcept;
  /// @param f  after `detail::final_exponentiation_start`
  static void final_exponentiation_cubed(const Fq12& f, Fq12& result) noexcept;
  static void final_exponentiation(const Fq12& f, Fq12& result) noexcept;
};

/// Which curves have it on which architectures: those of the library. Other curves take scalar
/// code.
template <class C, class A>
inline constexpr bool has_pairing_across = false;
#if defined(__x86_64__)
template <>
inline constexpr bool has_pairing_across<Bls12_381, arch::avx512ifma> = true;

extern template struct PairingAcross<Bls12_381, arch::avx512ifma>;
#endif

}  // namespace zkgpu::batch
