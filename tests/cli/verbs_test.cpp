// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;
namespace fs = std::filesystem;

namespace {

nlohmann::json info_of(const TemporaryFolder& at, const std::string& file) {
  const Outcome outcome = at.run({"info", file, "--json"});
  INFO(file << ": " << outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

/// A copy of the circuit's witness whose value `index` is one larger, as far as its lowest byte
/// goes.
void write_false_witness(const OwnCircuit& own, std::size_t index) {
  std::string bytes = read_text(own / "witness.wtns");
  constexpr std::size_t first_value = 12 + 12 + 40 + 12;  // file, section, header, section
  char& lowest = bytes.at(first_value + 32 * index);
  lowest = static_cast<char>(lowest ^ 1);
  write_text(own / "false.wtns", bytes);
}

}  // namespace

TEST_CASE("own circuits of both kinds go from nothing to a verified proof", "[cli]") {
  for (const char* kind : {"chain", "bits"}) {
    const OwnCircuit own(kind, 9);
    CHECK(own.run({"check", own / "circuit.r1cs", own / "witness.wtns"})
              .out.starts_with("satisfied: "));
    const Outcome verified =
        own.run({"verify", own / "verification_key.json", own / "public.json", own / "proof.json"});
    CHECK(verified.out == "valid\n");
    CHECK(info_of(own, own / "circuit.zkey")["domain"] == 512);
  }
}

TEST_CASE("the secret of setup is announced loudly", "[cli]") {
  const OwnCircuit own;
  const Outcome outcome = own.run({"setup", own / "circuit.r1cs", own / "other.zkey"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("WARNING: this process knows the secret") != std::string::npos);
  CHECK(read_text(own / "other.zkey") != read_text(own / "circuit.zkey"));
  CHECK(own.run({"setup", own / "circuit.r1cs", own / "other.key"}).status == 2);
}

TEST_CASE("a key of bellman's form proves with its circuit, and not without", "[cli]") {
  const OwnCircuit own;
  const auto prove = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"prove", own / "circuit.params", own / "witness.wtns",
                                       own / "proof.bin", own / "public.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return own.run(arguments);
  };
  REQUIRE(own.run({"setup", own / "circuit.r1cs", own / "circuit.params"}).status == 0);
  CHECK(prove({}).status == 2);
  const Outcome proved = prove({"--r1cs", own / "circuit.r1cs"});
  INFO(proved.err);
  REQUIRE(proved.status == 0);
  CHECK(fs::file_size(own / "proof.bin") == 192);
  REQUIRE(own.run({"export", "vk", own / "circuit.params", own / "circuit.vk"}).status == 0);
  for (const char* key : {"circuit.params", "circuit.vk"}) {
    CHECK(own.run({"verify", own / key, own / "public.json", own / "proof.bin"}).out == "valid\n");
  }
  CHECK(own.run({"verify", own / "circuit.zkey", own / "public.json", own / "proof.bin"}).status ==
        1);  // another key
}

TEST_CASE("check names the first violated constraint and its three values", "[cli]") {
  const OwnCircuit own;
  write_false_witness(own, 3);  // x, the start of the chain: 3 becomes 2, so x*x is 4, not 9
  const Outcome outcome = own.run({"check", own / "circuit.r1cs", own / "false.wtns"});
  CHECK(outcome.status == 5);
  CHECK(outcome.err ==
        "zkgpu: error: WitnessUnsatisfied: constraint 0 (counted from 0, of 124) does not hold: "
        "a = 2, b = 2, c = 9, but a*b = 4\n");
  const Outcome json = own.run({"check", own / "circuit.r1cs", own / "false.wtns", "--json"});
  CHECK(json.status == 5);
  CHECK(json.err.empty());  // one object, on one stream
  const auto result = nlohmann::json::parse(json.out);
  CHECK(result["satisfied"] == false);
  CHECK(result["violated"] ==
        nlohmann::json({{"constraint", 0}, {"a", "2"}, {"b", "2"}, {"c", "9"}}));
  CHECK(result["error"]["kind"] == "WitnessUnsatisfied");
  CHECK(result["error"]["exit"] == 5);
  CHECK("zkgpu: error: WitnessUnsatisfied: " + result["error"]["message"].get<std::string>() +
            "\n" ==
        outcome.err);
}

TEST_CASE("a false witness gives no proof, and its values are not told", "[cli]") {
  const OwnCircuit own;
  write_false_witness(own, 3);
  const std::vector<std::string> prove{"prove", own / "circuit.zkey", own / "false.wtns",
                                       own / "p.json", own / "u.json"};
  const auto before = own.files();
  CHECK(own.run(prove).status == 8);
  auto with_circuit = prove;
  with_circuit.insert(with_circuit.end(), {"--r1cs", own / "circuit.r1cs"});
  const Outcome outcome = own.run(with_circuit);
  CHECK(outcome.status == 5);
  CHECK(outcome.err.find("constraint 0 ") != std::string::npos);
  CHECK(outcome.err.find("= 2") == std::string::npos);
  CHECK(own.files() == before);
}

TEST_CASE("a well-formed proof of another statement is invalid, with status 1", "[cli]") {
  const OwnCircuit own;
  std::string values = read_text(own / "public.json");
  const std::size_t digit = values.rfind('"') - 1;
  values[digit] = values[digit] == '1' ? '2' : '1';
  write_text(own / "false.json", values);
  const Outcome outcome =
      own.run({"verify", own / "circuit.zkey", own / "false.json", own / "proof.json"});
  CHECK(outcome.status == 1);
  CHECK(outcome.out == "invalid\n");
  CHECK(outcome.err.empty());
  const Outcome json =
      own.run({"verify", own / "circuit.zkey", own / "false.json", own / "proof.json", "--json"});
  CHECK(json.status == 1);
  CHECK(nlohmann::json::parse(json.out)["valid"] == false);
}

TEST_CASE("a wrong count of public values is an InvalidArgument", "[cli]") {
  const OwnCircuit own;
  for (const char* values : {"[]", "[\"1\"]", "[\"1\",\"2\",\"3\"]"}) {
    write_text(own / "values.json", values);
    const Outcome outcome =
        own.run({"verify", own / "circuit.zkey", own / "values.json", own / "proof.json"});
    CHECK(outcome.status == 2);
    CHECK(is_one_error_line(outcome.err, 2));
  }
}

TEST_CASE("no proof or verifying key takes the place of a proving key", "[cli]") {
  const OwnCircuit own;
  const std::string key = read_text(own / "circuit.zkey");
  write_text(own / "other.zkey", key);
  const Outcome proof = own.run({"prove", own / "circuit.zkey", own / "witness.wtns",
                                 own / "other.zkey", own / "public.json"});
  CHECK(proof.status == 2);
  CHECK(own.run({"export", "vk", own / "circuit.zkey", own / "other.zkey"}).status == 2);
  CHECK(own.run({"export", "vk", own / "circuit.zkey", "/dev/stdout"}).status == 9);
  CHECK(read_text(own / "other.zkey") == key);
}

TEST_CASE("info knows every kind of file", "[cli]") {
  const OwnCircuit own;
  REQUIRE(own.run({"setup", own / "circuit.r1cs", own / "circuit.params"}).status == 0);
  REQUIRE(own.run({"export", "vk", own / "circuit.params", own / "circuit.vk"}).status == 0);
  REQUIRE(own.run({"convert", own / "proof.json", own / "proof.bin"}).status == 0);
  const auto expect = [&](const char* file, const char* key, const nlohmann::json& value) {
    INFO(file << " " << key);
    const auto info = info_of(own, own / file);
    CHECK(info[key] == value);
    const Outcome text = own.run({"info", own / file});
    CHECK(text.status == 0);
    CHECK(text.out.starts_with(own / file + ": " + info["kind"].get<std::string>() + "\n"));
  };
  expect("circuit.r1cs", "constraints", 124);
  expect("circuit.r1cs", "wires", 127);
  expect("circuit.r1cs", "public_outputs", 1);
  expect("circuit.r1cs", "public_inputs", 1);
  expect("witness.wtns", "values", 127);
  expect("circuit.zkey", "wires", 127);
  expect("circuit.zkey", "public_values", 2);
  expect("circuit.zkey", "secure", true);
  expect("circuit.params", "domain", 128);
  expect("circuit.params", "layout", "points at infinity left out");
  expect("circuit.vk", "public_values", 2);
  expect("verification_key.json", "public_values", 2);
  expect("public.json", "values", 2);
  expect("proof.json", "kind", "a proof (JSON)");
  expect("proof.bin", "proofs", 1);
  for (const char* text : {"", "zkez", "{}", "[1,", "nothing that anyone would call a key"}) {
    write_text(own / "strange", text);
    CHECK(own.run({"info", own / "strange"}).status == 3);
  }
}

TEST_CASE("info shows the contributions of a ceremony", "[cli]") {
  if (!shared_present("fixtures/snarkjs/mult-beacon")) return;
  const TemporaryFolder at;
  const auto info = info_of(at, shared_dir() / "fixtures/snarkjs/mult-beacon/circuit.zkey");
  const auto& contributions = info["ceremony"]["contributions"];
  REQUIRE(contributions.size() == 3);
  CHECK(contributions[1]["name"] == "second");
  CHECK(contributions[2]["type"] == "beacon");
  CHECK(contributions[2]["log_iterations"] == 10);
  CHECK(contributions[2]["beacon"].get<std::string>().starts_with("010203"));
  const std::string note = "contributions are listed as the file tells, not verified";
  CHECK(info["ceremony"]["verification"].get<std::string>().find(note) != std::string::npos);
  CHECK(
      at.run({"info", shared_dir() / "fixtures/snarkjs/mult-beacon/circuit.zkey"}).out.find(note) !=
      std::string::npos);
}

TEST_CASE("a key is checked once, and then known by its digest", "[cli]") {
  const OwnCircuit own;
  const std::string list = own / "list/checked-keys";
  const auto listed = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"info", file, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = own.run(arguments);
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.out)["points_checked"] != "now";
  };
  const std::vector<std::string> with_list{"--checked-keys", list};
  CHECK(!listed(own / "circuit.zkey", with_list));
  CHECK(listed(own / "circuit.zkey", with_list));
  CHECK(!listed(own / "circuit.zkey", {"--checked-keys", "none"}));
  CHECK(listed(own / "circuit.zkey", {}));  // the default list: the proof of OwnCircuit made it
  CHECK(fs::exists(own / "home/state/zkgpu/checked-keys"));
  CHECK((fs::status(list).permissions() & fs::perms::others_all) == fs::perms::none);
  // The last byte of the key: another point, another digest, and the point is looked at.
  std::string bytes = read_text(own / "circuit.zkey");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_text(own / "changed.zkey", bytes);
  CHECK(own.run({"info", own / "changed.zkey", "--checked-keys", list}).status == 3);
  // A list that others may write is not believed, and said to be so.
  fs::permissions(list, fs::perms::others_write, fs::perm_options::add);
  const Outcome warned = own.run({"info", own / "circuit.zkey", "--checked-keys", list});
  CHECK(warned.status == 0);
  CHECK(warned.err.find("zkgpu: warning: ") == 0);
}

TEST_CASE("convert goes there and back", "[cli]") {
  const OwnCircuit own;
  const auto convert = [&](const std::string& in, const std::string& out) {
    const Outcome outcome = own.run({"convert", in, out});
    INFO(in << " -> " << out << ": " << outcome.err);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.empty());
    return outcome.status;
  };
  CHECK(convert(own / "proof.json", own / "p.bin") == 0);
  CHECK(convert(own / "p.bin", own / "p.json") == 0);
  CHECK(read_text(own / "p.json") == read_text(own / "proof.json"));
  CHECK(convert(own / "circuit.zkey", own / "vk.json") == 0);
  CHECK(read_text(own / "vk.json") == read_text(own / "verification_key.json"));
  CHECK(convert(own / "circuit.zkey", own / "c.vk") == 0);
  CHECK(convert(own / "c.vk", own / "vk.json") == 0);
  CHECK(read_text(own / "vk.json") == read_text(own / "verification_key.json"));
  for (const auto& [file, copy] : {std::pair{"circuit.r1cs", "copy.r1cs"},
                                   {"witness.wtns", "copy.wtns"},
                                   {"circuit.zkey", "copy.zkey"},
                                   {"public.json", "copy.json"}}) {
    CHECK(convert(own / file, own / copy) == 0);
    CHECK(read_text(own / copy) == read_text(own / file));
  }
}

TEST_CASE("a conversion that makes no sense is refused with the reason", "[cli]") {
  const OwnCircuit own;
  const auto before = own.files();
  for (const auto& [in, out] : {std::pair{"circuit.zkey", "out.params"},
                                {"circuit.zkey", "out.r1cs"},
                                {"verification_key.json", "out.vk"},
                                {"verification_key.json", "out.bin"},
                                {"proof.json", "out.vk"},
                                {"circuit.r1cs", "out.wtns"},
                                {"witness.wtns", "out.json"},
                                {"public.json", "out.bin"}}) {
    const Outcome outcome = own.run({"convert", own / in, own / out});
    INFO(in << " -> " << out << ": " << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(is_one_error_line(outcome.err, 2));
    CHECK(own.files() == before);
  }
}

TEST_CASE("files of snarkjs come back byte for byte", "[cli][agreement]") {
  if (!shared_present("fixtures/snarkjs")) return;
  const TemporaryFolder out;
  for (const char* name :
       {"mult", "mult-beacon", "nopub", "manypub", "unused", "bits", "chain10"}) {
    for (const char* file : {"circuit.r1cs", "witness.wtns", "circuit.zkey"}) {
      const auto original = shared_dir() / "fixtures/snarkjs" / name / file;
      const std::string copy = out / file;
      INFO(original);
      CHECK(out.run({"convert", original, copy}).status == 0);
      CHECK(read_text(copy) == read_text(original));
    }
  }
}

TEST_CASE("the option --threads changes no result", "[cli][agreement]") {
  const OwnCircuit own("chain", 10);
  std::string first;
  for (const char* threads : {"1", "2", "5"}) {
    REQUIRE(
        own.run({"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json",
                 own / "u.json", "--insecure-r", "5", "--insecure-s", "7", "--threads", threads})
            .status == 0);
    if (first.empty()) first = read_text(own / "p.json");
    CHECK(read_text(own / "p.json") == first);
  }
}

TEST_CASE("a proof on the CPU can be asked for, and a device that is not there is named",
          "[cli][edge]") {
  const OwnCircuit own("chain", 8);
  const auto prove_on = [&](const std::string& device) {
    return own.run({"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json",
                    own / "u.json", "--device=" + device});
  };
  CHECK(prove_on("cpu").status == 0);
  CHECK(prove_on("auto").status == 0);
  std::filesystem::remove(own / "p.json");
  const auto outcome = prove_on("no such device");
  // 2 on a machine that has GPUs of other names
  CHECK((outcome.status == 7 || outcome.status == 2));
  CHECK_FALSE(outcome.err.empty());
  CHECK_FALSE(std::filesystem::exists(own / "p.json"));
  CHECK(prove_on("").status == 2);
}
