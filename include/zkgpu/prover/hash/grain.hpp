// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// The generator of Poseidon's round keys: a linear feedback shift register of 80 bits whose output
/// it thins out itself.
/// @see Grassi et al. 2019, eprint 2019/458 appendix E
class Grain {
 public:
  /// Over a prime field, with the S-box x^5.
  Grain(unsigned field_bits, unsigned width, unsigned full_rounds, unsigned partial_rounds) {
    seed(1, 2);  // a prime field
    seed(1, 4);  // x^5
    seed(field_bits, 12);
    seed(width, 12);
    seed(full_rounds, 10);
    seed(partial_rounds, 10);
    seed((1u << 30) - 1, 30);
    for (unsigned i = 0; i < 160; ++i) clock();
  }

  /// The next bit: bits come in pairs (a, b); b counts where a is one.
  bool next() noexcept {
    while (!clock()) clock();
    return clock();
  }

  /// The next element: F::bits bits, most significant first; integers that are not below the
  /// modulus are passed over.
  template <PrimeField F>
  F next_element() noexcept {
    for (;;) {
      typename F::Integer integer{};
      for (std::size_t i = F::bits; i-- > 0;) {
        integer.limb[i / 64] |= std::uint64_t{next()} << (i % 64);
      }
      if (F::is_canonical(integer)) return F::from_integer(integer);
    }
  }

 private:
  // Bit i of the register is bit i of (high : low); the oldest bit is bit 0.
  void seed(std::uint32_t value, unsigned bits) noexcept {
    for (unsigned i = bits; i-- > 0;) put(filled_++, (value >> i) & 1);
  }
  void put(unsigned at, std::uint32_t bit) noexcept {
    if (at < 64) {
      low_ |= std::uint64_t{bit} << at;
    } else {
      high_ |= std::uint64_t{bit} << (at - 64);
    }
  }
  [[nodiscard]] std::uint64_t tap(unsigned at) const noexcept { return (low_ >> at) & 1; }

  bool clock() noexcept {
    const std::uint64_t bit = tap(62) ^ tap(51) ^ tap(38) ^ tap(23) ^ tap(13) ^ tap(0);
    low_ = (low_ >> 1) | (high_ << 63);
    high_ = (high_ >> 1) | (bit << 15);
    return bit != 0;
  }

  std::uint64_t low_ = 0, high_ = 0;
  unsigned filled_ = 0;
};

}  // namespace zkgpu
