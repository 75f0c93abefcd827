// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <zkgpu/prover/io/bytes/byte_source.hpp>

namespace zkgpu::cli {

/// What a file is, by its first bytes and its size; never by its name.
enum class FileKind : std::uint8_t {
  zkey,
  r1cs,
  wtns,
  ptau,
  decoded_key,   ///< of --key-cache
  json,          ///< an object or an array
  proof_binary,  ///< one or more proofs of 192 bytes
  bellman_vk,
  bellman_params,
  gnark_vk,
  waves_vk,
  unknown,
};

/// A short name for messages: "a proving key (.zkey)".
[[nodiscard]] std::string_view to_string(FileKind kind) noexcept;

/// @throws IoError
[[nodiscard]] FileKind kind_of(io::ByteSource& source);

/// The part of a file name after its last dot, in lower case; empty without one.
[[nodiscard]] std::string extension_of(std::string_view path);

}  // namespace zkgpu::cli
