// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>
#include <zkgpu/arith/carry_chain/complex.hpp>
#include <zkgpu/arith/carry_chain_low_one.hpp>
#include <zkgpu/arith/carry_chain_quotient.hpp>
#include <zkgpu/arith/limbs.hpp>

/// Device forms of the limb primitives: the chains of carry_chain.hpp over PTX instructions.
///
/// Only device passes include this file. `mad.lo.cc` and `madc.hi.cc` on one register pair become a
/// single IMAD.WIDE.U32.X.
namespace zkgpu::limb_ops::ptx {

/// The carry flag of the machine. Volatile, so that the compiler keeps the order of a chain; no
/// other instruction that it puts between writes the flag.
class PtxFlag {
 public:
  ZKGPU_HD std::uint32_t add_cc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t addc_cc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t addc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t sub_cc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t subc_cc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t subc(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint32_t r;
    asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
  }
  ZKGPU_HD std::uint32_t mul_lo(std::uint32_t a, std::uint32_t b) noexcept { return a * b; }
  ZKGPU_HD std::uint32_t mad_lo(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
    return a * b + c;
  }
  ZKGPU_HD std::uint32_t madc_lo(std::uint32_t a, std::uint32_t b, std::uint32_t c) noexcept {
    std::uint32_t r;
    asm volatile("madc.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
  }
  ZKGPU_HD void mad_cc(std::uint32_t& lo, std::uint32_t& hi, std::uint32_t a,
                       std::uint32_t b) noexcept {
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                 : "+r"(lo), "+r"(hi)
                 : "r"(a), "r"(b));
  }
  ZKGPU_HD void madc_cc(std::uint32_t& lo, std::uint32_t& hi, std::uint32_t a,
                        std::uint32_t b) noexcept {
    asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                 : "+r"(lo), "+r"(hi)
                 : "r"(a), "r"(b));
  }
  /// r[0, W) += addend where mask is not 0, by predicated instructions: no carry out. The last one
  /// sets the flag to no use, but without that it becomes an addition and a selection.
  template <std::size_t W>
  ZKGPU_HD void add_if(std::uint32_t* r, const std::uint32_t* addend, std::uint32_t mask) noexcept {
    static_assert(W == 8 || W == 12, "write the chain for this width");
    if constexpr (W == 8) {
      asm volatile(
          "{ .reg .pred p; setp.ne.u32 p, %16, 0; "
          "@p add.cc.u32 %0, %0, %8; "
          "@p addc.cc.u32 %1, %1, %9; "
          "@p addc.cc.u32 %2, %2, %10; "
          "@p addc.cc.u32 %3, %3, %11; "
          "@p addc.cc.u32 %4, %4, %12; "
          "@p addc.cc.u32 %5, %5, %13; "
          "@p addc.cc.u32 %6, %6, %14; "
          "@p addc.cc.u32 %7, %7, %15; "
          "}"
          : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]),
            "+r"(r[7])
          : "r"(addend[0]), "r"(addend[1]), "r"(addend[2]), "r"(addend[3]), "r"(addend[4]),
            "r"(addend[5]), "r"(addend[6]), "r"(addend[7]), "r"(mask));
    } else {
      asm volatile(
          "{ .reg .pred p; setp.ne.u32 p, %24, 0; "
          "@p add.cc.u32 %0, %0, %12; "
          "@p addc.cc.u32 %1, %1, %13; "
          "@p addc.cc.u32 %2, %2, %14; "
          "@p addc.cc.u32 %3, %3, %15; "
          "@p addc.cc.u32 %4, %4, %16; "
          "@p addc.cc.u32 %5, %5, %17; "
          "@p addc.cc.u32 %6, %6, %18; "
          "@p addc.cc.u32 %7, %7, %19; "
          "@p addc.cc.u32 %8, %8, %20; "
          "@p addc.cc.u32 %9, %9, %21; "
          "@p addc.cc.u32 %10, %10, %22; "
          "@p addc.cc.u32 %11, %11, %23; "
          "}"
          : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]),
            "+r"(r[7]), "+r"(r[8]), "+r"(r[9]), "+r"(r[10]), "+r"(r[11])
          : "r"(addend[0]), "r"(addend[1]), "r"(addend[2]), "r"(addend[3]), "r"(addend[4]),
            "r"(addend[5]), "r"(addend[6]), "r"(addend[7]), "r"(addend[8]), "r"(addend[9]),
            "r"(addend[10]), "r"(addend[11]), "r"(mask));
    }
  }
  /// r[0, 12) -= less where mask is not 0; no borrow out.
  template <std::size_t W>
  ZKGPU_HD void subtract_if(std::uint32_t* r, const std::uint32_t* less,
                            std::uint32_t mask) noexcept {
    static_assert(W == 12, "write the chain for this width");
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %24, 0; "
        "@p sub.cc.u32 %0, %0, %12; "
        "@p subc.cc.u32 %1, %1, %13; "
        "@p subc.cc.u32 %2, %2, %14; "
        "@p subc.cc.u32 %3, %3, %15; "
        "@p subc.cc.u32 %4, %4, %16; "
        "@p subc.cc.u32 %5, %5, %17; "
        "@p subc.cc.u32 %6, %6, %18; "
        "@p subc.cc.u32 %7, %7, %19; "
        "@p subc.cc.u32 %8, %8, %20; "
        "@p subc.cc.u32 %9, %9, %21; "
        "@p subc.cc.u32 %10, %10, %22; "
        "@p subc.cc.u32 %11, %11, %23; "
        "}"
        : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]),
          "+r"(r[7]), "+r"(r[8]), "+r"(r[9]), "+r"(r[10]), "+r"(r[11])
        : "r"(less[0]), "r"(less[1]), "r"(less[2]), "r"(less[3]), "r"(less[4]), "r"(less[5]),
          "r"(less[6]), "r"(less[7]), "r"(less[8]), "r"(less[9]), "r"(less[10]), "r"(less[11]),
          "r"(mask));
  }
  /// r[0, 8) += addend where carry is 0.
  ZKGPU_HD void add_unless(std::uint32_t* r, const std::uint32_t* addend,
                           std::uint32_t carry) noexcept {
    asm volatile(
        "{ .reg .pred p; setp.eq.u32 p, %16, 0; "
        "@p add.cc.u32 %0, %0, %8; "
        "@p addc.cc.u32 %1, %1, %9; "
        "@p addc.cc.u32 %2, %2, %10; "
        "@p addc.cc.u32 %3, %3, %11; "
        "@p addc.cc.u32 %4, %4, %12; "
        "@p addc.cc.u32 %5, %5, %13; "
        "@p addc.cc.u32 %6, %6, %14; "
        "@p addc.cc.u32 %7, %7, %15; "
        "}"
        : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3]), "+r"(r[4]), "+r"(r[5]), "+r"(r[6]),
          "+r"(r[7])
        : "r"(addend[0]), "r"(addend[1]), "r"(addend[2]), "r"(addend[3]), "r"(addend[4]),
          "r"(addend[5]), "r"(addend[6]), "r"(addend[7]), "r"(carry));
  }
};

/// r = a + b; returns the carry out.
template <std::size_t N>
ZKGPU_HD std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  W sum;
  const std::uint32_t carry = carry_chain::add(flag, sum, W::from_limbs(a), W::from_limbs(b));
  r = sum.to_limbs();
  return carry;
}

/// r = a - b; returns the borrow out.
template <std::size_t N>
ZKGPU_HD std::uint64_t subtract(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  W difference;
  const std::uint32_t borrow =
      carry_chain::subtract(flag, difference, W::from_limbs(a), W::from_limbs(b));
  r = difference.to_limbs();
  return borrow & 1;
}

/// r += addend where `mask` is not 0; no carry out.
template <std::size_t N>
ZKGPU_HD void add_if(Limbs<N>& r, const Limbs<N>& addend, std::uint64_t mask) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  W sum = W::from_limbs(r);
  flag.add_if<2 * N>(sum.word, W::from_limbs(addend).word, static_cast<std::uint32_t>(mask));
  r = sum.to_limbs();
}

/// r = a - b, and m more if that is negative.
///
/// The difference is a sum with the complement: the carry of an addition becomes the predicate at
/// once, the borrow of a subtraction goes through a register and a comparison.
template <std::size_t N>
ZKGPU_HD void subtract_modular(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b,
                               const Limbs<N>& m) noexcept {
  static_assert(N == 4, "write the chain for this width");
  using W = carry_chain::Words<8>;
  PtxFlag flag;
  W difference;
  const W x = W::from_limbs(a);
  const W y = W::from_limbs(b);
  static_cast<void>(flag.add_cc(0xffffffffu, 1));
  ZKGPU_UNROLL for (std::size_t i = 0; i < 8; ++i) {
    difference.word[i] = flag.addc_cc(x.word[i], ~y.word[i]);
  }
  const std::uint32_t carry = flag.addc(0, 0);
  flag.add_unless(difference.word, W::from_limbs(m).word, carry);
  r = difference.to_limbs();
}

/// r - p if that is not negative, else r.
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> reduce_once(const Limbs<N>& r) noexcept {
  Limbs<N> reduced;
  const bool below = subtract(reduced, r, M::modulus()) != 0;
  Limbs<N> selected;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    selected.limb[i] = below ? r.limb[i] : reduced.limb[i];
  }
  return selected;
}

/// a·b / 2^(64N) mod p, below p + a·b/2^(64N).
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_product_lazy(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  if constexpr (carry_chain::is_low_one(M::modulus().limb[0], N)) {
    return carry_chain::montgomery_product_low_one(flag, W::from_limbs(a), W::from_limbs(b),
                                                   W::from_limbs(M::modulus()))
        .to_limbs();
  } else {
    return carry_chain::montgomery_product(flag, W::from_limbs(a), W::from_limbs(b),
                                           W::from_limbs(M::modulus()),
                                           static_cast<std::uint32_t>(M::montgomery_inverse()))
        .to_limbs();
  }
}

/// a·w mod p, below p + a·p/2^256 + p/2^29, for v = floor(w·2^256/p).
template <class M>
ZKGPU_HD Limbs<4> known_factor_product(const Limbs<4>& a, const Limbs<4>& w,
                                       const Limbs<4>& v) noexcept {
  using W = carry_chain::Words<8>;
  using Product = carry_chain::KnownFactorProduct<PtxFlag>;
  PtxFlag flag;
  const W x = W::from_limbs(a);
  const W q = Product::quotient(flag, x, W::from_limbs(v));
  return Product::remainder(flag, x, W::from_limbs(w), q, W::from_limbs(M::modulus())).to_limbs();
}

/// r = a·b / 2^(64N) and s = c·d / 2^(64N) mod p, as montgomery_product_lazy, side by side.
template <class M, std::size_t N>
ZKGPU_HD void montgomery_product_pair_lazy(Limbs<N>& r, Limbs<N>& s, const Limbs<N>& a,
                                           const Limbs<N>& b, const Limbs<N>& c,
                                           const Limbs<N>& d) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  W x;
  W y;
  carry_chain::montgomery_product_pair(
      flag, x, y, W::from_limbs(a), W::from_limbs(b), W::from_limbs(c), W::from_limbs(d),
      W::from_limbs(M::modulus()), static_cast<std::uint32_t>(M::montgomery_inverse()));
  r = x.to_limbs();
  s = y.to_limbs();
}

/// a² / 2^(64N) mod p, below p + a²/2^(64N).
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_square_lazy(const Limbs<N>& a) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  return carry_chain::montgomery_square(flag, W::from_limbs(a), W::from_limbs(M::modulus()),
                                        static_cast<std::uint32_t>(M::montgomery_inverse()))
      .to_limbs();
}

/// (a·b + c·d) / 2^(64N) mod p, below p + (a·b + c·d)/2^(64N).
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_sum_of_products_lazy(const Limbs<N>& a, const Limbs<N>& b,
                                                  const Limbs<N>& c, const Limbs<N>& d) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  return carry_chain::montgomery_sum_of_products(
             flag, W::from_limbs(a), W::from_limbs(b), W::from_limbs(c), W::from_limbs(d),
             W::from_limbs(M::modulus()), static_cast<std::uint32_t>(M::montgomery_inverse()))
      .to_limbs();
}

/// r0 + r1·u = (a0 + a1·u)(b0 + b1·u) / 2^(64N) for u² = -1, as carry_chain::complex_product.
template <class M, std::size_t N>
ZKGPU_HD void montgomery_complex_product_lazy(Limbs<N>& r0, Limbs<N>& r1, const Limbs<N>& a0,
                                              const Limbs<N>& a1, const Limbs<N>& b0,
                                              const Limbs<N>& b1) noexcept {
  using W = carry_chain::Words<2 * N>;
  PtxFlag flag;
  W x;
  W y;
  carry_chain::complex_product(flag, x, y, W::from_limbs(a0), W::from_limbs(a1), W::from_limbs(b0),
                               W::from_limbs(b1), W::from_limbs(M::modulus()),
                               static_cast<std::uint32_t>(M::montgomery_inverse()));
  r0 = x.to_limbs();
  r1 = y.to_limbs();
}

/// a·b / 2^(64N) mod p, fully reduced, for a, b < p.
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_product(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  return reduce_once<M>(montgomery_product_lazy<M>(a, b));
}

/// a² / 2^(64N) mod p, fully reduced, for a < p.
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_square(const Limbs<N>& a) noexcept {
  if constexpr (carry_chain::is_low_one(M::modulus().limb[0], N)) {
    return reduce_once<M>(montgomery_product_lazy<M>(a, a));
  } else {
    return reduce_once<M>(montgomery_square_lazy<M>(a));
  }
}

}  // namespace zkgpu::limb_ops::ptx
