// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/batch/across_pairing.hpp>
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

/// Π f_{|z|,q}(p) over at most `PairingAcross::most_terms`.
template <PairingCurve C, CpuArch A>
typename C::Fq12 miller_block_across_lanes(std::span<const PairingTerm<C>> terms) {
  using Across = PairingAcross<C, A>;
  const PairingTerm<C>* at[Across::most_terms];
  std::size_t used = 0;
  for (const auto& term : terms) {
    if (!term.p.is_infinity() && !term.q.is_infinity()) at[used++] = &term;
  }
  auto f = C::Fq12::one();
  if (used > 0) Across::miller_loop({at, used}, f);
  return f;
}

/// How many of so many terms the next block takes: in lanes of eight loops, or across them.
struct MillerBlock {
  bool eight_loops;
  std::size_t terms;
};

/// The shorter by measurement. On Sapphire Rapids n terms across lanes take 27 + 57·n µs, g groups
/// of eight loops 190 + 302·g: 14 terms in two groups are the first that take no longer, and five
/// more are the fewest that a group of their own serves as fast.
/// @param most_loops, most_across  terms of a block of either kind
constexpr MillerBlock plan_miller_block(std::size_t terms, std::size_t most_loops,
                                        std::size_t most_across) noexcept {
  constexpr std::size_t fewest = 14, width = 8, fewest_of_group = 5;
  if (terms < fewest) return {false, std::min(terms, most_across)};
  std::size_t count = std::min(terms, most_loops);
  if (count > fewest && count % width < fewest_of_group) count -= count % width;
  return {true, count};
}

}  // namespace detail

template <PairingCurve C>
bool miller_loops_run_in_lanes(std::size_t terms) {
  return has_miller_lanes<C, arch::avx512ifma> && has_pairing_across<C, arch::avx512ifma> &&
         terms > 0 && selected_cpu_level() >= CpuLevel::avx512ifma;
}

template <PairingCurve C>
typename C::Fq12 multi_miller_loop(std::span<const PairingTerm<C>> terms) {
  using A = arch::avx512ifma;
  if constexpr (has_miller_lanes<C, A> && has_pairing_across<C, A>) {
    if (miller_loops_run_in_lanes<C>(terms.size())) {
      using Loops = MillerLanes<C, A>;
      auto f = C::Fq12::one();
      for (bool first = true; !terms.empty(); first = false) {
        const auto block = detail::plan_miller_block(
            terms.size(), Loops::width * Loops::most_groups, PairingAcross<C, A>::most_terms);
        const auto some = terms.first(block.terms);
        const auto value = block.eight_loops ? detail::miller_block_in_lanes<C, A>(some)
                                             : detail::miller_block_across_lanes<C, A>(some);
        f = first ? value : f * value;
        terms = terms.subspan(block.terms);
      }
      return C::z_is_negative ? f.conjugate() : f;
    }
  }
  return zkgpu::multi_miller_loop<C>(terms);
}

namespace detail {
/// Does the processor have the instructions for a pairing across lanes?
template <PairingCurve C>
bool pairing_runs_across() {
  return has_pairing_across<C, arch::avx512ifma> && selected_cpu_level() >= CpuLevel::avx512ifma;
}
}  // namespace detail

template <PairingCurve C>
typename C::Fq12 final_exponentiation_cubed(const typename C::Fq12& f) {
  using A = arch::avx512ifma;
  if constexpr (has_pairing_across<C, A>) {
    if (detail::pairing_runs_across<C>()) {
      typename C::Fq12 r = zkgpu::detail::final_exponentiation_start<C>(f);
      PairingAcross<C, A>::final_exponentiation_cubed(r, r);
      return r;
    }
  }
  return zkgpu::final_exponentiation_cubed<C>(f);
}

template <PairingCurve C>
typename C::Fq12 final_exponentiation(const typename C::Fq12& f) {
  using A = arch::avx512ifma;
  if constexpr (has_pairing_across<C, A>) {
    if (detail::pairing_runs_across<C>()) {
      typename C::Fq12 r = zkgpu::detail::final_exponentiation_start<C>(f);
      PairingAcross<C, A>::final_exponentiation(r, r);
      return r;
    }
  }
  return zkgpu::final_exponentiation<C>(f);
}

template <PairingCurve C>
typename C::Fq12 pairing(const typename C::G1::Affine& p, const typename C::G2::Affine& q) {
  const PairingTerm<C> term{p, q};
  return batch::final_exponentiation<C>(
      batch::multi_miller_loop<C>(std::span<const PairingTerm<C>>(&term, 1)));
}

template <PairingCurve C>
bool pairing_check(std::span<const PairingTerm<C>> terms) {
  return batch::final_exponentiation_cubed<C>(batch::multi_miller_loop<C>(terms)) == C::Fq12::one();
}

}  // namespace zkgpu::batch
