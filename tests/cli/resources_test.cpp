// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "program.hpp"
#include "shared.hpp"

using namespace zkgpu::test;

TEST_CASE("however little memory there is, a run ends with a result or ResourceExhausted",
          "[cli][fault]") {
  if (sanitized) return;  // address space says nothing there
  const OwnCircuit own("chain", 10);
  const auto before = own.files();
  int refused = 0;
  int done = 0;
  constexpr int not_started = 127;  // the system's loader had no room for the program itself
  for (rlim_t megabytes = 12; megabytes <= 120; megabytes += 4) {
    RunOptions options;
    options.address_space_bytes = megabytes << 20;
    for (const auto& command : std::vector<std::vector<std::string>>{
             {"prove", own / "circuit.zkey", own / "witness.wtns", own / "proof.json",
              own / "public.json"},
             {"setup", own / "circuit.r1cs", own / "circuit.zkey"},
             {"check", own / "circuit.r1cs", own / "witness.wtns"}}) {
      const Outcome outcome = own.run(command, options);
      INFO(command[0] << " in " << megabytes << " MiB: " << outcome.err);
      CAPTURE(outcome.status, outcome.signal);
      const bool right =
          outcome.status == 0 || outcome.status == 6 || outcome.status == not_started;
      CHECK(right);
      CHECK(own.files() == before);
      refused += outcome.status == 6 ? 1 : 0;
      done += outcome.status == 0 ? 1 : 0;
    }
  }
  CHECK(refused > 0);
  CHECK(done > 0);
}

TEST_CASE("a key whose counts ask for terabytes is refused in a few megabytes", "[cli][mutant]") {
  const OwnCircuit own;
  std::string bytes = read_text(own / "circuit.zkey");
  // Section 2 follows the one-word section 1; behind two primes stand nVars, nPublic, domainSize.
  constexpr std::size_t counts = 12 + 12 + 4 + 12 + 4 + 48 + 4 + 32;
  for (std::size_t i = 0; i < 4; ++i) bytes.at(counts + i) = static_cast<char>(0xff);
  write_text(own / "huge.zkey", bytes);
  RunOptions options;
  options.address_space_bytes = rlim_t{1} << 30;
  const Outcome outcome = own.run({"info", own / "huge.zkey"}, options);
  CHECK(outcome.status == 3);
  CHECK(is_one_error_line(outcome.err, 3));
}
