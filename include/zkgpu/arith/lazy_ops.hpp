// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/carry_chain.hpp>
#include <zkgpu/arith/carry_chain/complex.hpp>
#include <zkgpu/arith/carry_chain_low_one.hpp>
#include <zkgpu/arith/carry_chain_quotient.hpp>
#include <zkgpu/arith/limb_ops.hpp>

/// Montgomery products that leave out the final subtraction, for code that tracks the ranges of its
/// values (field/lazy.hpp). Device passes run chains of PTX instructions; other passes and constant
/// evaluation run the same chains over a carry flag in software.
namespace zkgpu::limb_ops {

namespace ptx {  // defined in limb_ops_ptx.cuh, which device passes include
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_product_lazy(const Limbs<N>& a, const Limbs<N>& b) noexcept;
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_square_lazy(const Limbs<N>& a) noexcept;
template <class M, std::size_t N>
ZKGPU_HD void montgomery_product_pair_lazy(Limbs<N>& r, Limbs<N>& s, const Limbs<N>& a,
                                           const Limbs<N>& b, const Limbs<N>& c,
                                           const Limbs<N>& d) noexcept;
template <class M, std::size_t N>
ZKGPU_HD Limbs<N> montgomery_sum_of_products_lazy(const Limbs<N>& a, const Limbs<N>& b,
                                                  const Limbs<N>& c, const Limbs<N>& d) noexcept;
template <class M, std::size_t N>
ZKGPU_HD void montgomery_complex_product_lazy(Limbs<N>& r0, Limbs<N>& r1, const Limbs<N>& a0,
                                              const Limbs<N>& a1, const Limbs<N>& b0,
                                              const Limbs<N>& b1) noexcept;
template <std::size_t N>
ZKGPU_HD void add_if(Limbs<N>& r, const Limbs<N>& addend, std::uint64_t mask) noexcept;
template <std::size_t N>
ZKGPU_HD void subtract_modular(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b,
                               const Limbs<N>& m) noexcept;
template <class M>
ZKGPU_HD Limbs<4> known_factor_product(const Limbs<4>& a, const Limbs<4>& w,
                                       const Limbs<4>& v) noexcept;
}  // namespace ptx

/// a·w mod p, below p + a·p/2^256 + p/2^29, for v = floor(w·2^256/p) and a modulus of the form of
/// carry_chain_low_one.hpp.
template <class M>
ZKGPU_HD constexpr Limbs<4> known_factor_product(const Limbs<4>& a, const Limbs<4>& w,
                                                 const Limbs<4>& v) noexcept {
  static_assert(carry_chain::is_low_one(M::modulus().limb[0], 4));
  if constexpr (compiling_for_device) {
    return ptx::known_factor_product<M>(a, w, v);
  } else {
    using W = carry_chain::Words<8>;
    using Product = carry_chain::KnownFactorProduct<carry_chain::EmulatedFlag>;
    carry_chain::EmulatedFlag flag;
    const W x = W::from_limbs(a);
    const W q = Product::quotient(flag, x, W::from_limbs(v));
    return Product::remainder(flag, x, W::from_limbs(w), q, W::from_limbs(M::modulus())).to_limbs();
  }
}

/// r += addend if `condition` (0 or 1) holds; no carry out.
template <std::size_t N>
ZKGPU_HD constexpr void add_if(Limbs<N>& r, const Limbs<N>& addend,
                               std::uint64_t condition) noexcept {
  if constexpr (compiling_for_device) {
    ptx::add_if(r, addend, condition);
  } else {
    if (condition != 0) portable::add(r, r, addend);
  }
}

/// r = a - b, and m more if that is negative.
template <std::size_t N>
ZKGPU_HD constexpr void subtract_modular(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b,
                                         const Limbs<N>& m) noexcept {
  if constexpr (compiling_for_device) {
    ptx::subtract_modular(r, a, b, m);
  } else {
    if (portable::subtract(r, a, b) != 0) portable::add(r, r, m);
  }
}

/// a·b / 2^(64N) mod p, below p + a·b/2^(64N). Needs b < p where the modulus has the form of
/// carry_chain_low_one.hpp, else three free bits in the modulus and a, b < 4p.
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_product_lazy(const Limbs<N>& a, const Limbs<N>& b) noexcept {
  if constexpr (compiling_for_device) {
    return ptx::montgomery_product_lazy<M>(a, b);
  } else {
    using W = carry_chain::Words<2 * N>;
    carry_chain::EmulatedFlag flag;
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
}

/// r = a·b / 2^(64N) and s = c·d / 2^(64N) mod p, as montgomery_product_lazy; the device computes
/// them side by side.
template <class M, std::size_t N>
ZKGPU_HD constexpr void montgomery_product_pair_lazy(Limbs<N>& r, Limbs<N>& s, const Limbs<N>& a,
                                                     const Limbs<N>& b, const Limbs<N>& c,
                                                     const Limbs<N>& d) noexcept {
  if constexpr (compiling_for_device) {
    ptx::montgomery_product_pair_lazy<M>(r, s, a, b, c, d);
  } else {
    using W = carry_chain::Words<2 * N>;
    carry_chain::EmulatedFlag flag;
    W x{};
    W y{};
    carry_chain::montgomery_product_pair(
        flag, x, y, W::from_limbs(a), W::from_limbs(b), W::from_limbs(c), W::from_limbs(d),
        W::from_limbs(M::modulus()), static_cast<std::uint32_t>(M::montgomery_inverse()));
    r = x.to_limbs();
    s = y.to_limbs();
  }
}

/// a² / 2^(64N) mod p, below p + a²/2^(64N), for a < 4p and a modulus that leaves three bits free.
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_square_lazy(const Limbs<N>& a) noexcept {
  static_assert(M::modulus().limb[N - 1] >> 61 == 0, "the modulus must leave three bits free");
  if constexpr (compiling_for_device) {
    return ptx::montgomery_square_lazy<M>(a);
  } else {
    using W = carry_chain::Words<2 * N>;
    carry_chain::EmulatedFlag flag;
    return carry_chain::montgomery_square(flag, W::from_limbs(a), W::from_limbs(M::modulus()),
                                          static_cast<std::uint32_t>(M::montgomery_inverse()))
        .to_limbs();
  }
}

/// (a·b + c·d) / 2^(64N) mod p, below p + (a·b + c·d)/2^(64N), for factors below 4p and a modulus
/// that leaves three bits free.
template <class M, std::size_t N>
ZKGPU_HD constexpr Limbs<N> montgomery_sum_of_products_lazy(const Limbs<N>& a, const Limbs<N>& b,
                                                            const Limbs<N>& c,
                                                            const Limbs<N>& d) noexcept {
  static_assert(M::modulus().limb[N - 1] >> 61 == 0, "the modulus must leave three bits free");
  if constexpr (compiling_for_device) {
    return ptx::montgomery_sum_of_products_lazy<M>(a, b, c, d);
  } else {
    using W = carry_chain::Words<2 * N>;
    carry_chain::EmulatedFlag flag;
    return carry_chain::montgomery_sum_of_products(
               flag, W::from_limbs(a), W::from_limbs(b), W::from_limbs(c), W::from_limbs(d),
               W::from_limbs(M::modulus()), static_cast<std::uint32_t>(M::montgomery_inverse()))
        .to_limbs();
  }
}

/// r0 + r1·u = (a0 + a1·u)(b0 + b1·u) / 2^(64N) mod p for u² = -1, both below 2p for factors below
/// 2p, by three products and two reductions.
template <class M, std::size_t N>
ZKGPU_HD constexpr void montgomery_complex_product_lazy(Limbs<N>& r0, Limbs<N>& r1,
                                                        const Limbs<N>& a0, const Limbs<N>& a1,
                                                        const Limbs<N>& b0,
                                                        const Limbs<N>& b1) noexcept {
  static_assert(M::modulus().limb[N - 1] >> 61 == 0, "the modulus must leave three bits free");
  if constexpr (compiling_for_device) {
    ptx::montgomery_complex_product_lazy<M>(r0, r1, a0, a1, b0, b1);
  } else {
    using W = carry_chain::Words<2 * N>;
    carry_chain::EmulatedFlag flag;
    W x{};
    W y{};
    carry_chain::complex_product(flag, x, y, W::from_limbs(a0), W::from_limbs(a1),
                                 W::from_limbs(b0), W::from_limbs(b1), W::from_limbs(M::modulus()),
                                 static_cast<std::uint32_t>(M::montgomery_inverse()));
    r0 = x.to_limbs();
    r1 = y.to_limbs();
  }
}

}  // namespace zkgpu::limb_ops
