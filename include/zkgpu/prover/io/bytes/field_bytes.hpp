// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>

/// Integers of a prime field as bytes. `Limbs` in memory is the little-endian form.
namespace zkgpu::io {

/// Bytes of an integer of F: 32 for Fr, 48 for Fq of BLS12-381.
template <PrimeField F>
inline constexpr std::size_t integer_bytes = sizeof(typename F::Integer);

template <PrimeField F>
typename F::Integer load_integer_le(const std::byte* from) noexcept {
  typename F::Integer n;
  std::memcpy(&n, from, sizeof n);
  return n;
}

template <PrimeField F>
std::array<std::byte, integer_bytes<F>> integer_to_le(const typename F::Integer& n) noexcept {
  std::array<std::byte, integer_bytes<F>> raw;
  std::memcpy(raw.data(), &n, sizeof n);
  return raw;
}

template <PrimeField F>
typename F::Integer load_integer_be(const std::byte* from) noexcept {
  typename F::Integer n;
  constexpr std::size_t limbs = F::Integer::limb_count;
  for (std::size_t i = 0; i < limbs; ++i) {
    n.limb[i] = load_be<std::uint64_t>(from + 8 * (limbs - 1 - i));
  }
  return n;
}

template <PrimeField F>
void store_integer_be(std::byte* to, const typename F::Integer& n) noexcept {
  constexpr std::size_t limbs = F::Integer::limb_count;
  for (std::size_t i = 0; i < limbs; ++i) {
    store_be<std::uint64_t>(to + 8 * (limbs - 1 - i), n.limb[i]);
  }
}

/// The modulus in little-endian bytes, as headers of files name a field.
template <PrimeField F>
std::array<std::byte, integer_bytes<F>> modulus_bytes() noexcept {
  return integer_to_le<F>(F::modulus());
}

}  // namespace zkgpu::io
