// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limbs.hpp>

/// x86-64 forms of the limb primitives. Products need BMI2 and ADX, found at run time; the library
/// itself is compiled for the baseline instruction set.
namespace zkgpu::limb_ops::x86 {

/// Is there a mulx/adcx/adox product for N limbs?
template <std::size_t N>
inline constexpr bool has_montgomery_product = false;

/// a + b + carry; `carry` is 0 or 1, in and out. One `adc` after inlining.
inline std::uint64_t add_carry(std::uint64_t a, std::uint64_t b, unsigned long long& carry) noexcept {
#if defined(__clang__)
  return __builtin_addcll(a, b, carry, &carry);
#else
  unsigned long long out = 0;
  carry = __builtin_ia32_addcarryx_u64(static_cast<unsigned char>(carry), a, b, &out);
  return out;
#endif
}

/// a - b - borrow; `borrow` is 0 or 1, in and out. One `sbb` after inlining.
inline std::uint64_t subtract_borrow(std::uint64_t a, std::uint64_t b,
                                     unsigned long long& borrow) noexcept {
#if defined(__clang__)
  return __builtin_subcll(a, b, borrow, &borrow);
#else
  unsigned long long out = 0;
  borrow = __builtin_ia32_sbb_u64(static_cast<unsigned char>(borrow), a, b, &out);
  return out;
#endif
}

template <std::size_t N>
inline std::uint64_t add(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  unsigned long long carry = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i] = add_carry(a.limb[i], b.limb[i], carry);
  }
  return carry;
}

template <std::size_t N>
inline std::uint64_t subtract(Limbs<N>& r, const Limbs<N>& a, const Limbs<N>& b) noexcept {
  unsigned long long borrow = 0;
  ZKGPU_UNROLL for (std::size_t i = 0; i < N; ++i) {
    r.limb[i] = subtract_borrow(a.limb[i], b.limb[i], borrow);
  }
  return borrow;
}

/// a · b · 2^(-64N) mod M::modulus(), fully reduced; the machine has BMI2 and ADX.
template <class M, std::size_t N>
Limbs<N> montgomery_product(const Limbs<N>& a, const Limbs<N>& b) noexcept;

/// a² · 2^(-64N) mod M::modulus(), fully reduced; the machine has BMI2 and ADX.
template <class M, std::size_t N>
Limbs<N> montgomery_square(const Limbs<N>& a) noexcept;

inline bool mulx_adx_enabled() noexcept { return false; }

}  // namespace zkgpu::limb_ops::x86
