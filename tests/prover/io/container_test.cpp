// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "io_fixtures.hpp"

#include <catch2/catch.hpp>

#include "toy_files.hpp"

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/file_format.hpp>
#include <zkgpu/prover/io/iden3/container.hpp>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

constexpr std::string_view names[] = {"first", "second"};
constexpr io::ContainerRules rules = {"test", 7, names};

struct Part {
  std::uint32_t id;
  std::uint64_t size;
};

Bytes container(std::string_view magic, std::uint32_t version, std::uint32_t count,
                const std::vector<Part>& parts) {
  return toy::written([&](io::ByteSink& sink) {
    io::write_container_header(sink, magic, version, count);
    for (const Part& part : parts) {
      io::write_section_header(sink, part.id, part.size);
      if (part.size < 1000) sink.write(Bytes(part.size));
    }
  });
}

io::Container read(const Bytes& bytes) {
  io::SpanSource source(bytes, "file");
  return io::read_container(source, rules);
}
std::string refusal(const Bytes& bytes) {
  return outcome_of([&] { read(bytes); }).message;
}

}  // namespace

TEST_CASE("sections are found in any order, unknown ones are skipped with a warning", "[io]") {
  const auto found = read(container("test", 7, 3, {{2, 5}, {99, 4}, {1, 0}}));
  CHECK(found.require(1).size == 0);
  CHECK(found.require(2).offset == 24);
  CHECK(found.require(2).size == 5);
  CHECK(found.find(3) == nullptr);
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0] == "file: skipped unknown section 99 at byte 29");
  CHECK(found.name_of(2) == "section 2 (second)");
  CHECK(found.header_bytes.size() == 12 + 3 * 12);
  // Unknown sections may come twice: nobody reads them.
  CHECK(read(container("test", 7, 2, {{99, 1}, {99, 1}})).warnings.size() == 2);
}

TEST_CASE("a container is refused with file, place and offset", "[io][edge]") {
  CHECK(refusal({}) == "file: file header at byte 0: needs 12 bytes, the file has 0");
  CHECK(refusal(container("tess", 7, 0, {})).find("at byte 0: magic is not 'test'") !=
        std::string::npos);
  CHECK(refusal(container("test", 8, 0, {})).find("at byte 4: version 8 is not supported") !=
        std::string::npos);
  CHECK(refusal(container("test", 7, 65, {})).find("at byte 8: section count 65") !=
        std::string::npos);
  CHECK(refusal(container("test", 7, 2, {{1, 0}})).find("at byte 24: needs 12 bytes") !=
        std::string::npos);
  CHECK(refusal(container("test", 7, 1, {{1, 0}, {2, 0}})).find("12 bytes too many") !=
        std::string::npos);
  CHECK(refusal(container("test", 7, 2, {{1, 0}, {1, 0}})).find("occurs twice") !=
        std::string::npos);
  for (const std::uint64_t size : {std::uint64_t{1} << 40, ~std::uint64_t{0},
                                   ~std::uint64_t{0} - 11, std::uint64_t{1} << 63}) {
    CHECK(refusal(container("test", 7, 1, {{1, size}})).find("exceeds the 0 bytes left") !=
          std::string::npos);
  }
  const auto missing = read(container("test", 7, 1, {{2, 0}}));
  CHECK(outcome_of([&] {
          static_cast<void>(missing.require(1));
        }).message.find("section 1 (first) is missing") != std::string::npos);
}

TEST_CASE("a cursor never passes its end, and counts must fit before they are used", "[io][edge]") {
  const Bytes bytes = {std::byte{0xff}, std::byte{0xff}, std::byte{0xff},
                       std::byte{0xff}, std::byte{1},    std::byte{0},
                       std::byte{0},    std::byte{0},    std::byte{9}};
  io::Cursor at(bytes, "file", "part", 100);
  const Outcome too_many = outcome_of([&] {
    io::Cursor copy = at;
    copy.count_le(44, "number of items");
  });
  CHECK(too_many.message ==
        "file: part at byte 100: number of items: a count of 4294967295 items of 44 bytes does not "
        "fit the 5 bytes left");
  CHECK(at.u32_le("x") == 0xffffffff);
  CHECK(at.u32_be("y") == 0x01000000);
  CHECK(at.offset() == 108);
  CHECK(outcome_of([&] { at.expect_end("y"); }).message ==
        "file: part at byte 108: 1 bytes too many after y");
  CHECK(outcome_of([&] { at.u64_le("z"); }).message ==
        "file: part at byte 108: z: needs 8 bytes, 1 are left");
  CHECK(at.take(1, "z")[0] == std::byte{9});
  CHECK_NOTHROW(at.expect_end("z"));
}

TEST_CASE("formats are told by their first bytes", "[io]") {
  const auto format = [](const Bytes& bytes) {
    io::SpanSource source(bytes, "file");
    return io::detect_format(source);
  };
  CHECK(format(toy::zkey()) == io::FileFormat::zkey);
  CHECK(format(toy::r1cs()) == io::FileFormat::r1cs);
  CHECK(format(toy::wtns()) == io::FileFormat::wtns);
  CHECK(format(toy::params()) == io::FileFormat::binary_points);
  CHECK(format(toy::proof()) == io::FileFormat::binary_points);
  CHECK(format(toy::proof_json()) == io::FileFormat::json);
  CHECK(format(toy::bytes_of_text(" \n[]")) == io::FileFormat::json);
  CHECK(format(toy::bytes_of_text("\xEF\xBB\xBF[]")) == io::FileFormat::json);
  CHECK(format(toy::bytes_of_text("ptau....")) == io::FileFormat::ptau);
  CHECK(format(toy::bytes_of_text("zkgpukey")) == io::FileFormat::decoded_key);
  CHECK(format(toy::bytes_of_text("zkgpumul")) == io::FileFormat::unknown);
  CHECK(format({}) == io::FileFormat::unknown);
  CHECK(format(Bytes(191)) == io::FileFormat::unknown);
}
