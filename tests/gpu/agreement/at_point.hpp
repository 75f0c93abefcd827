// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <zkgpu/core/array.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/ntt/ntt.hpp>

#include "../fields.hpp"
#include "both.hpp"
#include "in_parallel.hpp"

/// Polynomials at one point, by their coefficients or by their values: by all threads, for sizes
/// whose transforms the host would take long to repeat. Two polynomials of degree below n that
/// differ agree at a random point with chance n/|Fr|.
namespace zkgpu::gpu_test {

/// Different elements for every seed.
inline Array<Fr> random_elements(std::size_t n, std::uint64_t seed) {
  Array<Fr> values(n);
  in_parallel(n, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) values[i] = operand<Fr>((seed << 40) + i);
  });
  return values;
}

inline Fr power_of(const Fr& x, std::uint64_t exponent) { return x.pow(Limbs<1>{{exponent}}); }

/// Σ coefficients[i]·x^i
inline Fr evaluate(std::span<const Fr> coefficients, const Fr& x) {
  Fr sum = Fr::zero();
  std::mutex mutex;
  in_parallel(coefficients.size(), [&](std::size_t first, std::size_t last) {
    Fr part = Fr::zero();
    for (std::size_t i = last; i-- > first;) part = part * x + coefficients[i];
    part *= power_of(x, first);
    const std::lock_guard lock(mutex);
    sum += part;
  });
  return sum;
}

/// The polynomial of degree below n that has the values value(i) at root^i, at x:
/// (x^n - 1)/n · Σ value(i)·root^i/(x - root^i).
/// @pre x is not in the domain
template <class Value>
Fr interpolate_at(const NttDomain<Fr>& domain, const Fr& x, const Value& value) {
  constexpr std::size_t block = 256;
  Fr sum = Fr::zero();
  std::mutex mutex;
  in_parallel(domain.size(), [&](std::size_t first, std::size_t last) {
    Fr part = Fr::zero();
    Fr w = power_of(domain.root, first);
    Fr points[block], inverses[block], scratch[block];
    for (std::size_t at = first; at < last; at += block) {
      const std::size_t n = std::min(block, last - at);
      for (std::size_t i = 0; i < n; ++i, w *= domain.root) {
        points[i] = w;
        inverses[i] = x - w;
      }
      batch_inverse(std::span<Fr>(inverses, n), std::span<Fr>(scratch, n));
      for (std::size_t i = 0; i < n; ++i) part += value(at + i) * points[i] * inverses[i];
    }
    const std::lock_guard lock(mutex);
    sum += part;
  });
  Fr power = x;
  Fr size = Fr::one();
  for (unsigned k = 0; k < domain.log_n; ++k) power = power.square(), size = size.doubled();
  return sum * (power - Fr::one()) * size.inverse();
}

inline bool equal(const Array<Fr>& a, const Array<Fr>& b) {
  if (a.size() != b.size()) return false;
  std::atomic<bool> same{true};
  in_parallel(a.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (!(a[i] == b[i])) return static_cast<void>(same = false);
    }
  });
  return same;
}

/// i with its log_n bits in the other order.
inline std::size_t reversed_bits(std::size_t i, unsigned log_n) {
  std::uint64_t r = i;
  r = (r >> 1 & 0x5555555555555555u) | (r & 0x5555555555555555u) << 1;
  r = (r >> 2 & 0x3333333333333333u) | (r & 0x3333333333333333u) << 2;
  r = (r >> 4 & 0x0f0f0f0f0f0f0f0fu) | (r & 0x0f0f0f0f0f0f0f0fu) << 4;
  r = __builtin_bswap64(r);
  return log_n == 0 ? 0 : static_cast<std::size_t>(r >> (64 - log_n));
}

}  // namespace zkgpu::gpu_test
