// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::io {

enum class FileFormat : std::uint8_t {
  unknown,
  r1cs,
  wtns,
  zkey,
  ptau,           ///< powers of tau: named, not read
  decoded_key,    ///< a cache of our own, docs/formats/key-cache.md: named, read by load_params
  json,           ///< key, proof or public values: the content tells
  binary_points,  ///< .vk, .params or a binary proof: the length tells
};

[[nodiscard]] std::string_view to_string(FileFormat format) noexcept;

/// What the first bytes say. A guess for `info` and for choosing a reader, which then decides.
/// @throws IoError
[[nodiscard]] FileFormat detect_format(ByteSource& source);

/// Do these bytes begin like JSON: an object or array after white space, or a byte order mark?
[[nodiscard]] bool looks_like_json(std::span<const std::byte> bytes) noexcept;

}  // namespace zkgpu::io
