// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/curve/bls12_381.hpp>

#include "agreement/in_parallel.hpp"

namespace zkgpu::gpu_test {

/// The logarithm of point i of a set.
ZKGPU_HD constexpr std::uint64_t logarithm(std::uint64_t seed, std::uint64_t i) noexcept {
  std::uint64_t x = (seed << 40) + i + 0x9e3779b97f4a7c15ull * (i + 1);  // splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// points[i] = logarithm(seed, i)·generator, made on the device.
template <class G>
void make_points(const Cuda& cuda, const CudaQueue& queue, std::uint64_t seed,
                 DeviceSpan<typename G::Affine> points);

/// How the scalars of a test are distributed.
enum class Scalars {
  uniform,
  witness,  ///< 45 % zero, 45 % one, 10 % uniform
  ones,     ///< all one
  small,    ///< below 16
  top,      ///< r - 1 - (i mod 4)
  extreme,  ///< 0, 1, r - 1, (r ± 1)/2 and above r
};

inline Array<Bls12_381::Fr::Integer> make_scalars(Scalars kind, std::size_t n, std::uint64_t seed) {
  using Fr = Bls12_381::Fr;
  std::mt19937_64 random(seed);
  const auto uniform = [&random] {
    Fr::Integer k{};
    for (auto& limb : k.limb) limb = random();
    k.limb[3] >>= 1;
    while (!Fr::is_canonical(k)) k.limb[3] >>= 1;
    return k;
  };
  Array<Fr::Integer> scalars(n);
  for (std::size_t i = 0; i < n; ++i) {
    Fr::Integer& k = scalars[i];
    switch (kind) {
      case Scalars::uniform: k = uniform(); break;
      case Scalars::witness: {
        const auto draw = random() % 100;
        k = draw < 90 ? Fr::Integer::from_uint64(draw < 45 ? 0 : 1) : uniform();
        break;
      }
      case Scalars::ones: k = Fr::Integer::from_uint64(1); break;
      case Scalars::small: k = Fr::Integer::from_uint64(random() % 16); break;
      case Scalars::top: k = (-Fr(static_cast<int>(1 + i % 4))).to_integer(); break;
      case Scalars::extreme:
        switch (i % 6) {
          case 0: k = Fr::Integer::zero(); break;
          case 1: k = Fr::Integer::from_uint64(1); break;
          case 2: k = (-Fr::one()).to_integer(); break;
          case 3: k = shift_right(Fr::modulus(), 1); break;
          case 4: k = shift_right(Fr::modulus(), 1), k.limb[0] += 1; break;
          default: k = Fr::Integer{{~0ull, ~0ull, ~0ull, ~0ull}}; break;
        }
        break;
    }
  }
  return scalars;
}

/// Σ kᵢ·logarithm(seed, i) modulo the order.
inline Bls12_381::Fr combined_logarithm(const Array<Bls12_381::Fr::Integer>& scalars,
                                        std::uint64_t seed) {
  using Fr = Bls12_381::Fr;
  Fr sum = Fr::zero();
  std::mutex mutex;
  in_parallel(scalars.size(), [&](std::size_t first, std::size_t last) {
    Fr part = Fr::zero();
    for (std::size_t i = first; i < last; ++i) {
      if (scalars[i].is_zero()) continue;
      Fr::Integer k = scalars[i];
      while (!Fr::is_canonical(k)) limb_ops::portable::subtract(k, k, Fr::modulus());
      part += Fr::from_integer(k) * Fr::from_integer(Fr::Integer::from_uint64(logarithm(seed, i)));
    }
    const std::lock_guard lock(mutex);
    sum += part;
  });
  return sum;
}

}  // namespace zkgpu::gpu_test
