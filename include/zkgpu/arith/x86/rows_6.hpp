// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/arith/x86/rows.hpp>

/// The blocks of `Rows` for 6 limbs; see x86/rows.hpp for what each must do.
namespace zkgpu::limb_ops::x86 {

template <>
struct Rows<6> {
  [[gnu::always_inline]] static void multiply(std::uint64_t* t, const std::uint64_t* a,
                                              std::uint64_t b) noexcept {
    std::uint64_t low;
    asm("mulxq   (%[a]), %[t0], %[t1]\n\t"
        "mulxq  8(%[a]), %[lo], %[t2]\n\t"
        "addq  %[lo], %[t1]\n\t"
        "mulxq 16(%[a]), %[lo], %[t3]\n\t"
        "adcq  %[lo], %[t2]\n\t"
        "mulxq 24(%[a]), %[lo], %[t4]\n\t"
        "adcq  %[lo], %[t3]\n\t"
        "mulxq 32(%[a]), %[lo], %[t5]\n\t"
        "adcq  %[lo], %[t4]\n\t"
        "mulxq 40(%[a]), %[lo], %[t6]\n\t"
        "adcq  %[lo], %[t5]\n\t"
        "adcq  $0, %[t6]"
        : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
          [t5] "=&r"(t[5]), [t6] "=&r"(t[6]), [lo] "=&r"(low)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<6>*>(a))
        : "cc");
  }

  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, const std::uint64_t* a,
                                                std::uint64_t b) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t6], %k[t6]\n\t"
        "mulxq   (%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq  8(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq 16(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "mulxq 24(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t3]\n\t"
        "adoxq %[hi], %[t4]\n\t"
        "mulxq 32(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t4]\n\t"
        "adoxq %[hi], %[t5]\n\t"
        "mulxq 40(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t5]\n\t"
        "adoxq %[hi], %[t6]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t6]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [t6] "=&r"(t[6]), [lo] "=&r"(low), [hi] "=&r"(high)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<6>*>(a))
        : "cc");
  }

  [[gnu::always_inline]] static void accumulate_more(std::uint64_t* t, const std::uint64_t* a,
                                                     std::uint64_t b) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[lo], %k[lo]\n\t"
        "mulxq   (%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq  8(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq 16(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "mulxq 24(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t3]\n\t"
        "adoxq %[hi], %[t4]\n\t"
        "mulxq 32(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t4]\n\t"
        "adoxq %[hi], %[t5]\n\t"
        "mulxq 40(%[a]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t5]\n\t"
        "adoxq %[hi], %[t6]\n\t"
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t6]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [lo] "=&r"(low), [hi] "=&r"(high)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<6>*>(a))
        : "cc");
  }

  [[gnu::always_inline]] static void reduce(std::uint64_t* t,
                                            const ReductionConstants<6>& p) noexcept {
    std::uint64_t low, high;
    asm("movq  %[t0], %%rdx\n\t"
        "imulq 48(%[p]), %%rdx\n\t"
        "xorl  %k[lo], %k[lo]\n\t"
        "mulxq   (%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t0]\n\t"
        "adoxq %[hi], %[t1]\n\t"
        "mulxq  8(%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t1]\n\t"
        "adoxq %[hi], %[t2]\n\t"
        "mulxq 16(%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t2]\n\t"
        "adoxq %[hi], %[t3]\n\t"
        "mulxq 24(%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t3]\n\t"
        "adoxq %[hi], %[t4]\n\t"
        "mulxq 32(%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t4]\n\t"
        "adoxq %[hi], %[t5]\n\t"
        "mulxq 40(%[p]), %[lo], %[hi]\n\t"
        "adcxq %[lo], %[t5]\n\t"
        "adoxq %[hi], %[t6]\n\t"
        "adcxq %[t0], %[t6]"  // t0 is zero here
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [lo] "=&r"(low), [hi] "=&r"(high)
        : [p] "r"(&p), "m"(p)
        : "cc", "rdx");
  }

  [[gnu::always_inline]] static void finish(std::uint64_t* r, std::uint64_t* t,
                                            const ReductionConstants<6>& p) noexcept {
    std::uint64_t u0, u1, u2, u3, u4, u5;
    asm volatile(
        "movq  %[t0], %[u0]\n\t"
        "movq  %[t1], %[u1]\n\t"
        "movq  %[t2], %[u2]\n\t"
        "movq  %[t3], %[u3]\n\t"
        "movq  %[t4], %[u4]\n\t"
        "movq  %[t5], %[u5]\n\t"
        "subq    (%[p]), %[t0]\n\t"
        "sbbq   8(%[p]), %[t1]\n\t"
        "sbbq  16(%[p]), %[t2]\n\t"
        "sbbq  24(%[p]), %[t3]\n\t"
        "sbbq  32(%[p]), %[t4]\n\t"
        "sbbq  40(%[p]), %[t5]\n\t"
        "cmovcq %[u0], %[t0]\n\t"
        "cmovcq %[u1], %[t1]\n\t"
        "cmovcq %[u2], %[t2]\n\t"
        "cmovcq %[u3], %[t3]\n\t"
        "cmovcq %[u4], %[t4]\n\t"
        "cmovcq %[u5], %[t5]\n\t"
        "movq  %[r], %[u0]\n\t"
        "movq  %[t0],   (%[u0])\n\t"
        "movq  %[t1],  8(%[u0])\n\t"
        "movq  %[t2], 16(%[u0])\n\t"
        "movq  %[t3], 24(%[u0])\n\t"
        "movq  %[t4], 32(%[u0])\n\t"
        "movq  %[t5], 40(%[u0])"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [t5] "+&r"(t[5]), [u0] "=&r"(u0), [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3),
          [u4] "=&r"(u4), [u5] "=&r"(u5)
        : [r] "rm"(r), [p] "r"(&p)
        : "cc", "memory");
  }

  [[gnu::always_inline]] static void add(std::uint64_t* r, const std::uint64_t* a,
                                         const std::uint64_t* b,
                                         const ReductionConstants<6>& p) noexcept {
    std::uint64_t t0, t1, t2, t3, t4, t5, u0, u1, u2, u3;
    asm volatile(
        "movq    (%[a]), %[t0]\n\t"
        "movq   8(%[a]), %[t1]\n\t"
        "movq  16(%[a]), %[t2]\n\t"
        "movq  24(%[a]), %[t3]\n\t"
        "movq  32(%[a]), %[t4]\n\t"
        "movq  40(%[a]), %[t5]\n\t"
        "addq    (%[b]), %[t0]\n\t"
        "adcq   8(%[b]), %[t1]\n\t"
        "adcq  16(%[b]), %[t2]\n\t"
        "adcq  24(%[b]), %[t3]\n\t"
        "adcq  32(%[b]), %[t4]\n\t"
        "adcq  40(%[b]), %[t5]\n\t"
        "movq  %[t0], %[u0]\n\t"
        "movq  %[t1], %[u1]\n\t"
        "movq  %[t2], %[u2]\n\t"
        "movq  %[t3], %[u3]\n\t"
        "movq  %[t4], %[a]\n\t"
        "movq  %[t5], %[b]\n\t"
        "subq    (%[p]), %[t0]\n\t"
        "sbbq   8(%[p]), %[t1]\n\t"
        "sbbq  16(%[p]), %[t2]\n\t"
        "sbbq  24(%[p]), %[t3]\n\t"
        "sbbq  32(%[p]), %[t4]\n\t"
        "sbbq  40(%[p]), %[t5]\n\t"
        "cmovcq %[u0], %[t0]\n\t"
        "cmovcq %[u1], %[t1]\n\t"
        "cmovcq %[u2], %[t2]\n\t"
        "cmovcq %[u3], %[t3]\n\t"
        "cmovcq %[a], %[t4]\n\t"
        "cmovcq %[b], %[t5]\n\t"
        "movq  %[r], %[a]\n\t"
        "movq  %[t0],   (%[a])\n\t"
        "movq  %[t1],  8(%[a])\n\t"
        "movq  %[t2], 16(%[a])\n\t"
        "movq  %[t3], 24(%[a])\n\t"
        "movq  %[t4], 32(%[a])\n\t"
        "movq  %[t5], 40(%[a])"
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4),
          [t5] "=&r"(t5), [u0] "=&r"(u0), [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3),
          [a] "+&r"(a), [b] "+&r"(b)
        : [r] "rm"(r), [p] "r"(&p)
        : "cc", "memory");
  }

  [[gnu::always_inline]] static void subtract(std::uint64_t* r, const std::uint64_t* a,
                                              const std::uint64_t* b,
                                              const ReductionConstants<6>& p) noexcept {
    std::uint64_t t0, t1, t2, t3, t4, t5, u0, u1, u2, u3;
    asm volatile(
        "movq    (%[a]), %[t0]\n\t"
        "movq   8(%[a]), %[t1]\n\t"
        "movq  16(%[a]), %[t2]\n\t"
        "movq  24(%[a]), %[t3]\n\t"
        "movq  32(%[a]), %[t4]\n\t"
        "movq  40(%[a]), %[t5]\n\t"
        "subq    (%[b]), %[t0]\n\t"
        "sbbq   8(%[b]), %[t1]\n\t"
        "sbbq  16(%[b]), %[t2]\n\t"
        "sbbq  24(%[b]), %[t3]\n\t"
        "sbbq  32(%[b]), %[t4]\n\t"
        "sbbq  40(%[b]), %[t5]\n\t"
        "sbbq  %[a], %[a]\n\t"
        "movq  %[a], %[u0]\n\t"
        "movq  %[a], %[u1]\n\t"
        "movq  %[a], %[u2]\n\t"
        "movq  %[a], %[u3]\n\t"
        "movq  %[a], %[b]\n\t"
        "andq    (%[p]), %[u0]\n\t"
        "andq   8(%[p]), %[u1]\n\t"
        "andq  16(%[p]), %[u2]\n\t"
        "andq  24(%[p]), %[u3]\n\t"
        "andq  32(%[p]), %[b]\n\t"
        "andq  40(%[p]), %[a]\n\t"
        "addq  %[u0], %[t0]\n\t"
        "adcq  %[u1], %[t1]\n\t"
        "adcq  %[u2], %[t2]\n\t"
        "adcq  %[u3], %[t3]\n\t"
        "adcq  %[b], %[t4]\n\t"
        "adcq  %[a], %[t5]\n\t"
        "movq  %[r], %[a]\n\t"
        "movq  %[t0],   (%[a])\n\t"
        "movq  %[t1],  8(%[a])\n\t"
        "movq  %[t2], 16(%[a])\n\t"
        "movq  %[t3], 24(%[a])\n\t"
        "movq  %[t4], 32(%[a])\n\t"
        "movq  %[t5], 40(%[a])"
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4),
          [t5] "=&r"(t5), [u0] "=&r"(u0), [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3),
          [a] "+&r"(a), [b] "+&r"(b)
        : [r] "rm"(r), [p] "r"(&p)
        : "cc", "memory");
  }
};

}  // namespace zkgpu::limb_ops::x86
