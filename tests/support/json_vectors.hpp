// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/curve/affine.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp12.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/fp6.hpp>

#include "shared.hpp"

/// Reads published test vectors: JSON, plain or gzipped, with numbers as hexadecimal strings.
/// Throws std::runtime_error where a file is not what its README says: a vector is never skipped
/// silently.
namespace zkgpu::test {

using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

/// A file's content, gunzipped if it is gzipped.
inline std::string read_maybe_gzipped(const std::filesystem::path& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path.string());
  std::string text;
  char buffer[1 << 16];
  int n = 0;
  while ((n = gzread(file, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  const bool whole = n == 0 && gzclose(file) == Z_OK;
  if (!whole) throw std::runtime_error("cannot read " + path.string());
  return text;
}

/// @param relative  below shared_dir(): "vectors/eip-2537/add_G1_bls.json", "vectors/.../x.json.gz"
inline Json load_json(std::string_view relative) {
  return Json::parse(read_maybe_gzipped(shared_dir() / relative));
}

/// "0x" in front is optional, digits are in pairs.
inline Bytes bytes_from_hex(std::string_view hex) {
  if (hex.starts_with("0x")) hex.remove_prefix(2);
  if (hex.size() % 2 != 0) throw std::runtime_error("odd number of hex digits");
  const auto digit = [](char c) -> unsigned {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    throw std::runtime_error("not a hex digit");
  };
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(16 * digit(hex[i]) + digit(hex[i + 1])));
  }
  return bytes;
}

/// Big-endian digits, any number of them, that fit N limbs.
template <std::size_t N>
Limbs<N> integer_from_hex(std::string_view hex) {
  if (hex.starts_with("0x")) hex.remove_prefix(2);
  std::string padded(hex);
  if (padded.size() % 2 != 0) padded.insert(padded.begin(), '0');
  const Bytes bytes = bytes_from_hex(padded);
  Limbs<N> r{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t at = bytes.size() - 1 - i;  // byte i counts from the low end
    const auto value = std::to_integer<std::uint64_t>(bytes[at]);
    if (i >= 8 * N) {
      if (value != 0) throw std::runtime_error("integer too long");
      continue;
    }
    r.limb[i / 8] |= value << (8 * (i % 8));
  }
  return r;
}

// Field elements as the vectors write them: a string, [c0, c1], {c0, c1}, or nested arrays.
template <PrimeFieldParams P>
void read(const Json& json, Fp<P>& out) {
  const auto n = integer_from_hex<Fp<P>::limb_count>(json.get<std::string>());
  if (!Fp<P>::is_canonical(n)) throw std::runtime_error("vector with a value above the modulus");
  out = Fp<P>::from_integer(n);
}
template <class F>
void read(const Json& json, Fp2<F>& out) {
  const bool array = json.is_array();
  if (json.size() != 2) throw std::runtime_error("an element of Fp2 has two parts");
  read(array ? json.at(0) : json.at("c0"), out.c0);
  read(array ? json.at(1) : json.at("c1"), out.c1);
}
template <class T>
void read(const Json& json, Fp6<T>& out) {
  if (json.size() != 3) throw std::runtime_error("an element of Fp6 has three parts");
  read(json.at(0), out.c0);
  read(json.at(1), out.c1);
  read(json.at(2), out.c2);
}
template <class T>
void read(const Json& json, Fp12<T>& out) {
  if (json.size() != 2) throw std::runtime_error("an element of Fp12 has two parts");
  read(json.at(0), out.c0);
  read(json.at(1), out.c1);
}
/// {x, y} or {inf: true}
template <CurveParams P>
void read(const Json& json, Affine<P>& out) {
  if (json.contains("inf")) {
    out = Affine<P>::infinity();
    return;
  }
  read(json.at("x"), out.x);
  read(json.at("y"), out.y);
}

template <class T>
T parse(const Json& json) {
  T value{};
  read(json, value);
  return value;
}

}  // namespace zkgpu::test
