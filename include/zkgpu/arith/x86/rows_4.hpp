// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/arith/x86/rows.hpp>

/// The blocks of `Rows` for 4 limbs; see x86/rows.hpp for what each must do.
namespace zkgpu::limb_ops::x86 {

template <>
struct Rows<4> {
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
        "adcq  $0, %[t4]"
        : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
          [lo] "=&r"(low)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<4>*>(a))
        : "cc");
  }

  [[gnu::always_inline]] static void accumulate(std::uint64_t* t, const std::uint64_t* a,
                                                std::uint64_t b) noexcept {
    std::uint64_t low, high;
    asm("xorl  %k[t4], %k[t4]\n\t"
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
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t4]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "=&r"(t[4]),
          [lo] "=&r"(low), [hi] "=&r"(high)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<4>*>(a))
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
        "movl  $0, %k[lo]\n\t"
        "adcxq %[lo], %[t4]"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [lo] "=&r"(low), [hi] "=&r"(high)
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const Limbs<4>*>(a))
        : "cc");
  }

  [[gnu::always_inline]] static void reduce(std::uint64_t* t,
                                            const ReductionConstants<4>& p) noexcept {
    std::uint64_t low, high;
    asm("movq  %[t0], %%rdx\n\t"
        "imulq 32(%[p]), %%rdx\n\t"
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
        "adcxq %[t0], %[t4]"  // t0 is zero here
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),
          [lo] "=&r"(low), [hi] "=&r"(high)
        : [p] "r"(&p), "m"(p)
        : "cc", "rdx");
  }

  [[gnu::always_inline]] static void finish(std::uint64_t* r, std::uint64_t* t,
                                            const ReductionConstants<4>& p) noexcept {
    std::uint64_t u0, u1, u2, u3;
    asm volatile(
        "movq  %[t0], %[u0]\n\t"
        "movq  %[t1], %[u1]\n\t"
        "movq  %[t2], %[u2]\n\t"
        "movq  %[t3], %[u3]\n\t"
        "subq    (%[p]), %[t0]\n\t"
        "sbbq   8(%[p]), %[t1]\n\t"
        "sbbq  16(%[p]), %[t2]\n\t"
        "sbbq  24(%[p]), %[t3]\n\t"
        "cmovcq %[u0], %[t0]\n\t"
        "cmovcq %[u1], %[t1]\n\t"
        "cmovcq %[u2], %[t2]\n\t"
        "cmovcq %[u3], %[t3]\n\t"
        "movq  %[r], %[u0]\n\t"
        "movq  %[t0],   (%[u0])\n\t"
        "movq  %[t1],  8(%[u0])\n\t"
        "movq  %[t2], 16(%[u0])\n\t"
        "movq  %[t3], 24(%[u0])"
        : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [u0] "=&r"(u0),
          [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3)
        : [r] "rm"(r), [p] "r"(&p)
        : "cc", "memory");
  }

  /// The sum leaves in registers, so that it can go on to the next operation without memory.
  [[gnu::always_inline]] static void add(Limbs<4>& r, const Limbs<4>& a, const Limbs<4>& b,
                                         const ReductionConstants<4>& p) noexcept {
    std::uint64_t t0 = a.limb[0], t1 = a.limb[1], t2 = a.limb[2], t3 = a.limb[3];
    const std::uint64_t b0 = b.limb[0], b1 = b.limb[1], b2 = b.limb[2], b3 = b.limb[3];
    std::uint64_t u0, u1, u2, u3;
    asm("addq  %[b0], %[t0]\n\t"
        "adcq  %[b1], %[t1]\n\t"
        "adcq  %[b2], %[t2]\n\t"
        "adcq  %[b3], %[t3]\n\t"
        "movq  %[t0], %[u0]\n\t"
        "movq  %[t1], %[u1]\n\t"
        "movq  %[t2], %[u2]\n\t"
        "movq  %[t3], %[u3]\n\t"
        "subq    (%[p]), %[t0]\n\t"
        "sbbq   8(%[p]), %[t1]\n\t"
        "sbbq  16(%[p]), %[t2]\n\t"
        "sbbq  24(%[p]), %[t3]\n\t"
        "cmovcq %[u0], %[t0]\n\t"
        "cmovcq %[u1], %[t1]\n\t"
        "cmovcq %[u2], %[t2]\n\t"
        "cmovcq %[u3], %[t3]"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [u0] "=&r"(u0),
          [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3)
        : [b0] "rm"(b0), [b1] "rm"(b1), [b2] "rm"(b2), [b3] "rm"(b3), [p] "r"(&p), "m"(p)
        : "cc");
    r.limb[0] = t0;
    r.limb[1] = t1;
    r.limb[2] = t2;
    r.limb[3] = t3;
  }

  /// The difference leaves in registers, so that it can go on to the next operation without memory.
  [[gnu::always_inline]] static void subtract(Limbs<4>& r, const Limbs<4>& a, const Limbs<4>& b,
                                              const ReductionConstants<4>& p) noexcept {
    std::uint64_t t0 = a.limb[0], t1 = a.limb[1], t2 = a.limb[2], t3 = a.limb[3];
    const std::uint64_t b0 = b.limb[0], b1 = b.limb[1], b2 = b.limb[2], b3 = b.limb[3];
    std::uint64_t u0, u1, u2, u3;
    asm("subq  %[b0], %[t0]\n\t"
        "sbbq  %[b1], %[t1]\n\t"
        "sbbq  %[b2], %[t2]\n\t"
        "sbbq  %[b3], %[t3]\n\t"
        "sbbq  %[u0], %[u0]\n\t"
        "movq  %[u0], %[u1]\n\t"
        "movq  %[u0], %[u2]\n\t"
        "movq  %[u0], %[u3]\n\t"
        "andq    (%[p]), %[u0]\n\t"
        "andq   8(%[p]), %[u1]\n\t"
        "andq  16(%[p]), %[u2]\n\t"
        "andq  24(%[p]), %[u3]\n\t"
        "addq  %[u0], %[t0]\n\t"
        "adcq  %[u1], %[t1]\n\t"
        "adcq  %[u2], %[t2]\n\t"
        "adcq  %[u3], %[t3]"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [u0] "=&r"(u0),
          [u1] "=&r"(u1), [u2] "=&r"(u2), [u3] "=&r"(u3)
        : [b0] "rm"(b0), [b1] "rm"(b1), [b2] "rm"(b2), [b3] "rm"(b3), [p] "r"(&p), "m"(p)
        : "cc");
    r.limb[0] = t0;
    r.limb[1] = t1;
    r.limb[2] = t2;
    r.limb[3] = t3;
  }
};

}  // namespace zkgpu::limb_ops::x86
