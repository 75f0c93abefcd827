// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/field/fp2.hpp>

/// Elements to test with: edges first, then random ones from a fixed seed.
namespace zkgpu::test {

using Random = std::mt19937_64;

/// All limbs random; one limb in eight is all zeros or all ones, so that carries run far.
template <std::size_t N>
Limbs<N> random_limbs(Random& random) {
  Limbs<N> r{};
  for (auto& limb : r.limb) {
    const std::uint64_t kind = random() % 16;
    limb = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : random();
  }
  return r;
}

/// A number below `bound`, with the limbs of random_limbs where they fit.
template <std::size_t N>
Limbs<N> random_below(Random& random, const Limbs<N>& bound) {
  const std::size_t bits = bound.bit_length();
  for (;;) {
    Limbs<N> r = random_limbs<N>(random);
    for (std::size_t i = 0; i < N;
         ++i) {  // cut to the bound's length: at least one in two is below
      const std::size_t left = bits > 64 * i ? bits - 64 * i : 0;
      if (left < 64) r.limb[i] &= (std::uint64_t{1} << left) - 1;
    }
    if (compare(r, bound) < 0) return r;
  }
}

/// Residues where implementations go wrong: 0, 1, 2, R mod p and its neighbours, (p ± 1)/2, p - 1,
/// p - 2, single limbs of ones, and everything below the top limb ones.
template <std::size_t N>
std::vector<Limbs<N>> edge_residues(const Limbs<N>& modulus, const Limbs<N>& r_mod_p) {
  const auto plus = [](Limbs<N> a, std::uint64_t b) {
    limb_ops::portable::add(a, a, Limbs<N>::from_uint64(b));
    return a;
  };
  const auto minus = [](Limbs<N> a, std::uint64_t b) {
    limb_ops::portable::subtract(a, a, Limbs<N>::from_uint64(b));
    return a;
  };
  std::vector<Limbs<N>> all{Limbs<N>::zero(),         Limbs<N>::from_uint64(1),
                            Limbs<N>::from_uint64(2), r_mod_p,
                            minus(r_mod_p, 1),        plus(r_mod_p, 1),
                            shift_right(modulus, 1),  plus(shift_right(modulus, 1), 1),
                            minus(modulus, 1),        minus(modulus, 2)};
  Limbs<N> ones{};
  for (std::size_t i = 0; i < N; ++i) {
    Limbs<N> one_limb{};
    one_limb.limb[i] = ~std::uint64_t{0};
    all.push_back(one_limb);
    all.push_back(ones);  // limbs below i
    ones.limb[i] = ~std::uint64_t{0};
  }
  ones.limb[N - 1] = modulus.limb[N - 1];  // largest top limb that can be below p
  all.push_back(ones);
  std::erase_if(all, [&](const auto& a) { return compare(a, modulus) >= 0; });
  return all;
}

template <PrimeField F>
F random_element(Random& random) {
  return F::from_montgomery(random_below(random, F::modulus()));
}
template <class F>
requires requires { typename F::BaseField; }
F random_element(Random& random) {
  using Base = typename F::BaseField;
  return F{random_element<Base>(random), random_element<Base>(random)};
}

/// The edge residues as values and as Montgomery representations.
template <PrimeField F>
std::vector<F> edge_elements() {
  std::vector<F> all;
  for (const auto& n : edge_residues(F::modulus(), F::one().montgomery())) {
    all.push_back(F::from_integer(n));
    all.push_back(F::from_montgomery(n));
  }
  return all;
}
template <class F>
requires requires { typename F::BaseField; }
std::vector<F> edge_elements() {
  using Base = typename F::BaseField;
  const Base some[] = {Base::zero(), Base::one(), -Base::one(), Base(2),
                       Base::from_montgomery(Base::Integer::from_uint64(1))};
  std::vector<F> all;
  for (const Base& c0 : some) {
    for (const Base& c1 : some) all.push_back(F{c0, c1});
  }
  return all;
}

/// Edges, then `count` random elements.
template <class F>
std::vector<F> sample_elements(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<F> all = edge_elements<F>();
  for (std::size_t i = 0; i < count; ++i) all.push_back(random_element<F>(random));
  return all;
}

}  // namespace zkgpu::test
