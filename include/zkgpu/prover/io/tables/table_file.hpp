// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/curve.hpp>

/// Files of multiples of bases: a cache of this program's own, so that they need not be made again.
///
/// All integers little-endian:
///
///     offset  bytes  what
///          0      8  "zkgpumul"
///          8      4  version: 1
///         12      4  curve: 1 is BLS12-381
///         16      4  group: 1 or 2
///         20      4  bytes of a point
///         24      8  n, bases
///         32      4  window_bits
///         36      4  tables: multiples of each base
///         40      4  groups: row j holds 2^(window_bits·groups·j) times each base
///         44      4  0
///         48         tables rows of n points, as affine points are in memory: Montgomery form,
///                    (0,0)
///                    for infinity
///       last     32  SHA-256 of all bytes before
///
/// The digest tells damage. It does not tell a file that someone else made on purpose: keep such
/// files where only you can write, as the ones who write them do. A reader compares row 0 with the
/// bases themselves.
namespace zkgpu::io {

/// What a table file begins with.
struct MsmTableHeader {
  std::uint32_t group = 1;
  std::uint32_t point_bytes = 0;
  std::uint64_t n = 0;
  std::uint32_t window_bits = 0;
  std::uint32_t tables = 0;
  std::uint32_t groups = 0;

  static constexpr std::size_t bytes = 48;
  static constexpr std::size_t digest_bytes = 32;
  static constexpr std::uint32_t version = 1;
  static constexpr std::uint32_t curve = 1;
  static constexpr char magic[] = "zkgpumul";

  [[nodiscard]] constexpr std::uint64_t points() const noexcept { return n * tables; }
  friend bool operator==(const MsmTableHeader&, const MsmTableHeader&) = default;
};

/// The number of a group in a file.
template <CurveGroup G>
struct MsmTableGroup;
template <>
struct MsmTableGroup<Bls12_381::G1> {
  static constexpr std::uint32_t number = 1;
};
template <>
struct MsmTableGroup<Bls12_381::G2> {
  static constexpr std::uint32_t number = 2;
};

}  // namespace zkgpu::io
