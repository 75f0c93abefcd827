// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/limbs.hpp>

namespace zkgpu {

/// A prime field is a modulus and a generator of its multiplicative group; all else is derived.
/// Law: modulus() is an odd prime below 2^(64N - 1); generator() generates F*.
template <class P>
concept PrimeFieldParams = requires {
  { P::modulus().limb[0] } -> std::convertible_to<std::uint64_t>;
  { P::generator() } -> std::convertible_to<int>;
};

/// The constants of Montgomery arithmetic, derived from the modulus at compile time.
template <PrimeFieldParams P>
struct Montgomery {
  using Integer = decltype(P::modulus());
  static constexpr std::size_t limb_count = Integer::limb_count;

  ZKGPU_HD static constexpr Integer modulus() noexcept { return P::modulus(); }

  /// -modulus^-1 mod 2^64, by Newton's iteration: each step doubles the number of right bits.
  ZKGPU_HD static constexpr std::uint64_t montgomery_inverse() noexcept {
    constexpr std::uint64_t value = [] {
      const std::uint64_t p = P::modulus().limb[0];
      std::uint64_t x = p;  // right to 3 bits, since p² = 1 mod 8 for odd p
      for (int i = 0; i < 5; ++i) x *= 2 - p * x;
      return std::uint64_t{0} - x;
    }();
    return value;
  }

  /// 2^exponent mod modulus.
  ZKGPU_HD static constexpr Integer power_of_two(std::size_t exponent) noexcept {
    Integer r = Integer::from_uint64(1);
    for (std::size_t i = 0; i < exponent; ++i) {
      Integer twice{};
      limb_ops::portable::add(twice, r, r);
      Integer reduced{};
      const bool below = limb_ops::portable::subtract(reduced, twice, P::modulus()) != 0;
      r = limb_ops::portable::select(below, twice, reduced);
    }
    return r;
  }

  /// R = 2^(64N) mod modulus: one in Montgomery form.
  ZKGPU_HD static constexpr Integer r() noexcept {
    constexpr Integer value = power_of_two(64 * limb_count);
    return value;
  }

  /// R² mod modulus: takes an integer into Montgomery form by one product.
  ZKGPU_HD static constexpr Integer r_squared() noexcept {
    constexpr Integer value = power_of_two(2 * 64 * limb_count);
    return value;
  }

  /// R³ mod modulus: what an inversion starts from.
  ZKGPU_HD static constexpr Integer r_cubed() noexcept {
    constexpr Integer value = power_of_two(3 * 64 * limb_count);
    return value;
  }

  /// The largest k with 2^k | modulus - 1.
  static constexpr unsigned two_adicity = [] {
    Integer n = P::modulus();
    n.limb[0] -= 1;
    unsigned k = 0;
    while (!n.bit(k)) ++k;
    return k;
  }();

  static constexpr std::size_t bits = P::modulus().bit_length();

  /// modulus < 2^(64N - spare_bits); from 2 on, sums of two elements may enter products unreduced.
  static constexpr std::size_t spare_bits = 64 * limb_count - bits;
  static_assert(P::modulus().limb[limb_count - 1] < (std::uint64_t{1} << 63) - 1,
                "the modulus must leave the top bit of its highest limb free");
  static_assert((P::modulus().limb[0] & 1) == 1, "the modulus must be odd");
};

}  // namespace zkgpu
