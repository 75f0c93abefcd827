// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops_portable.hpp>
#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/core/config.hpp>

#if defined(__CUDA_ARCH__)
#include <zkgpu/arith/limb_ops_ptx.cuh>
#elif defined(__x86_64__)
#include <zkgpu/arith/limb_ops_x86.hpp>
#endif

/// The primitives on which all arithmetic stands: add, subtract, select, and products modulo an odd
/// number in Montgomery form. Each call takes the form that this machine has: PTX on the device,
/// assembly on x86-64, the portable text in constant evaluation and elsewhere.
///
/// limb_ops_ptx.cuh provides, in `limb_ops::ptx`: `add(r, a, b)` and `subtract(r, a, b)` with the
/// carry as the result, `montgomery_product<M>(a, b)` and `montgomery_square<M>(a)`. The sum of
/// products, the wide product and its reduction are the portable text on the device; fields there
/// use lazy_ops.hpp instead.
///
/// M gives `limb_count`, `modulus()`, `montgomery_inverse()` and `spare_bits`: see `Montgomery`.
namespace zkgpu::limb_ops {

/// Is `sum_of_products` cheaper here than the products that Karatsuba's method replaces it with?
inline constexpr bool has_fast_sum_of_products = !compiling_for_device;

/// r = a + b; returns the carry out. r may be a or b.
template <std::size_t N>
ZKGPU_HD constexpr std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return ptx::add(r, a, b);
#elif defined(__x86_64__)
  if (!__builtin_is_constant_evaluated()) return x86::add(r, a, b);
#endif
  return portable::add(r, a, b);
}

/// r = a - b; returns the borrow out. r may be a or b.
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

/// r = a + b mod modulus, for a, b < modulus. r may be a or b.
template <class M, std::size_t N>
ZKGPU_HD constexpr void modular_add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::modular_add<M>(r, a, b);
  }
#endif
  Limbs<N> sum{};  // below 2 · modulus < 2^(64N): no carry out
  add(sum, a, b);
  Limbs<N> reduced{};
  const bool below = subtract(reduced, sum, M::modulus()) != 0;
  r = select(below, sum, reduced);
}

/// r = a - b mod modulus, for a, b < modulus. r may be a or b.
template <class M, std::size_t N>
ZKGPU_HD constexpr void modular_subtract(Limbs<N>& r, const Limbs<N>& a,
                                         const Limbs<N>& b) noexcept {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::modular_subtract<M>(r, a, b);
  }
#endif
  Limbs<N> difference{};
  const bool below = subtract(difference, a, b) != 0;
  const Limbs<N> addend = select(below, M::modulus(), Limbs<N>::zero());
  add(r, difference, addend);
}

/// r = a · b · 2^(-64N) mod modulus, fully reduced, for a, b < modulus; with M::spare_bits >= 2
/// also for a, b < 2 · modulus. r may be a or b.
template <class M, std::size_t N>
ZKGPU_HD constexpr void montgomery_product(Limbs<N>& r, const Limbs<N>& a,
                                           const Limbs<N>& b) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    r = ptx::montgomery_product<M>(a, b);
    return;
  }
#elif defined(__x86_64__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::montgomery_product<M>(r, a, b);
  }
#endif
  r = portable::montgomery_product<N>(a, b, M::modulus(), M::montgomery_inverse());
}

/// r = a² · 2^(-64N) mod modulus, fully reduced, for a < modulus. r may be a.
template <class M, std::size_t N>
ZKGPU_HD constexpr void montgomery_square(Limbs<N>& r, const Limbs<N>& a) noexcept {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    r = ptx::montgomery_square<M>(a);
    return;
  }
#elif defined(__x86_64__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::montgomery_square<M>(r, a);
  }
#endif
  r = portable::montgomery_product<N>(a, a, M::modulus(), M::montgomery_inverse());
}

/// r = Σ_k a[k] · b[k] · 2^(-64N) mod modulus, fully reduced, for a[k], b[k] <= modulus; needs
/// K < 2^M::spare_bits and K >= 2. r may be any of them.
template <class M, std::size_t N, std::size_t K>
ZKGPU_HD constexpr void sum_of_products(Limbs<N>& r, const Limbs<N>* const (&a)[K],
                                        const Limbs<N>* const (&b)[K]) noexcept {
  static_assert(K >= 2 && (K >> M::spare_bits) == 0, "too many products for the spare bits");
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::sum_of_products<M>(r, a, b);
  }
#endif
  r = portable::sum_of_products<N, K>(a, b, M::modulus(), M::montgomery_inverse());
}

/// r = (a · b + c · d) · 2^(-64N) mod modulus: the sum of two.
template <class M, std::size_t N>
ZKGPU_HD constexpr void sum_of_products(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b,
                                        const Limbs<N>& c, const Limbs<N>& d) noexcept {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    static_assert(M::spare_bits >= 2, "too many products for the spare bits");
    if (!__builtin_is_constant_evaluated()) return x86::sum_of_products<M>(r, a, b, c, d);
  }
#endif
  sum_of_products<M, N, 2>(r, {&a, &c}, {&b, &d});
}

/// r = a · b, all 2N limbs. r is apart from a and b.
template <class M, std::size_t N>
ZKGPU_HD constexpr void wide_product(Limbs<2 * N>& r, const Limbs<N>& a,
                                     const Limbs<N>& b) noexcept {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::wide_product<M>(r, a, b);
  }
#endif
  r = portable::wide_product<N>(a, b);
}

/// r = a · 2^(-64N) mod modulus, fully reduced, for a < modulus · 2^(64N).
template <class M, std::size_t N>
ZKGPU_HD constexpr void montgomery_reduce(Limbs<N>& r, const Limbs<2 * N>& a) noexcept {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  if constexpr (x86::has_rows<N>) {
    if (!__builtin_is_constant_evaluated()) return x86::montgomery_reduce<M>(r, a);
  }
#endif
  r = portable::montgomery_reduce<N>(a, M::modulus(), M::montgomery_inverse());
}

/// The product as a value, for initialisers.
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_product(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  Limbs<N> r{};
  montgomery_product<M>(r, a, b);
  return r;
}

}  // namespace zkgpu::limb_ops
