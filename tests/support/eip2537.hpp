// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/encoding.hpp>

#include "json_vectors.hpp"

/// The byte forms of EIP-2537: a coordinate is 64 bytes, big endian, the first 16 zero; Fp2 is c0,
/// then c1; infinity is all zero; a scalar is 32 bytes and may be above r.
namespace zkgpu::test::eip2537 {

inline constexpr std::size_t word = 64;
inline constexpr std::size_t scalar_bytes = 32;
/// Bytes of a point of P's group.
template <CurveParams P>
inline constexpr std::size_t point_bytes = uncompressed_bytes<P> / 48 * word;

/// The point's ZCash encoding, so that the library's own decoder judges it. What that encoding
/// cannot hold (bits above 2^381) is not canonical.
template <CurveParams P>
PointStatus to_zcash(std::span<const std::byte> in,
                     std::array<std::byte, uncompressed_bytes<P>>& out) {
  if (in.size() != point_bytes<P>) return PointStatus::bad_length;
  constexpr std::size_t words = point_bytes<P> / word;
  const auto zero = [](std::byte b) { return b == std::byte{0}; };
  for (std::size_t i = 0; i < words; ++i) {
    const auto coordinate = in.subspan(word * i, word);
    const bool fits = std::all_of(coordinate.begin(), coordinate.begin() + 16, zero) &&
                      (coordinate[16] >> 5) == std::byte{0};
    if (!fits) return PointStatus::not_canonical;
    const std::size_t at = words == 4 ? i ^ 1 : i;  // c1 before c0
    std::copy(coordinate.begin() + 16, coordinate.end(),
              out.begin() + static_cast<std::ptrdiff_t>(48 * at));
  }
  if (std::all_of(in.begin(), in.end(), zero)) out[0] = std::byte{0x40};
  return PointStatus::ok;
}

/// Length, field, curve and subgroup are checked, as MUL, MSM and PAIRING want.
template <CurveParams P>
PointStatus decode(std::span<const std::byte> in, Affine<P>& out) {
  std::array<std::byte, uncompressed_bytes<P>> encoding{};
  const PointStatus status = to_zcash<P>(in, encoding);
  return status == PointStatus::ok ? decode_uncompressed(encoding, out) : status;
}

/// The same without the subgroup, as ADD wants.
template <CurveParams P>
PointStatus decode_on_curve(std::span<const std::byte> in, Affine<P>& out) {
  std::array<std::byte, uncompressed_bytes<P>> encoding{};
  PointStatus status = to_zcash<P>(in, encoding);
  if (status == PointStatus::ok) status = decode_uncompressed_unchecked(encoding, out);
  if (status == PointStatus::ok && !out.is_on_curve()) status = PointStatus::not_on_curve;
  return status;
}

/// A point of the answer: must be good.
template <CurveParams P>
Affine<P> expect_point(std::span<const std::byte> in) {
  Affine<P> p{};
  if (decode_on_curve(in, p) != PointStatus::ok)
    throw std::runtime_error("vector with a bad answer");
  return p;
}

/// The scalar modulo the order of the field F.
template <class F>
F decode_scalar(std::span<const std::byte> in) {
  if (in.size() != scalar_bytes) throw std::runtime_error("a scalar has 32 bytes");
  F r = F::zero();
  for (const std::byte b : in) r = F(256) * r + F(std::to_integer<int>(b));
  return r;
}

/// The status that a failing vector's message stands for.
inline PointStatus expected_status(const std::string& message) {
  if (message == "invalid input length") return PointStatus::bad_length;
  if (message == "invalid fp.Element encoding") return PointStatus::not_canonical;
  if (message == "invalid field element top bytes") return PointStatus::not_canonical;
  if (message == "invalid point: not on curve") return PointStatus::not_on_curve;
  if (message.ends_with("subgroup")) return PointStatus::not_in_subgroup;
  throw std::runtime_error("unknown error of a vector: " + message);
}

}  // namespace zkgpu::test::eip2537
