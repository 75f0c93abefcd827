// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <span>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/jacobian.hpp>

/// What benchmarks of sums sum.
namespace zkgpu::bench {

using Fr = Bls12_381::Fr;

/// `count` different points, made once for all benchmarks of a group and all threads of one; in
/// huge pages, as keys are.
template <class G>
std::span<const typename G::Affine> points(std::size_t count) {
  static Array<typename G::Affine> made;
  static std::mutex making;
  const std::lock_guard lock(making);
  if (made.size() < count) {
    using Jacobian = typename G::Jacobian;
    std::vector<Jacobian> sums(count);
    std::vector<typename G::BaseField> scratch(count);
    const Jacobian step = Jacobian::from_affine(G::generator()).doubled().doubled();
    Jacobian p = step.doubled() + G::generator();
    for (Jacobian& sum : sums) sum = p += step;
    made.resize(count);
    batch_to_affine<typename G::Params>(sums, made, scratch);
  }
  return std::span(made).first(count);
}

enum class Kind { uniform, witness };

/// uniform: below 2^254. witness: as circuits make them, 98.7 % zeros and ones.
inline std::vector<Fr::Integer> scalars(Kind kind, std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<Fr::Integer> made(count);
  for (auto& k : made) {
    for (auto& limb : k.limb) limb = random();
    k.limb[3] >>= 2;
    if (kind == Kind::witness && random() % 1000 >= 13) k = Fr::Integer::from_uint64(random() % 2);
  }
  return made;
}

}  // namespace zkgpu::bench
