// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "program.hpp"

using namespace zkgpu::test;

namespace {

const std::string clear_line = "\r\033[K";

std::vector<std::string> long_command(const TemporaryFolder& at) {
  return {"setup", at / "circuit.r1cs", at / "circuit.zkey", "--threads", "1"};
}

/// The percentages that the bar of a task showed, in their order.
std::vector<int> percents_of(const std::string& shown, const std::string& task) {
  std::vector<int> percents;
  const std::string start = clear_line + task;
  for (std::size_t at = shown.find(start); at != std::string::npos;
       at = shown.find(start, at + 1)) {
    const std::size_t end = shown.find(clear_line, at + 1);
    const std::size_t percent = shown.find(" %", at);
    if (percent < end) percents.push_back(std::stoi(shown.substr(percent - 3, 3)));
  }
  return percents;
}

}  // namespace

TEST_CASE("on a terminal long work shows a bar, and leaves nothing of it", "[cli]") {
  const TemporaryFolder at;
  REQUIRE(at.run({"example", "chain", "--log-constraints", "19", at.path()}).status == 0);
  RunOptions terminal;
  terminal.terminal = true;
  terminal.signal_number = SIGINT;   // the beginning is enough
  terminal.signal_on_text = " %  ";  // of the key: reading the circuit shows none
  const Outcome shown = at.run(long_command(at), terminal);
  INFO(shown.err);
  CHECK(shown.err.find(clear_line + "make the key") != std::string::npos);
  CHECK(shown.err.find(" %  ") != std::string::npos);
  // The bar is gone before the message.
  CHECK(shown.err.find(clear_line + "zkgpu: error: Cancelled: ") != std::string::npos);
  CHECK(shown.status == 10);
}

TEST_CASE("the bar of a proof counts up to its end", "[cli][slow]") {
  const OwnCircuit own("chain", 18);
  RunOptions terminal;
  terminal.terminal = true;
  const Outcome shown = own.run({"prove", own / "circuit.zkey", own / "witness.wtns",
                                 own / "p.json", own / "u.json", "--threads", "1"},
                                terminal);
  REQUIRE(shown.status == 0);
  INFO(shown.err);
  const std::vector<int> percents = percents_of(shown.err, "prove");
  CHECK(std::is_sorted(percents.begin(), percents.end()));
  REQUIRE(percents.size() > 3);
  CHECK(percents.back() > 50);
  CHECK(percents.back() <= 100);
  CHECK(shown.err.ends_with(clear_line));
}

TEST_CASE("the bar of a key's first load counts up too", "[cli][slow]") {
  const OwnCircuit own("chain", 16);
  RunOptions terminal;
  terminal.terminal = true;
  const Outcome shown =
      own.run({"info", own / "circuit.zkey", "--checked-keys", "none", "--threads", "1"}, terminal);
  REQUIRE(shown.status == 0);
  INFO(shown.err);
  const std::vector<int> percents = percents_of(shown.err, "check points");
  CHECK(percents.size() > 1);
  CHECK(std::is_sorted(percents.begin(), percents.end()));
}

TEST_CASE("short work, a pipe and --json show no bar", "[cli]") {
  const OwnCircuit own("chain", 7);
  RunOptions terminal;
  terminal.terminal = true;
  const std::vector<std::string> verify{"verify", own / "circuit.zkey", own / "public.json",
                                        own / "proof.json"};
  CHECK(own.run(verify, terminal).err.find('\033') == std::string::npos);
  const TemporaryFolder at;
  REQUIRE(at.run({"example", "chain", "--log-constraints", "14", at.path()}).status == 0);
  CHECK(at.run(long_command(at)).err.find('\033') == std::string::npos);
  auto json = long_command(at);
  json.emplace_back("--json");
  CHECK(at.run(json, terminal).err.find('\033') == std::string::npos);
}

TEST_CASE("the option -v tells the steps and their times, and changes no output", "[cli]") {
  const OwnCircuit own("chain", 7);
  const Outcome outcome = own.run(
      {"prove", own / "circuit.zkey", own / "witness.wtns", own / "p.json", own / "u.json", "-v"});
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
  for (const char* step :
       {"read witness", "load key", "prove", "quotient", "msm_h", "msm_b_g2", "self_check"}) {
    CHECK(outcome.err.find(step) != std::string::npos);
  }
}
