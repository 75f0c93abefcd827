// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>

/// The limb primitives on `unsigned __int128`: the oracle of every other form. They run in constant
/// evaluation, on machines without a faster form, and in the tests of the faster forms.
namespace zkgpu::limb_ops::portable {

using Wide = unsigned __int128;

/// r = a + b; returns the carry out. r may be a or b.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  std::uint64_t carry = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    const Wide sum = Wide{a.limb[i]} + b.limb[i] + carry;
    r.limb[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  return carry;
}

/// r = a - b; returns the borrow out. r may be a or b.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t subtract(Limbs<N>& r, const Limbs<N>& a,
                                          const Limbs<N>& b) noexcept {
  std::uint64_t borrow = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    const Wide difference = Wide{a.limb[i]} - b.limb[i] - borrow;
    r.limb[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  }
  return borrow;
}

/// condition ? a : b, without a branch.
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> select(bool condition, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  Limbs<N> r{};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i] = (a.limb[i] & mask) | (b.limb[i] & ~mask);
  }
  return r;
}

/// t[0..N) += a · b; returns the limb that overflows.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t multiply_accumulate_row(std::uint64_t* t, const Limbs<N>& a,
                                                         std::uint64_t b) noexcept {
  std::uint64_t carry = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    const Wide sum = Wide{a.limb[i]} * b + t[i] + carry;
    t[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  return carry;
}

/// t = (t + top · 2^(64N) + m · modulus) / 2^64 with the m that makes the division exact.
/// The quotient must be below 2^(64N).
template <std::size_t N>
ZKGPU_HD constexpr void reduce_row(std::uint64_t* t, std::uint64_t top, const Limbs<N>& modulus,
                                   std::uint64_t inverse) noexcept {
  const std::uint64_t m = t[0] * inverse;
  std::uint64_t carry = static_cast<std::uint64_t>((Wide{m} * modulus.limb[0] + t[0]) >> 64);
  ZKGPU_UNROLL for (std::size_t j = 1; j < N; ++j) {
    const Wide sum = Wide{m} * modulus.limb[j] + t[j] + carry;
    t[j - 1] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  t[N - 1] = top + carry;
}

/// t mod modulus, for t < 2 · modulus.
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> reduce_once(const std::uint64_t* t, const Limbs<N>& modulus) noexcept {
  Limbs<N> r{};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) r.limb[i] = t[i];
  Limbs<N> reduced{};
  const bool below = subtract(reduced, r, modulus) != 0;
  return select(below, r, reduced);
}

/// a · b · 2^(-64N) mod modulus, fully reduced, for a · b < modulus · 2^(64N) and, in every step,
/// a + modulus < 2^(64N): a, b < modulus < 2^(64N - 1) is enough, see `Montgomery::spare_bits`.
///
/// Operand scanning with the reduction interleaved, so no partial sum needs a second carry word.
///
/// @param inverse  -modulus^-1 mod 2^64
/// @cost 2 N² + N multiplications
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_product(const Limbs<N>& a, const Limbs<N>& b,
                                               const Limbs<N>& modulus,
                                               std::uint64_t inverse) noexcept {
  std::uint64_t t[N] = {};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    const std::uint64_t top = multiply_accumulate_row<N>(t, a, b.limb[i]);
    reduce_row<N>(t, top, modulus, inverse);
  }
  return reduce_once<N>(t, modulus);
}

/// Σ_k a[k] · b[k] · 2^(-64N) mod modulus, fully reduced, for a[k], b[k] <= modulus and
/// (K + 1) · modulus < 2^(64N).
///
/// One reduction serves all products. Partial sums stay below (K + 1) · modulus, and the quotient
/// at the end below (1 + K · modulus / 2^(64N)) · modulus < 2 · modulus.
///
/// @cost (K + 1) N² + N multiplications
template <std::size_t N, std::size_t K>
ZKGPU_HD constexpr Limbs<N> sum_of_products(const Limbs<N>* const (&a)[K],
                                            const Limbs<N>* const (&b)[K], const Limbs<N>& modulus,
                                            std::uint64_t inverse) noexcept {
  std::uint64_t t[N] = {};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    std::uint64_t top = 0;
    ZKGPU_UNROLL for (std::size_t k = 0; k < K; ++k) {
      top += multiply_accumulate_row<N>(t, *a[k], b[k]->limb[i]);
    }
    reduce_row<N>(t, top, modulus, inverse);
  }
  return reduce_once<N>(t, modulus);
}

/// The 2N limbs of a · b.
template <std::size_t N>
ZKGPU_HD constexpr Limbs<2 * N> wide_product(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  Limbs<2 * N> r{};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i + N] = multiply_accumulate_row<N>(r.limb + i, a, b.limb[i]);
  }
  return r;
}

/// a · 2^(-64N) mod modulus, fully reduced, for a < modulus · 2^(64N).
///
/// The low half becomes a number of at most `modulus`, the high half is below it.
///
/// @cost N² + N multiplications
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_reduce(const Limbs<2 * N>& a, const Limbs<N>& modulus,
                                              std::uint64_t inverse) noexcept {
  Limbs<N> low{};
  Limbs<N> high{};
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    low.limb[i] = a.limb[i];
    high.limb[i] = a.limb[N + i];
  }
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) reduce_row<N>(low.limb, 0, modulus, inverse);
  Limbs<N> sum{};
  add(sum, low, high);
  return reduce_once<N>(sum.limb, modulus);
}

}  // namespace zkgpu::limb_ops::portable
