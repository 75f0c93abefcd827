// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

namespace {

const std::vector<std::string> verbs{
    "prove",     "verify",   "setup",        "check",      "info",        "convert",     "example",
    "export vk", "porep c2", "porep digest", "porep seal", "porep setup", "porep verify"};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

}  // namespace

TEST_CASE("a wrong command line is one line with status 2 that names the help", "[cli]") {
  const TemporaryFolder at;
  for (const char* line : {"",
                           "frob",
                           "--frob",
                           "prove",
                           "prove a b c",
                           "prove a b c d e",
                           "prove a b c d --frob",
                           "verify a b",
                           "export",
                           "export key a b",
                           "info a --threads",
                           "info a --threads 0",
                           "info a --threads -1",
                           "info a --threads x",
                           "info a --threads 5000",
                           "prove a b c d --insecure-r 5",
                           "prove a b c d --insecure-s 5",
                           "groth16 frob",
                           "example chain out",
                           "example frob --log-constraints 7 out",
                           "example chain --log-constraints 6 out",
                           "example chain --log-constraints 25 out",
                           "example chain --log-constraints 4294967303 out"}) {
    const Outcome outcome = at.run(words(line));
    INFO(line << ": " << outcome.err);
    CHECK(outcome.status == 2);
    CHECK(is_one_error_line(outcome.err, 2));
    CHECK(outcome.err.find("--help') ") == std::string::npos);
    CHECK(outcome.err.find("(see 'zkgpu") != std::string::npos);
    CHECK(outcome.out.empty());
  }
  CHECK(at.run({"info", ""}).status == 2);
  CHECK(at.files().empty());
}

TEST_CASE("r and s are canonical decimal numbers below the order", "[cli]") {
  const OwnCircuit own;
  const std::string order =
      "52435875175126190479447740508185965837690552500527637822603658699938581184513";
  for (const std::string& bad :
       {std::string("-1"), std::string("+1"), std::string("01"), std::string("0x5"),
        std::string("five"), std::string(" 5"), order, std::string(100'000, '9')}) {
    for (const bool in_r : {true, false}) {
      const Outcome outcome = own.run(
          {"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json", own / "u.json",
           "--insecure-r=" + (in_r ? bad : "5"), "--insecure-s=" + (in_r ? "5" : bad)});
      INFO(outcome.err.substr(0, 300));
      CHECK(outcome.status == 2);
      CHECK(outcome.err.find(in_r ? "--insecure-r" : "--insecure-s") != std::string::npos);
    }
  }
}

TEST_CASE("the answer to --help of the program and of every verb tells what to type", "[cli]") {
  const TemporaryFolder at;
  const Outcome all = at.run({"--help"});
  CHECK(all.status == 0);
  CHECK(all.err.empty());
  for (int status : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70}) {
    std::string column = "    " + std::to_string(status) + "  ";
    CHECK(all.out.find(column.substr(column.size() - 6)) != std::string::npos);
  }
  for (const std::string& verb : verbs) {
    CHECK(all.out.find("\n  " + words(verb)[0] + " ") != std::string::npos);
    auto arguments = words(verb);
    arguments.emplace_back("--help");
    const Outcome one = at.run(arguments);
    INFO(verb);
    CHECK(one.status == 0);
    CHECK(one.out.starts_with("usage: zkgpu " + verb + " "));
    CHECK(one.out.find("--json") != std::string::npos);
  }
  for (std::size_t start = 0; start < all.out.size();) {
    const std::size_t end = all.out.find('\n', start);
    CHECK(end - start <= 100);
    start = end + 1;
  }
}

TEST_CASE("the answer to --version is one line with the name and a number", "[cli]") {
  const TemporaryFolder at;
  const Outcome outcome = at.run({"--version"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("zkgpu "));
  CHECK(outcome.out.find('.') != std::string::npos);
  CHECK(outcome.out.find('\n') == outcome.out.size() - 1);
}

TEST_CASE("with --json an error is an object on standard error", "[cli]") {
  const OwnCircuit own;
  write_text(own / "cut.wtns", read_text(own / "witness.wtns").substr(0, 100));
  struct Case {
    std::vector<std::string> arguments;
    std::string kind;
    int status;
  };
  const std::vector<Case> cases{{{"frob"}, "InvalidArgument", 2},
                                {{"check", own / "circuit.r1cs", own / "cut.wtns"}, "Malformed", 3},
                                {{"info", own / "missing"}, "Io", 9}};
  for (const Case& one : cases) {
    auto arguments = one.arguments;
    arguments.emplace_back("--json");
    const Outcome outcome = own.run(arguments);
    CHECK(outcome.status == one.status);
    CHECK(outcome.out.empty());
    const auto error = nlohmann::json::parse(outcome.err)["error"];
    CHECK(error["kind"] == one.kind);
    CHECK(error["exit"] == one.status);
    CHECK(!error["message"].get<std::string>().empty());
    if (one.status == 3) {
      CHECK(error["file"] == own / "cut.wtns");
      CHECK(error["offset"].is_number_unsigned());
    }
  }
}

TEST_CASE("with --json a result is one object with the times of its steps", "[cli]") {
  const OwnCircuit own;
  const std::vector<std::vector<std::string>> commands{
      {"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json", own / "u.json"},
      {"verify", own / "circuit.zkey", own / "public.json", own / "proof.json"},
      {"check", own / "circuit.r1cs", own / "witness.wtns"},
      {"info", own / "circuit.zkey"},
      {"export", "vk", own / "circuit.zkey", own / "vk2.json"},
      {"convert", own / "proof.json", own / "p.bin"},
      {"setup", own / "circuit.r1cs", own / "k2.zkey"},
      {"example", "bits", "--log-constraints", "8", own / "more"}};
  for (const auto& command : commands) {
    auto arguments = command;
    arguments.insert(arguments.begin() + (command[0] == "export" ? 2 : 1), "--json");
    const Outcome outcome = own.run(arguments);
    INFO(command[0] << ": " << outcome.err);
    CHECK(outcome.status == 0);
    const auto result = nlohmann::json::parse(outcome.out);
    CHECK(result["command"].get<std::string>().starts_with(command[0]));
    CHECK(result["seconds"].is_object());
    for (const auto& step : result["seconds"].items()) CHECK(step.key().front() != ' ');
    CHECK(result["seconds"].contains("msm_h") == (command[0] == "prove"));
    CHECK(outcome.err.empty() == (command[0] != "setup"));  // that one is loud in any case
    CHECK(result.contains("warnings") == (command[0] == "setup"));
  }
}

TEST_CASE("the command lines of snarkjs are understood", "[cli]") {
  const OwnCircuit own;
  for (const char* start : {"groth16 prove", "g16p"}) {
    auto arguments = words(start);
    arguments.insert(arguments.end(),
                     {own / "circuit.zkey", own / "witness.wtns", own / "p.json", own / "u.json"});
    CHECK(own.run(arguments).status == 0);
  }
  for (const char* start : {"groth16 verify", "g16v"}) {
    auto arguments = words(start);
    arguments.insert(arguments.end(),
                     {own / "verification_key.json", own / "u.json", own / "p.json"});
    CHECK(own.run(arguments).status == 0);
  }
  for (const char* start : {"wtns check", "wchk"}) {
    auto arguments = words(start);
    arguments.insert(arguments.end(), {own / "circuit.r1cs", own / "witness.wtns"});
    CHECK(own.run(arguments).status == 0);
  }
  for (const char* start : {"r1cs info", "ri", "file info"}) {
    auto arguments = words(start);
    arguments.push_back(own / "circuit.r1cs");
    CHECK(own.run(arguments).status == 0);
  }
  for (const char* start : {"zkey export verificationkey", "zkev"}) {
    auto arguments = words(start);
    arguments.insert(arguments.end(), {own / "circuit.zkey", own / "vk.json"});
    CHECK(own.run(arguments).status == 0);
    CHECK(read_text(own / "vk.json") == read_text(own / "verification_key.json"));
  }
}

TEST_CASE("a file name with control characters stays on one line", "[cli]") {
  const TemporaryFolder at;
  const Outcome outcome = at.run({"info", at / "a\nb\033[2J\r"});
  CHECK(outcome.status == 9);
  CHECK(is_one_error_line(outcome.err, 9));
  CHECK(outcome.err.find('\033') == std::string::npos);
  // U+009B starts an escape sequence too; U+00A0 and above, and a torn pair, are left alone.
  const Outcome wide = at.run({"info", at / "c\u009b2J\u0080-\u00a0\u00e9\xc2"});
  CHECK(is_one_error_line(wide.err, 9));
  CHECK(wide.err.find("/c?2J?-\u00a0\u00e9\xc2: ") != std::string::npos);
  const Outcome json = at.run({"info", at / "a\nb\xff", "--json"});
  CHECK_NOTHROW(nlohmann::json::parse(json.err));
}
