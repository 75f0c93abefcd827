// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/prover/io/r1cs_digest.hpp>
#include <zkgpu/prover/porep/circuit/stacked_drg.hpp>

#include "porep/commands/commands.hpp"

namespace zkgpu::cli {

namespace {

using porep::Fr;
using porep::SectorShape;
using porep::StackedDrgCircuit;
using Checkpoint = std::pair<std::string, std::uint64_t>;  // after what, constraints so far

/// The digest of a circuit, which moves a progress bar.
class WatchedDigest : public io::R1csDigest<Fr> {
 public:
  WatchedDigest(std::vector<std::uint64_t> stops, ProgressObserver& observer)
      : R1csDigest(std::move(stops)), observer_(observer) {}
  void enforce(const LinearCombination<Fr>& a, const LinearCombination<Fr>& b,
               const LinearCombination<Fr>& c) {
    R1csDigest::enforce(a, b, c);
    constexpr std::uint64_t step = 1 << 16;
    if (++count_ % step == 0) observer_.advance(step);
  }

 private:
  ProgressObserver& observer_;
  std::uint64_t count_ = 0;
};

/// Constraints of a partition of so many challenges.
std::uint64_t constraints_of(SectorShape shape, unsigned challenges) {
  shape.challenges = challenges;
  io::R1csDigest<Fr> digest;
  StackedDrgCircuit{.shape = shape}.synthesize(digest);
  return digest.summary().constraints;
}

/// The commitments, then every challenge.
std::vector<Checkpoint> checkpoints_of(const SectorShape& shape, std::uint64_t commitments,
                                       std::uint64_t challenge) {
  std::vector<Checkpoint> all{{"comm_r", commitments}};
  for (unsigned i = 0; i < shape.challenges; ++i) {
    all.emplace_back("challenge_" + std::to_string(i), commitments + (i + 1) * challenge);
  }
  return all;
}

Json facts_of(const io::R1csSummary& rows, const io::R1csSummary& with_inputs) {
  return {{"inputs", rows.inputs},
          {"aux", rows.auxiliary},
          {"constraints", rows.constraints},
          {"constraints-with-inputs", with_inputs.constraints},
          {"nnz-a", with_inputs.entries[0]},
          {"nnz-b", with_inputs.entries[1]},
          {"nnz-c", with_inputs.entries[2]},
          {"a-aux-density", with_inputs.a_auxiliary_density},
          {"b-input-density", with_inputs.b_input_density},
          {"b-aux-density", with_inputs.b_auxiliary_density},
          {"digest", io::to_hex(rows.digest)},
          {"digest-with-inputs", io::to_hex(with_inputs.digest)}};
}

}  // namespace

int porep_digest(Session& session, const PorepDigestOptions& options) {
  const SectorShape& shape = porep::shape_of_name(options.sector_size);
  const std::uint64_t commitments = constraints_of(shape, 0);
  const std::uint64_t challenge = constraints_of(shape, 1) - commitments;
  const std::vector<Checkpoint> wanted = checkpoints_of(shape, commitments, challenge);
  std::vector<std::uint64_t> stops;
  if (options.checkpoints) {
    for (const auto& [name, constraints] : wanted) stops.push_back(constraints);
  }
  WatchedDigest digest(std::move(stops), session.progress());
  session.timed("digest", [&] {
    session.progress().begin("digest", wanted.back().second);
    StackedDrgCircuit{.shape = shape}.synthesize(digest);
  });
  const io::R1csSummary rows = digest.summary();
  digest.append_input_rows();
  const Json facts = facts_of(rows, digest.summary());
  std::string text;
  for (const auto& [name, value] : facts.items()) {
    text += name + " " + (value.is_string() ? value.get<std::string>() : value.dump()) + "\n";
  }
  Json object = {{"command", "porep digest"}, {"sector_size", shape.name}};
  object.update(facts);
  std::size_t at = 0;
  for (const io::R1csCheckpoint& point : digest.checkpoints()) {
    const std::string hex = io::to_hex(point.digest);
    text += fmt::format("checkpoint {} {} {} {} {}\n", wanted[at].first, point.inputs,
                        point.auxiliary, point.constraints, hex);
    object["checkpoints"].push_back({{"after", wanted[at++].first},
                                     {"inputs", point.inputs},
                                     {"aux", point.auxiliary},
                                     {"constraints", point.constraints},
                                     {"digest", hex}});
  }
  session.finish(text, object);
  return exit_success;
}

}  // namespace zkgpu::cli
