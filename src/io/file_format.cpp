// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/file_format.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace zkgpu::io {

std::string_view to_string(FileFormat format) noexcept {
  switch (format) {
    case FileFormat::unknown: return "unknown";
    case FileFormat::r1cs: return "r1cs";
    case FileFormat::wtns: return "wtns";
    case FileFormat::zkey: return "zkey";
    case FileFormat::ptau: return "ptau";
    case FileFormat::decoded_key: return "decoded key";
    case FileFormat::json: return "json";
    case FileFormat::binary_points: return "binary points";
  }
  return "unknown";
}

bool looks_like_json(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xEF\xBB\xBF")) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  // A point may begin with a blank and a bracket, but not go on without control characters.
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
  });
}

FileFormat detect_format(ByteSource& source) {
  constexpr std::size_t enough = 256;  // white space in front of JSON rarely is longer
  std::array<std::byte, enough> buffer;
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(enough, source.size()));
  const auto start = std::span<std::byte>(buffer).first(n);
  source.read(0, start);
  const std::string_view magic(reinterpret_cast<const char*>(buffer.data()),
                               std::min<std::size_t>(n, 4));
  if (magic == "r1cs") return FileFormat::r1cs;
  if (magic == "wtns") return FileFormat::wtns;
  if (magic == "zkey") return FileFormat::zkey;
  if (magic == "ptau") return FileFormat::ptau;
  constexpr std::string_view decoded_key = "zkgpukey";
  if (n >= decoded_key.size() && std::memcmp(start.data(), decoded_key.data(), 8) == 0) {
    return FileFormat::decoded_key;
  }
  if (looks_like_json(start)) return FileFormat::json;
  constexpr std::uint64_t smallest = 192;  // one compressed proof
  return source.size() >= smallest ? FileFormat::binary_points : FileFormat::unknown;
}

}  // namespace zkgpu::io
