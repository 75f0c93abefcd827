// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <string>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>

#include "prover/porep/c1/toy_c1.hpp"
#include "shared.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::porep;
namespace c1 = zkgpu::test::c1;

C1File read(std::string_view text) {
  io::SpanSource source(io::bytes_of(text), "c1");
  return read_c1(source);
}

std::string name_of(const SectorShape& shape) {
  return "StackedDrg" + std::string(shape.name) + "V1_1";
}

}  // namespace

TEST_CASE("bincode of every sector size is read as it was written", "[porep][c1]") {
  for (const SectorShape& shape : sector_shapes) {
    CAPTURE(shape.name);
    const Phase1Output output = c1::Maker(shape).output(shape.partitions);
    const C1File file = read(c1::BincodeBytes(output, shape).text);
    CHECK(file.form == C1Form::bincode);
    CHECK(file.shape == shape);
    CHECK(file.output == output);
    CHECK_FALSE(file.proof);
    CHECK_FALSE(file.sector_number);
  }
}

TEST_CASE("JSON and the wrapper of every sector size on the network are read as written",
          "[porep][c1]") {
  for (const RegisteredProof& proof : registered_proofs) {
    if (proof.api != ApiVersion::v1_1_0) continue;
    const SectorShape& shape = shape_of_name(proof.sector_name);
    CAPTURE(shape.name);
    const Phase1Output output = c1::Maker(shape).output(shape.partitions);
    const std::string json = c1::JsonText(output, shape, proof.name).text;
    const C1File plain = read(json);
    CHECK(plain.form == C1Form::json);
    CHECK(plain.shape == shape);
    CHECK(plain.output == output);
    REQUIRE(plain.proof);
    CHECK(plain.proof->number == proof.number);
    const C1File wrapped = read(c1::wrapper(json, shape.bytes(), 18446744073709551615u));
    CHECK(wrapped.form == C1Form::wrapper);
    CHECK(wrapped.output == output);
    CHECK(wrapped.sector_number == 18446744073709551615u);
  }
}

TEST_CASE("a non-interactive output has more partitions, in every form", "[porep][c1]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const Phase1Output output = c1::Maker(shape).output(shape.ni_partitions);
  const std::string json =
      c1::JsonText(output, shape, "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep").text;
  CHECK(read(json).output == output);
  CHECK(read(c1::wrapper(json, 2048)).output == output);
  CHECK(read(c1::BincodeBytes(output, shape).text).output == output);
}

TEST_CASE("a file that is too large for any output is refused unread", "[porep][c1]") {
  class Endless final : public io::ByteSource {
   public:
    Endless() : ByteSource("endless", max_c1_bytes + 1) {}
    void read(std::uint64_t, std::span<std::byte>) override { FAIL("it was read"); }
  };
  Endless source;
  CHECK_THROWS_WITH(read_c1(source), Catch::Matchers::Contains("the limit is 2147483648"));
}

TEST_CASE("any blank may stand before a null", "[porep][c1]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const Phase1Output output = c1::Maker(shape).output(1);
  const std::string json = c1::JsonText(output, shape, name_of(shape)).text;
  const std::string null = "\"_h\":null";
  REQUIRE(json.find(null) != std::string::npos);
  for (const char blank : {' ', '\t', '\n', '\r'}) {
    std::string spaced = json;
    spaced.insert(spaced.find(null) + null.size() - 4, 2, blank);
    CHECK(read(spaced).output == output);
  }
}

TEST_CASE("the order of JSON fields, blanks and an absent _h do not matter", "[porep][c1]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const Phase1Output output = c1::Maker(shape).output(1);
  std::string json = c1::JsonText(output, shape, name_of(shape)).text;
  const std::string proof = R"("registered_proof":")" + name_of(shape) + "\",";
  json.erase(1, proof.size());
  json.insert(json.size() - 1, " ,\n\t" + proof.substr(0, proof.size() - 1) + "\r\n ");
  CHECK(read(json).output == output);
  for (std::size_t at = 0; (at = json.find(R"(,"_h":null)", at)) != std::string::npos;) {
    json.erase(at, std::string_view(R"(,"_h":null)").size());
  }
  for (std::size_t at = 0; (at = json.find(':', at)) != std::string::npos; at += 3) {
    json.replace(at, 1, " : ");
  }
  CHECK(read(" \n" + json + "\n").output == output);
  const std::string wrapped =
      R"({"SectorSize":2048, "Phase1Out" : ")" + c1::base64(json) + R"(" ,"SectorNum":0})";
  CHECK(read(wrapped).output == output);
}

TEST_CASE("base64 of every length modulo three and with escaped slashes is read", "[porep][c1]") {
  const SectorShape& shape = shape_of_name("2KiB");
  const Phase1Output output = c1::Maker(shape).output(1);
  std::string json = c1::JsonText(output, shape, name_of(shape)).text;
  for (int blanks = 0; blanks < 3; ++blanks, json += ' ') {
    std::string wrapped = c1::wrapper(json, 2048);
    CHECK(read(wrapped).output == output);
    for (std::size_t at = 0; (at = wrapped.find('/', at)) != std::string::npos; at += 2) {
      wrapped.replace(at, 1, "\\/");
    }
    CHECK(read(wrapped).output == output);
  }
}

TEST_CASE("the reference's seals are the same in all three forms", "[porep][c1]") {
  if (!test::shared_present("golden/reference/seal")) return;
  const auto folder = test::shared_dir() / "golden/reference/seal";
  for (const std::string seal : {"A", "B"}) {
    const C1File bincode = read(test::read_text(folder / (seal + ".c1.bin")));
    const std::string json = test::read_text(folder / (seal + ".c1.json"));
    const C1File plain = read(json);
    const C1File wrapped = read(c1::wrapper(json, 2048, 1));
    CHECK(bincode.form == C1Form::bincode);
    CHECK(plain.form == C1Form::json);
    CHECK(wrapped.form == C1Form::wrapper);
    CHECK(plain.output == bincode.output);
    CHECK(wrapped.output == bincode.output);
    CHECK(bincode.shape.name == "2KiB");
    REQUIRE(plain.proof);
    CHECK(plain.proof->name == "StackedDrg2KiBV1_1");
    // The readers agree with the slow writers, too.
    CHECK(c1::JsonText(bincode.output, bincode.shape, plain.proof->name).text == json);
  }
  const std::string bytes = test::read_text(folder / "ni.c1.bin");
  const C1File ni = read(bytes);
  CHECK(ni.output.partitions.size() == 13);
  CHECK(c1::BincodeBytes(ni.output, ni.shape).text == bytes);
  const std::string json =
      c1::JsonText(ni.output, ni.shape, "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep").text;
  CHECK(json.size() == 1292600);  // as the reference writes it
  CHECK(read(json).output == ni.output);
  CHECK(read(c1::wrapper(json, 2048)).output == ni.output);
}
