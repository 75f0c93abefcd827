// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/prover/porep/hash/digests.hpp>

#include "shared.hpp"

/// Values of tests about proofs of replication: hexadecimal text, files of `name value` lines.
namespace zkgpu::test::porep {

using zkgpu::porep::Node;

inline std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    throw std::invalid_argument(std::string("not a hexadecimal digit: ") + c);
  };
  if (hex.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  }
  return bytes;
}

template <std::size_t n>
std::array<std::byte, n> array_of_hex(std::string_view hex) {
  const std::vector<std::byte> bytes = bytes_of_hex(hex);
  if (bytes.size() != n) throw std::invalid_argument("hexadecimal text of another length");
  std::array<std::byte, n> array;
  std::copy(bytes.begin(), bytes.end(), array.begin());
  return array;
}

inline Node node(std::string_view hex) { return array_of_hex<32>(hex); }

/// 32 times the same byte.
inline Node filled(unsigned byte) {
  Node n;
  n.fill(static_cast<std::byte>(byte));
  return n;
}

inline std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

/// "1 2 3" as numbers, "" as none.
inline std::vector<std::uint64_t> numbers(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::uint64_t> all;
  for (std::uint64_t x = 0; in >> x;) all.push_back(x);
  return all;
}

/// A file of lines `name value`, below the shared folder.
inline std::map<std::string, std::string> golden_lines(const std::string& relative) {
  std::istringstream in(read_text(shared_dir() / relative));
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) continue;
    values[line.substr(0, space)] = line.substr(space + 1);
  }
  return values;
}

}  // namespace zkgpu::test::porep
