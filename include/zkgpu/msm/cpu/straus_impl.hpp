// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/digits.hpp>

/// Few points: all share one chain of doublings.
namespace zkgpu::msm_cpu {

/// The digits of `value` in width-w non-adjacent form, lowest first: odd, below 2^(w-1) in
/// magnitude, and at most one in w places is not zero.
/// @see D. Hankerson et al., "Guide to Elliptic Curve Cryptography", algorithm 3.35
template <std::size_t Words>
SecretArray<std::int8_t> non_adjacent_form(Limbs<Words> value, unsigned width) {
  SecretArray<std::int8_t> digits;
  std::uint64_t carry = 0;
  const std::size_t bits = value.bit_length();
  for (std::size_t at = 0; at < bits || carry != 0;) {
    const std::uint64_t window = (at < bits ? value.bits(at, width) : 0) + carry;
    if (window % 2 == 0) {  // no bit and no carry, or a bit and a carry that moves on
      digits.push_back(0);
      ++at;
      continue;
    }
    const auto half = std::int64_t{1} << (width - 1);
    auto digit = static_cast<std::int64_t>(window);
    carry = digit > half ? 1 : 0;
    if (carry != 0) digit -= 2 * half;
    digits.push_back(static_cast<std::int8_t>(digit));
    for (unsigned i = 1; i < width; ++i) digits.push_back(0);
    at += width;
  }
  return digits;
}

/// @see docs/math/pippenger.md; the method is E. Straus's, "Addition chains of vectors", 1964
template <CurveGroup G>
typename G::Jacobian straus(std::span<const typename G::ScalarField::Integer> scalars,
                            std::span<const typename G::Affine> bases) {
  using Parts = MsmScalarParts<G>;
  using Affine = typename G::Affine;
  using Jacobian = typename G::Jacobian;
  constexpr unsigned width = 5;
  constexpr std::size_t odd_multiples = std::size_t{1} << (width - 2);
  struct Term {
    std::array<Affine, odd_multiples> table;  // P, 3P, 5P, ...
    SecretArray<std::int8_t> digits;
    bool negative;
  };
  SecretArray<Term> terms;  // signs of parts beside the digits
  std::vector<Jacobian> multiples;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i].is_zero() || bases[i].is_infinity()) continue;
    const Jacobian twice = Jacobian::from_affine(bases[i]).doubled();
    multiples.push_back(Jacobian::from_affine(bases[i]));
    for (std::size_t j = 1; j < odd_multiples; ++j) multiples.push_back(multiples.back() + twice);
  }
  std::vector<Affine> affine(multiples.size());
  std::vector<typename G::BaseField> scratch(multiples.size());
  batch_to_affine<typename G::Params>(multiples, affine, scratch);
  std::size_t length = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i].is_zero() || bases[i].is_infinity()) continue;
    std::array<Affine, odd_multiples> table;
    for (Affine& p : table) p = affine[at++];
    typename Parts::Part parts[Parts::count];
    Parts::split(scalars[i], parts);
    for (unsigned p = 0; p < Parts::count; ++p) {
      if (p > 0) {
        for (Affine& q : table) q = Parts::next_image(q);
      }
      terms.push_back({table, non_adjacent_form(parts[p].magnitude, width), parts[p].negative});
      length = std::max(length, terms.back().digits.size());
    }
  }
  Jacobian sum = Jacobian::infinity();
  for (std::size_t d = length; d-- > 0;) {
    sum = sum.doubled();
    for (const Term& term : terms) {
      const int digit = d < term.digits.size() ? term.digits[d] : 0;
      if (digit == 0) continue;
      const Affine& p = term.table[static_cast<std::size_t>(digit < 0 ? -digit : digit) / 2];
      sum += (digit < 0) != term.negative ? -p : p;
    }
  }
  return sum;
}

}  // namespace zkgpu::msm_cpu
