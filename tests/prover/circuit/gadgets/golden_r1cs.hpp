// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/r1cs_digest.hpp>

#include "support/shared.hpp"

namespace zkgpu::test {

/// What the reference implementation says of one circuit: counts and digests by name, and digests
/// on the way.
struct GoldenR1cs {
  struct Checkpoint {
    std::uint64_t inputs, auxiliary, constraints;
    std::string digest;  ///< 16 hexadecimal digits
  };
  std::map<std::string, std::string> facts;
  std::vector<Checkpoint> checkpoints;

  [[nodiscard]] std::uint64_t number(const std::string& name) const {
    return std::stoull(facts.at(name));
  }
};

inline GoldenR1cs read_golden_r1cs(const std::string& name) {
  std::istringstream lines(read_text(shared_dir() / "golden/reference/r1cs" / (name + ".txt")));
  GoldenR1cs golden;
  bool on_the_way = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "#") {
      on_the_way = true;
    } else if (!on_the_way) {
      words >> golden.facts[first];
    } else {
      GoldenR1cs::Checkpoint at{};
      words >> at.inputs >> at.auxiliary >> at.constraints >> at.digest;
      golden.checkpoints.push_back(at);
    }
  }
  return golden;
}

/// Counts, densities and digests of a circuit against the reference's, with and without input rows.
/// @param synthesize  writes the circuit into an R1csDigest
/// @return how many digests on the way were compared
template <class Synthesize>
std::size_t check_against_reference(const std::string& name, const Synthesize& synthesize) {
  CAPTURE(name);
  const GoldenR1cs golden = read_golden_r1cs(name);
  std::vector<std::uint64_t> stops;
  for (const auto& at : golden.checkpoints) {
    const std::uint64_t last = stops.empty() ? 0 : stops.back();
    if (at.constraints > last) stops.push_back(at.constraints);
  }
  io::R1csDigest<Bls12_381::Fr> cs(stops);
  synthesize(cs);
  const io::R1csSummary without = cs.summary();
  cs.append_input_rows();
  const io::R1csSummary with = cs.summary();
  CHECK(without.inputs == golden.number("inputs"));
  CHECK(without.auxiliary == golden.number("aux"));
  CHECK(without.constraints == golden.number("constraints"));
  CHECK(with.constraints == golden.number("constraints-with-inputs"));
  // Entries are the whole system's, except in the files of gadgets.
  const io::R1csSummary& counted = name.starts_with("gadget-") ? without : with;
  CHECK(counted.entries[0] == golden.number("nnz-a"));
  CHECK(counted.entries[1] == golden.number("nnz-b"));
  CHECK(counted.entries[2] == golden.number("nnz-c"));
  CHECK(with.a_auxiliary_density == golden.number("a-aux-density"));
  CHECK(with.b_input_density == golden.number("b-input-density"));
  CHECK(with.b_auxiliary_density == golden.number("b-aux-density"));
  CHECK(io::to_hex(without.digest) == golden.facts.at("digest"));
  CHECK(io::to_hex(with.digest) == golden.facts.at("digest-with-inputs"));
  std::map<std::uint64_t, io::R1csCheckpoint> ours;
  for (const io::R1csCheckpoint& at : cs.checkpoints()) ours[at.constraints] = at;
  std::size_t compared = 0;
  for (const auto& at : golden.checkpoints) {
    if (at.constraints == 0) continue;
    REQUIRE(ours.count(at.constraints) == 1);
    CHECK(io::to_hex(ours[at.constraints].digest).substr(0, 16) == at.digest);
    // A reference's checkpoint may stand behind allocations that follow the constraint.
    CHECK(ours[at.constraints].auxiliary <= at.auxiliary);
    CHECK(ours[at.constraints].inputs <= at.inputs);
    ++compared;
  }
  return compared;
}

}  // namespace zkgpu::test
