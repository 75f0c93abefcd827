// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

namespace radix52 {
inline constexpr unsigned limb_bits = 52;
inline constexpr std::uint64_t limb_mask = (std::uint64_t{1} << limb_bits) - 1;
}  // namespace radix52

/// The constants of a field in radix 2^52.
template <PrimeField F>
struct Radix52 {
  static constexpr unsigned limb_bits = radix52::limb_bits;
  static constexpr std::size_t limbs = (F::bits + 4 + limb_bits - 1) / limb_bits;
  static constexpr unsigned spare_bits = static_cast<unsigned>(limb_bits * limbs - F::bits);
  static constexpr auto limb_mask = radix52::limb_mask;
  using Digits = std::array<std::uint64_t, limbs>;
  using M = Montgomery<typename F::Params>;

  static constexpr Digits digits(const typename F::Integer& n) noexcept {
    Digits d{};
    for (std::size_t i = 0; i < limbs; ++i) d[i] = n.bits(limb_bits * i, limb_bits);
    return d;
  }
  /// k · modulus
  static constexpr Digits multiple(std::uint64_t k) noexcept {
    Digits d = digits(F::modulus());
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < limbs; ++i) {
      carry += static_cast<unsigned __int128>(d[i]) * k;
      d[i] = static_cast<std::uint64_t>(carry) & limb_mask;
      carry >>= limb_bits;
    }
    return d;
  }
  static constexpr Digits modulus = digits(F::modulus());
  /// 2^(52·limbs) - modulus
  static constexpr Digits negated_modulus = [] {
    Digits d{};
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < limbs; ++i) {
      d[i] = (std::uint64_t{0} - modulus[i] - borrow) & limb_mask;
      borrow = (modulus[i] | borrow) != 0 ? 1 : 0;
    }
    return d;
  }();
  /// 2^(52·limbs) mod modulus: one
  static constexpr Digits one = digits(M::power_of_two(limb_bits * limbs));
  /// -modulus^-1 mod 2^52
  static constexpr std::uint64_t inverse = M::montgomery_inverse() & limb_mask;
  /// -modulus^-1 mod 2^(52·limbs), digit by digit: 1 + modulus·(the digits so far) is a multiple of
  /// 2^(52 i).
  static constexpr Digits negated_inverse = [] {
    Digits d{}, rest{1};
    for (std::size_t i = 0; i < limbs; ++i) {
      d[i] = (rest[i] * inverse) & limb_mask;
      unsigned __int128 carry = 0;
      for (std::size_t j = 0; i + j < limbs; ++j) {
        carry += static_cast<unsigned __int128>(d[i]) * modulus[j] + rest[i + j];
        rest[i + j] = static_cast<std::uint64_t>(carry) & limb_mask;
        carry >>= limb_bits;
      }
    }
    return d;
  }();
  /// Takes x·2^(64N), the form of F, into x·2^(52·limbs): the product with 2^(2·52·limbs - 64N).
  static constexpr Digits from_field =
      digits(M::power_of_two(2 * limb_bits * limbs - 64 * F::limb_count));
  /// And back: the product with 2^(64N).
  static constexpr Digits to_field = digits(M::power_of_two(64 * F::limb_count));
};

}  // namespace zkgpu
