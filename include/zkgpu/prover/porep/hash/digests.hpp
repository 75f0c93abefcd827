// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <zkgpu/prover/porep/node.hpp>

/// The hashes and the stream cipher that proofs of replication use outside the circuit, by OpenSSL.
/// All may be called from any thread. They throw InternalError where OpenSSL lacks an algorithm.
namespace zkgpu::porep {

using Bytes = std::span<const std::byte>;

/// SHA-256 of all parts, one after the other.
[[nodiscard]] Node sha256(std::initializer_list<Bytes> parts);

/// BLAKE2b of 64 bytes, without key.
[[nodiscard]] std::array<std::byte, 64> blake2b_512(Bytes message);

/// BLAKE2b of 32 bytes of all parts, with the key's characters (1 to 64) as key.
[[nodiscard]] Node blake2b_256(std::string_view key, std::initializer_list<Bytes> parts);

using Nonce = std::array<std::byte, 12>;

/// Bytes of a ChaCha20 stream (RFC 8439), from the start of a block of 64 bytes.
/// @param first_block  the counter of the first block; blocks 0 to 2^32 − 1 exist
void chacha20_keystream(const Node& key, const Nonce& nonce, std::uint32_t first_block,
                        std::span<std::byte> out);

/// The characters as bytes.
[[nodiscard]] inline Bytes text_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

/// The low n bytes of a value, the least significant first.
template <std::size_t n>
[[nodiscard]] constexpr std::array<std::byte, n> little_endian(std::uint64_t value) noexcept {
  std::array<std::byte, n> bytes;
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
  return bytes;
}

/// The low n bytes of a value, the most significant first.
template <std::size_t n>
[[nodiscard]] constexpr std::array<std::byte, n> big_endian(std::uint64_t value) noexcept {
  std::array<std::byte, n> bytes;
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * (n - 1 - i)));
  return bytes;
}

/// The first n bytes as an integer, the least significant first.
template <std::size_t n>
[[nodiscard]] constexpr std::uint64_t read_little_endian(const std::byte* bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = n; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

}  // namespace zkgpu::porep
