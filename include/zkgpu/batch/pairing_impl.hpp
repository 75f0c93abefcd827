// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/lane_miller.hpp>
#include <zkgpu/batch/pairing.hpp>

namespace zkgpu::batch {

namespace detail {

/// Π f_{|z|,q}(p) over at most 8·most_groups terms.
template <PairingCurve C, CpuArch A>
typename C::Fq12 miller_block_in_lanes(std::span<const PairingTerm<C>> terms) {
  using Lanes = MillerLanes<C, A>;
  const PairingTerm<C>* lane[Lanes::width * Lanes::most_groups] = {};
  std::size_t used = 0;
  for (const auto& term : terms) {
    if (!term.p.is_infinity() && !term.q.is_infinity()) lane[used++] = &term;
  }
  typename C::Fq12 f[Lanes::width];
  Lanes::run((used + Lanes::width - 1) / Lanes::width, lane, f);
  typename C::Fq12 product = f[0];
  for (std::size_t k = 1; k < std::min(used, Lanes::width); ++k) product *= f[k];
  return product;
}

}  // namespace detail

template <PairingCurve C>
bool miller_loops_run_in_lanes(std::size_t terms) {
  constexpr std::size_t fewest = 3;
  return has_miller_lanes<C, arch::avx512ifma> && terms >= fewest &&
         selected_cpu_level() >= CpuLevel::avx512ifma;
}

template <PairingCurve C>
typename C::Fq12 multi_miller_loop(std::span<const PairingTerm<C>> terms) {
  using A = arch::avx512ifma;
  auto f = C::Fq12::one();
  if constexpr (has_miller_lanes<C, A>) {
    constexpr std::size_t width = MillerLanes<C, A>::width;
    constexpr std::size_t block = width * MillerLanes<C, A>::most_groups;
    while (miller_loops_run_in_lanes<C>(terms.size())) {
      std::size_t count = std::min(terms.size(), block);
      // One more group that shares the squarings takes longer than one term alone.
      if (count > width && count % width == 1) --count;
      f = f * detail::miller_block_in_lanes<C, A>(terms.first(count));
      terms = terms.subspan(count);
    }
    if constexpr (C::z_is_negative) f = f.conjugate();
  }
  return terms.empty() ? f : f * zkgpu::multi_miller_loop<C>(terms);
}

}  // namespace zkgpu::batch
