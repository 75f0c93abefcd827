// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/tables/table_file_impl.hpp>

namespace {

using namespace zkgpu;
using namespace zkgpu::io;
using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;

template <class G>
std::vector<typename G::Affine> rows_of(const MsmTableHeader& header) {
  std::vector<typename G::Affine> rows;
  auto p = Xyzz<typename G::Params>::from_affine(G::generator());
  for (std::uint64_t i = 0; i < header.points(); ++i) {
    rows.push_back(i % 5 == 4 ? G::Affine::infinity() : p.to_affine());
    p = p.doubled();
  }
  return rows;
}

template <class G>
MsmTableHeader header_of(std::uint64_t n, std::uint32_t tables) {
  return {MsmTableGroup<G>::number, sizeof(typename G::Affine), n, 13, tables, 3};
}

template <class G>
std::vector<std::byte> written(const MsmTableHeader& header,
                               const std::vector<typename G::Affine>& rows,
                               std::size_t piece_points) {
  MemorySink sink;
  std::vector<typename G::Affine> buffer(piece_points);
  write_msm_table<G>(sink, header, std::span<typename G::Affine>(buffer),
                     [&](std::uint64_t first, std::span<typename G::Affine> piece) {
                       std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(first), piece.size(),
                                   piece.begin());
                     });
  return sink.take();
}

template <class G>
std::vector<typename G::Affine> read_back(std::span<const std::byte> bytes,
                                          std::span<const typename G::Affine> bases,
                                          MsmTableHeader& header) {
  SpanSource source(bytes, "table");
  header = read_msm_table_header<G>(source);
  std::vector<typename G::Affine> rows;
  std::vector<typename G::Affine> buffer(4);
  read_msm_table<G>(source, header, bases, std::span<typename G::Affine>(buffer),
                    [&](std::uint64_t first, std::span<const typename G::Affine> piece) {
                      REQUIRE(first == rows.size());
                      rows.insert(rows.end(), piece.begin(), piece.end());
                    });
  return rows;
}

template <class G>
void check_round_trip(std::uint64_t n, std::uint32_t tables) {
  const auto header = header_of<G>(n, tables);
  const auto rows = rows_of<G>(header);
  const auto bytes = written<G>(header, rows, 3);
  CHECK(bytes == written<G>(header, rows, 1000));
  CHECK(bytes.size() == 48 + rows.size() * sizeof(typename G::Affine) + 32);
  MsmTableHeader found;
  const std::span<const typename G::Affine> bases(rows.data(), n);
  CHECK(read_back<G>(bytes, bases, found) == rows);
  CHECK(found == header);
}

}  // namespace

TEST_CASE("a table file gives back what was written", "[io][msm][g1][g2]") {
  for (std::uint64_t n : {0u, 1u, 3u, 4u, 9u}) {
    for (std::uint32_t tables : {1u, 2u, 7u}) {
      check_round_trip<G1>(n, tables);
      check_round_trip<G2>(n, tables);
    }
  }
}

TEST_CASE("every changed bit and every cut of a table file is refused", "[io][msm][fault]") {
  const auto header = header_of<G1>(3, 2);
  const auto rows = rows_of<G1>(header);
  const auto good = written<G1>(header, rows, 8);
  const std::span<const G1::Affine> bases(rows.data(), 3);
  MsmTableHeader found;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      auto bytes = good;
      bytes[at] ^= std::byte{1} << bit;
      INFO("bit " << bit << " of byte " << at);
      CHECK_THROWS_AS(read_back<G1>(bytes, bases, found), Malformed);
    }
    CHECK_THROWS_AS(read_back<G1>(std::span(good).first(at), bases, found), Malformed);
  }
  auto longer = good;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(read_back<G1>(longer, bases, found), Malformed);
}

TEST_CASE("a table of another group, of other bases or of another number of them is refused",
          "[io][msm][fault]") {
  const auto header = header_of<G1>(3, 2);
  auto rows = rows_of<G1>(header);
  const auto bytes = written<G1>(header, rows, 8);
  SpanSource source(bytes, "table");
  CHECK_THROWS_AS(read_msm_table_header<G2>(source), Malformed);
  MsmTableHeader found;
  CHECK_THROWS_AS(read_back<G1>(bytes, std::span<const G1::Affine>(rows.data(), 2), found),
                  Malformed);
  std::swap(rows[0], rows[1]);
  try {
    read_back<G1>(bytes, std::span<const G1::Affine>(rows.data(), 3), found);
    FAIL("the table is of other bases");
  } catch (const Malformed& error) {
    CHECK(std::string(error.what()).find("other bases") != std::string::npos);
  }
}

TEST_CASE("a table file that claims more points than there are bytes is refused at once",
          "[io][msm][fault]") {
  const auto header = header_of<G1>(3, 2);
  auto bytes = written<G1>(header, rows_of<G1>(header), 8);
  for (std::uint64_t n : {std::uint64_t{4}, ~std::uint64_t{0}, std::uint64_t{1} << 58}) {
    store_le(bytes.data() + 24, n);
    SpanSource source(bytes, "table");
    CHECK_THROWS_AS(read_msm_table_header<G1>(source), Malformed);
  }
}
