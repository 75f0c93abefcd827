// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/io/tables/table_file.hpp>

namespace zkgpu::io {

/// Points that are read or written at a time: 64 MiB at most.
template <CurveGroup G>
inline constexpr std::size_t msm_table_piece = (std::size_t{1} << 26) / sizeof(typename G::Affine);

/// Calls each(first, piece) for the points of all rows, one after the other, as many at a time as
/// the buffer holds.
template <class Affine, class Each>
void for_each_table_piece(const MsmTableHeader& header, std::span<Affine> buffer,
                          const Each& each) {
  for (std::uint64_t first = 0; first < header.points();) {
    const std::uint64_t left = header.points() - first;
    const auto piece =
        buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left)));
    each(first, piece);
    first += piece.size();
  }
}

/// Writes a table file.
///
/// @param rows  rows(first, out): points [first, first + out.size()) of the rows one after the
///              other
/// @throws IoError, ResourceExhausted, and what rows throws
template <CurveGroup G, class Rows>
void write_msm_table(ByteSink& sink, const MsmTableHeader& header,
                     std::span<typename G::Affine> buffer, const Rows& rows) {
  std::array<std::byte, MsmTableHeader::bytes> begin{};
  std::memcpy(begin.data(), MsmTableHeader::magic, 8);
  store_le(begin.data() + 8, MsmTableHeader::version);
  store_le(begin.data() + 12, MsmTableHeader::curve);
  store_le(begin.data() + 16, header.group);
  store_le(begin.data() + 20, header.point_bytes);
  store_le(begin.data() + 24, header.n);
  store_le(begin.data() + 32, header.window_bits);
  store_le(begin.data() + 36, header.tables);
  store_le(begin.data() + 40, header.groups);
  DigestStream digest;
  const auto put = [&](std::span<const std::byte> bytes) {
    digest.update(bytes);
    sink.write(bytes);
  };
  put(begin);
  for_each_table_piece(header, buffer,
                       [&](std::uint64_t first, std::span<typename G::Affine> piece) {
                         rows(first, piece);
                         put(std::as_bytes(piece));
                       });
  const Digest all = digest.finish();
  sink.write(all.bytes);
}

/// Reads what a table file begins with.
///
/// @throws Malformed if it is no table of this group, or its length is not what it says; IoError
template <CurveGroup G>
MsmTableHeader read_msm_table_header(ByteSource& source) {
  using H = MsmTableHeader;
  std::array<std::byte, H::bytes> begin{};
  if (source.size() < H::bytes + H::digest_bytes) {
    throw Malformed({source.name(), "header", source.size()}, "too short for a table of multiples");
  }
  source.read(0, begin);
  Cursor at(begin, source.name(), "header", 0);
  if (std::memcmp(at.take(8, "magic").data(), H::magic, 8) != 0) {
    at.fail("not a table of multiples", 8);
  }
  const auto expect = [&at](std::uint32_t wanted, const char* field) {
    const std::uint32_t found = at.u32_le(field);
    if (found != wanted) {
      at.fail(std::string(field) + ": " + std::to_string(found) + " where " +
                  std::to_string(wanted) + " was expected",
              4);
    }
  };
  H header;
  header.group = MsmTableGroup<G>::number;
  header.point_bytes = sizeof(typename G::Affine);
  expect(H::version, "version");
  expect(H::curve, "curve");
  expect(header.group, "group");
  expect(header.point_bytes, "bytes of a point");
  header.n = at.u64_le("number of bases");
  header.window_bits = at.u32_le("window bits");
  if (header.window_bits < 2 || header.window_bits > 24) at.fail("window bits: 2 to 24 can be", 4);
  header.tables = at.u32_le("tables");
  constexpr std::uint32_t most_tables = 256;
  if (header.tables < 1 || header.tables > most_tables) at.fail("tables: 1 to 256 can be", 4);
  header.groups = at.u32_le("groups");
  if (header.groups < 1 || header.groups > most_tables) at.fail("groups: 1 to 256 can be", 4);
  expect(0, "reserved");
  const std::uint64_t points = source.size() - H::bytes - H::digest_bytes;
  const std::uint64_t row_bytes = std::uint64_t{header.point_bytes} * header.tables;
  if (points % row_bytes != 0 || points / row_bytes != header.n) {
    throw Malformed({source.name(), "rows", H::bytes},
                    std::to_string(header.n) + " bases with " + std::to_string(header.tables) +
                        " multiples do not make the " + std::to_string(points) +
                        " bytes there are");
  }
  return header;
}

/// Reads the rows of a table file.
///
/// @param header  what read_msm_table_header gave
/// @param bases   row 0 must be these
/// @param rows    rows(first, points): takes them; the buffer is used again after it returns
/// @throws Malformed if the bases are others, or the digest is not that of the bytes; what rows
///         took is then worthless; IoError
template <CurveGroup G, class Rows>
void read_msm_table(ByteSource& source, const MsmTableHeader& header,
                    std::span<const typename G::Affine> bases, std::span<typename G::Affine> buffer,
                    const Rows& rows) {
  using H = MsmTableHeader;
  if (bases.size() != header.n) {
    throw Malformed({source.name(), "header", 24}, "a table of " + std::to_string(header.n) +
                                                       " bases, not of " +
                                                       std::to_string(bases.size()));
  }
  DigestStream digest;
  std::array<std::byte, H::bytes> begin{};
  source.read(0, begin);
  digest.update(begin);
  std::uint64_t offset = H::bytes;
  for_each_table_piece(
      header, buffer, [&](std::uint64_t first, std::span<typename G::Affine> piece) {
        const auto bytes = std::as_writable_bytes(piece);
        source.read(offset, bytes);
        digest.update(bytes);
        if (first < header.n) {
          const auto same =
              bases.subspan(first, std::min<std::size_t>(piece.size(), header.n - first));
          if (std::memcmp(bytes.data(), same.data(), same.size_bytes()) != 0) {
            throw Malformed({source.name(), "rows", offset}, "the table is of other bases");
          }
        }
        rows(first, std::span<const typename G::Affine>(piece));
        offset += bytes.size();
      });
  Digest wanted;
  source.read(offset, wanted.bytes);
  if (!(digest.finish() == wanted)) {
    throw Malformed({source.name(), "digest", offset},
                    "the digest is not that of the bytes before");
  }
  source.expect_unchanged();
}

}  // namespace zkgpu::io
