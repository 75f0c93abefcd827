// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "files/kind.hpp"

#include <array>
#include <cstddef>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/binary/proof_file.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/file_format.hpp>

namespace zkgpu::cli {

namespace {

using Curve = Bls12_381;
constexpr std::uint64_t g1 = 96;  // uncompressed ZCash form
constexpr std::uint64_t g2 = 192;
constexpr std::uint64_t bellman_head = 3 * g1 + 3 * g2;  // then a u32 count and the points of IC
constexpr std::uint64_t gnark_head = bellman_head / 2;   // the same points, compressed
constexpr std::uint64_t waves_head = (g1 + 3 * g2) / 2;

/// Lists of points: the flags of the first byte tell the encoding, counts and sizes the rest. Where
/// a whole number of proofs is as long as a Waves key, the byte at which a second proof begins
/// decides: in the key it stands inside gamma, with no flag.
FileKind kind_of_points(io::ByteSource& source) {
  std::array<std::byte, 1> start{};
  source.read(0, start);
  const std::byte first = start[0];
  constexpr std::byte compressed{0x80};
  const std::uint64_t size = source.size();
  if ((first & compressed) == compressed) {
    std::array<std::byte, 1> second{compressed};
    if (size > io::proof_bytes<Curve>) source.read(io::proof_bytes<Curve>, second);
    if (size % io::proof_bytes<Curve> == 0 && (second[0] & compressed) == compressed) {
      return FileKind::proof_binary;
    }
    if (size > gnark_head + 12 && (size - gnark_head - 12) % (g1 / 2) == 0) {
      return FileKind::gnark_vk;
    }
    if (size > waves_head && (size - waves_head) % (g1 / 2) == 0) return FileKind::waves_vk;
    return FileKind::unknown;
  }
  if ((first & std::byte{0xe0}) != std::byte{0} || size < bellman_head + 4) {
    return FileKind::unknown;
  }
  std::array<std::byte, 4> count{};
  source.read(bellman_head, count);
  const auto points = io::load_be<std::uint32_t>(count.data());
  const std::uint64_t head = bellman_head + 4 + g1 * points;
  if (size < head) return FileKind::unknown;
  if (points == 0 && size > head) return FileKind::unknown;  // C1 in bincode may have zeros there
  return size == head ? FileKind::bellman_vk : FileKind::bellman_params;
}

}  // namespace

std::string_view to_string(FileKind kind) noexcept {
  switch (kind) {
    case FileKind::zkey: return "a proving key (.zkey)";
    case FileKind::r1cs: return "a constraint system (.r1cs)";
    case FileKind::wtns: return "a witness (.wtns)";
    case FileKind::ptau: return "powers of tau (.ptau)";
    case FileKind::decoded_key: return "a decoded key of --key-cache (.zkgpukey)";
    case FileKind::json: return "JSON";
    case FileKind::proof_binary: return "a binary proof";
    case FileKind::bellman_vk: return "a verifying key of bellman's form (.vk)";
    case FileKind::bellman_params: return "a proving key of bellman's form (.params)";
    case FileKind::gnark_vk: return "a verifying key of gnark's form";
    case FileKind::waves_vk: return "a verifying key of Waves's form";
    case FileKind::unknown: return "of unknown kind";
  }
  return "of unknown kind";
}

FileKind kind_of(io::ByteSource& source) {
  switch (io::detect_format(source)) {
    case io::FileFormat::r1cs: return FileKind::r1cs;
    case io::FileFormat::wtns: return FileKind::wtns;
    case io::FileFormat::zkey: return FileKind::zkey;
    case io::FileFormat::ptau: return FileKind::ptau;
    case io::FileFormat::decoded_key: return FileKind::decoded_key;
    case io::FileFormat::json: return FileKind::json;
    case io::FileFormat::binary_points: return kind_of_points(source);
    case io::FileFormat::unknown: return FileKind::unknown;
  }
  return FileKind::unknown;
}

std::string extension_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string extension(name.substr(dot + 1));
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

}  // namespace zkgpu::cli
