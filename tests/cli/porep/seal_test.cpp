// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/porep/c1/read.hpp>

#include "cli/program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

namespace {

/// The data of the reference's seal B, 2032 bytes.
std::string data_of_b() {
  std::string data;
  for (unsigned i = 0; i < 2032; ++i) data += static_cast<char>(i * i + 3 * i + 7);
  return data;
}

zkgpu::porep::C1File read(const std::string& path) {
  const std::string text = read_text(path);
  zkgpu::io::SpanSource source(zkgpu::io::bytes_of(text), path);
  return zkgpu::porep::read_c1(source);
}

}  // namespace

TEST_CASE("seals of the reference's data are the reference's files", "[cli][porep]") {
  if (!shared_present("golden/reference/seal")) return;
  const auto golden = [](const char* name) {
    return read_text(shared_dir() / "golden/reference/seal" / name);
  };
  const TemporaryFolder at;
  write_text(at / "b.data", data_of_b());
  const auto seal = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"porep", "seal"});
    const Outcome outcome = at.run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
  };
  seal({at / "a.json", "--sector-size", "2KiB"});
  CHECK(read_text(at / "a.json") == golden("A.c1.json"));
  seal({at / "a.bin", "--proof", "StackedDrg2KiBV1_1"});
  CHECK(read_text(at / "a.bin") == golden("A.c1.bin"));
  seal({at / "b.json", "--sector-size", "2KiB", "--data", at / "b.data"});
  CHECK(read_text(at / "b.json") == golden("B.c1.json"));
  seal({at / "b.bin", "--form", "bincode", "--sector-size", "2KiB", "--data", at / "b.data"});
  CHECK(read_text(at / "b.bin") == golden("B.c1.bin"));
  seal({at / "ni.bin", "--proof", "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep", "--data",
        at / "b.data"});
  CHECK(read_text(at / "ni.bin") == golden("ni.c1.bin"));
  seal({at / "wrapped", "--form", "wrapper", "--sector-size", "2KiB"});
  const auto wrapped = read(at / "wrapped");
  CHECK(wrapped.form == zkgpu::porep::C1Form::wrapper);
  CHECK(wrapped.output == read(at / "a.bin").output);
  CHECK(wrapped.sector_number == 1);
}

TEST_CASE("what a seal claims is written beside it and depends on its options", "[cli][porep]") {
  const TemporaryFolder at;
  const std::string other(64, 'a');
  const Outcome outcome =
      at.run({"porep", "seal", at / "c1.bin", "--sector-size", "2KiB", "--statement",
              at / "statement.json", "--miner", "5", "--sector", "18446744073709551615", "--ticket",
              other, "--seed", other, "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const auto result = nlohmann::json::parse(outcome.out);
  const auto claim = nlohmann::json::parse(read_text(at / "statement.json"));
  CHECK(claim["registered_proof"] == "StackedDrg2KiBV1_1");
  CHECK(claim["prover_id"] == "05" + std::string(62, '0'));
  CHECK(claim["sector_number"] == 18446744073709551615u);
  CHECK(claim["ticket"] == other);
  CHECK(claim["seed"] == other);
  CHECK(claim["comm_d"] == result["comm_d"]);
  CHECK(claim["comm_r"] == result["comm_r"]);
  CHECK(result["partitions"] == 1);
  CHECK(result["comm_d"] ==
        "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");  // of zeros
}

TEST_CASE("sectors of other sizes are sealed, and large ones invented", "[cli][porep]") {
  const TemporaryFolder at;
  for (const char* size : {"4KiB", "16KiB", "32KiB"}) {
    REQUIRE(at.run({"porep", "seal", at / "c1.bin", "--sector-size", size}).status == 0);
    CHECK(read(at / "c1.bin").shape.name == size);
  }
  REQUIRE(at.run({"porep", "seal", at / "c1.bin", "--sector-size", "8MiB", "--synthetic"}).status ==
          0);
  CHECK(read(at / "c1.bin").shape.name == "8MiB");  // a C1 file may be replaced, a key not
  const Outcome outcome = at.run({"porep", "seal", at / "c1.bin", "--sector-size", "32GiB"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("--synthetic") != std::string::npos);
}

TEST_CASE("seals that cannot be are refused in words, and leave no file", "[cli][porep]") {
  const TemporaryFolder at;
  write_text(at / "large", std::string(2033, 'x'));
  write_text(at / "data", "x");
  const auto refused = [&](std::vector<std::string> arguments, int status, const char* words) {
    arguments.insert(arguments.begin(), {"porep", "seal"});
    const Outcome outcome = at.run(arguments);
    CAPTURE(words, outcome.err);
    CHECK(outcome.status == status);
    CHECK(is_one_error_line(outcome.err, status));
    CHECK(outcome.err.find(words) != std::string::npos);
  };
  const std::string out = at / "c1.json";
  refused({out}, 2, "--sector-size or --proof");
  refused({out, "--sector-size", "3KiB"}, 2, "no sector size '3KiB'");
  refused({out, "--proof", "StackedDrg3KiBV1"}, 2, "'StackedDrg3KiBV1'");
  refused({out, "--proof", "StackedDrg2KiBV1", "--sector-size", "2KiB"}, 2, "excludes");
  refused({out, "--sector-size", "4KiB"}, 2, "bincode only");
  refused({at / "c1.bin", "--sector-size", "4KiB", "--statement", at / "s"}, 2, "bincode only");
  refused({out, "--sector-size", "2KiB", "--porep-id", std::string(64, '0')}, 2, "bincode only");
  refused({out, "--sector-size", "2KiB", "--seed", "02"}, 2, "--seed: not 64");
  refused({out, "--sector-size", "2KiB", "--ticket", std::string(64, 'G')}, 2, "--ticket: not 64");
  refused({out, "--sector-size", "2KiB", "--form", "xml"}, 2, "no form 'xml'");
  refused({out, "--sector-size", "2KiB", "--miner", "-1"}, 2, "whole number");
  refused({out, "--sector-size", "2KiB", "--data", at / "large"}, 2, "room for 2032");
  refused({out, "--sector-size", "2KiB", "--data", at / "none"}, 9, "none");
  refused({at / "data", "--sector-size", "2KiB", "--data", at / "data"}, 2, "data");
  refused({at / "no/c1.json", "--sector-size", "2KiB"}, 9, "c1.json");
  CHECK(at.files() == std::vector<std::string>{"data", "large"});
}
