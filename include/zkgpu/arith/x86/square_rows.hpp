// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>

/// Rows of a square of 6 limbs: a² = Σ_i a_i 2^(64 i) · (a_i 2^(64 i) + 2 Σ_{j>i} a_j 2^(64 j)).
///
/// The doubled limbs are made once, so a square is 21 mulx where a product is 36, and its rows meet
/// the reduction row by row as those of a product do.
namespace zkgpu::limb_ops::x86 {

/// What row i multiplies a_i with, apart from a_i itself: single[i], whole[i], whole[i + 1], ...
struct DoubledLimbs {
  std::uint64_t single[5];  // single[j - 1] = 2 a_j mod 2^64
  std::uint64_t whole[4];   // whole[j - 2] = limb j of 2a
};

/// For a < 2^383. In assembly so that no 16-byte load reads a fresh result, see rows.hpp.
[[gnu::always_inline]] inline void double_limbs(DoubledLimbs& r, const std::uint64_t* a) noexcept {
  std::uint64_t x, y;
  asm volatile(
      "movq  8(%[a]), %[x]\n\t"
      "addq  %[x], %[x]\n\t"
      "movq  %[x], (%[e])\n\t"
      "movq  16(%[a]), %[x]\n\t"
      "leaq  (%[x],%[x]), %[y]\n\t"
      "movq  %[y], 8(%[e])\n\t"
      "adcq  %[x], %[x]\n\t"
      "movq  %[x], (%[d])\n\t"
      "movq  24(%[a]), %[x]\n\t"
      "leaq  (%[x],%[x]), %[y]\n\t"
      "movq  %[y], 16(%[e])\n\t"
      "adcq  %[x], %[x]\n\t"
      "movq  %[x], 8(%[d])\n\t"
      "movq  32(%[a]), %[x]\n\t"
      "leaq  (%[x],%[x]), %[y]\n\t"
      "movq  %[y], 24(%[e])\n\t"
      "adcq  %[x], %[x]\n\t"
      "movq  %[x], 16(%[d])\n\t"
      "movq  40(%[a]), %[x]\n\t"
      "leaq  (%[x],%[x]), %[y]\n\t"
      "movq  %[y], 32(%[e])\n\t"
      "adcq  %[x], %[x]\n\t"
      "movq  %[x], 24(%[d])"
      : [x] "=&r"(x), [y] "=&r"(y)
      : [a] "r"(a), [e] "r"(r.single), [d] "r"(r.whole)
      : "cc", "memory");
}

/// Row of length L with x = a_i, L = 6 - i:
///
///     multiply(t, x, e, d)     t[0..6] = x · (x, e[0], d[0..3])                           L = 6
///     accumulate(t, x, e, d)   t[0..L) += x · (x, e[0], d[0..L-2)), t[L] = carry out      L < 6
template <std::size_t L>
struct SquareRow;

template <>
struct SquareRow<6> {
  [[gnu::always_inline]] static void multiply(std::uint64_t* t, std::uint64_t x,
                                              const std::uint64_t* e,
                                              const std::uint64_t* d) noexcept {
    std::uint64_t low;
    asm("mulxq %%rdx, %[t0], %[t1]\n\t"
        "mulxq (%[e]), %[lo], %[t2]\n\t"
        "addq  %[lo], %[t1]\n\t"
        "mulxq (%[d]), %[lo], %[t3]\n\t"
        "adcq  %[lo], %[t2]\n\t"
        "mulxq 8(%[d]), %[lo], %[t4]\n\t"
        "adcq  %[lo], %[t3]\n\t"
        "mulxq 16(%[d]), %[lo], %[t5]\n\t"
        "adcq  %[lo], %[t4]\n\t"
        "mulxq 24(%[d]), %[lo], %[t6]\n\t"
        "adcq  %[lo], %[t5]\n\t"
        "adcq  $0, %[t6]"
        : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
          [t5] "=&r"(t[5]), [t6] "=&r"(t[6]), [lo] "=&r"(low)
        : "d"(x), [e] "r"(e), "m"(*e), [d] "r"(d), "m"(*reinterpret_cast<const Limbs<4>*>(d))
        : "cc");
  }
};

template <>
struct SquareRow<5> {
  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, std::uint64_t x,
                                                const std::uint64_t* e,
                                                const std::uint64_t* d) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t5], %k[t5]\n\t"
        "mulxq %%rdx, %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq (%[e]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq (%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "mulxq 8(%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t3]\n\t"
        "adoxq %[hi], %[t4]\n\t"
        "mulxq 16(%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t4]\n\t"
        "adoxq %[hi], %[t5]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t5]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "=&r"(t[5]), [lo] "=&r"(low), [hi] "=&r"(high)
        : "d"(x), [e] "r"(e), "m"(*e), [d] "r"(d), "m"(*reinterpret_cast<const Limbs<3>*>(d))
        : "cc");
  }
};

template <>
struct SquareRow<4> {
  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, std::uint64_t x,
                                                const std::uint64_t* e,
                                                const std::uint64_t* d) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t4], %k[t4]\n\t"
        "mulxq %%rdx, %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq (%[e]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq (%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "mulxq 8(%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t3]\n\t"
        "adoxq %[hi], %[t4]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t4]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "=&r"(t[4]),
          [lo] "=&r"(low), [hi] "=&r"(high)
        : "d"(x), [e] "r"(e), "m"(*e), [d] "r"(d), "m"(*reinterpret_cast<const Limbs<2>*>(d))
        : "cc");
  }
};

template <>
struct SquareRow<3> {
  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, std::uint64_t x,
                                                const std::uint64_t* e,
                                                const std::uint64_t* d) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t3], %k[t3]\n\t"
        "mulxq %%rdx, %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq (%[e]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq (%[d]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t3]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "=&r"(t[3]), [lo] "=&r"(low),
          [hi] "=&r"(high)
        : "d"(x), [e] "r"(e), "m"(*e), [d] "r"(d), "m"(*reinterpret_cast<const Limbs<1>*>(d))
        : "cc");
  }
};

template <>
struct SquareRow<2> {
  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, std::uint64_t x,
                                                const std::uint64_t* e,
                                                const std::uint64_t*) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t2], %k[t2]\n\t"
        "mulxq %%rdx, %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq (%[e]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t2]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "=&r"(t[2]), [lo] "=&r"(low), [hi] "=&r"(high)
        : "d"(x), [e] "r"(e), "m"(*e)
        : "cc");
  }
};

template <>
struct SquareRow<1> {
  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, std::uint64_t x,
                                                const std::uint64_t*,
                                                const std::uint64_t*) noexcept {
    std::uint64_t low;
    asm("mulxq %%rdx, %[lo], %[t1]\n\t"
        "addq  %[lo], %[t0]\n\t"
        "adcq  $0, %[t1]"
        : [t0] "+&r"(t[0]), [t1] "=&r"(t[1]), [lo] "=&r"(low)
        : "d"(x)
        : "cc");
  }
};

}  // namespace zkgpu::limb_ops::x86
