// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>

#if defined(__CUDA_ARCH__)
#include <zkgpu/arith/limb_ops_ptx.cuh>
#elif defined(__x86_64__)
#include <zkgpu/arith/limb_ops_x86.hpp>
#endif

/// The five primitives on which all arithmetic stands: add, subtract, multiply-accumulate row,
/// Montgomery product, select. The portable form below is the oracle of every other form; it runs in
/// constant evaluation, on hosts without a fast path, and in the tests of the fast paths.
namespace zkgpu::limb_ops {

namespace portable {

using Wide = unsigned __int128;

/// r = a + b; returns the carry out.
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

/// r = a - b; returns the borrow out.
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

/// a · b · 2^(-64N) mod `modulus`, fully reduced, for a, b < modulus < 2^(64N - 1).
///
/// Operand scanning with the reduction interleaved. A modulus whose top limb is below 2^63 - 1 keeps
/// every partial sum inside N limbs, so no second carry word is needed.
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
    const std::uint64_t m = t[0] * inverse;
    // t = (t + m · modulus) / 2^64: the lowest limb of the sum is zero and falls out.
    std::uint64_t carry = static_cast<std::uint64_t>((Wide{m} * modulus.limb[0] + t[0]) >> 64);
    ZKGPU_UNROLL for (std::size_t j = 1; j < N; ++j) {
      const Wide sum = Wide{m} * modulus.limb[j] + t[j] + carry;
      t[j - 1] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    t[N - 1] = top + carry;
  }
  Limbs<N> r{};
  for (std::size_t i = 0; i < N; ++i) r.limb[i] = t[i];
  Limbs<N> reduced{};
  const bool below = subtract(reduced, r, modulus) != 0;
  return select(below, r, reduced);
}

}  // namespace portable

/// r = a + b; returns the carry out.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return ptx::add(r, a, b);
#elif defined(__x86_64__)
  if (!__builtin_is_constant_evaluated()) return x86::add(r, a, b);
#endif
  return portable::add(r, a, b);
}

/// r = a - b; returns the borrow out.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t subtract(Limbs<N>& r, const Limbs<N>& a,
                                          const Limbs<N>& b) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return ptx::subtract(r, a, b);
#elif defined(__x86_64__)
  if (!__builtin_is_constant_evaluated()) return x86::subtract(r, a, b);
#endif
  return portable::subtract(r, a, b);
}

/// condition ? a : b, without a branch.
template <std::size_t N>
ZKGPU_HD constexpr Limbs<N> select(bool condition, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  return portable::select(condition, a, b);
}

/// a · b · 2^(-64N) mod modulus, fully reduced, for a, b < modulus.
///
/// @tparam M  gives `modulus()` and `montgomery_inverse()` = -modulus^-1 mod 2^64
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_product(const Limbs<N>& a, const Limbs<N>& b) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return ptx::montgomery_product<M>(a, b);
#elif defined(__x86_64__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (x86::has_montgomery_product<N>) {
      if (x86::mulx_adx_enabled()) return x86::montgomery_product<M>(a, b);
    }
  }
#endif
  return portable::montgomery_product<N>(a, b, M::modulus(), M::montgomery_inverse());
}

/// a² · 2^(-64N) mod modulus, fully reduced, for a < modulus.
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_square(const Limbs<N>& a) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return ptx::montgomery_square<M>(a);
#elif defined(__x86_64__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (x86::has_montgomery_product<N>) {
      if (x86::mulx_adx_enabled()) return x86::montgomery_square<M>(a);
    }
  }
#endif
  return portable::montgomery_product<N>(a, a, M::modulus(), M::montgomery_inverse());
}

}  // namespace zkgpu::limb_ops
