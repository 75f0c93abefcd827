// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/prover/prover.hpp>

#include "commands/commands.hpp"

/// Proofs on the CPU or a GPU, with bar and times.
namespace zkgpu::cli {

/// What is proven, with which key.
struct ProofWork {
  const ProvingKey<Curve>& key;
  const R1cs<Curve::Fr>* r1cs = nullptr;
  const Blinding<Curve::Fr>* blinding = nullptr;  ///< for tests only
  std::span<WitnessSource<Curve::Fr>* const> sources;
  /// Instead of r1cs, where the sources make rows: the CPU then needs no matrices; a GPU has them
  /// made.
  const R1csShape* shape = nullptr;
  std::function<R1cs<Curve::Fr>()> make_r1cs{};
};

/// One proof a source, in their order; all of one job. Each is verified.
/// @param device  "cpu"; "auto": a GPU for circuits from 2^18 on, else and where it fails the CPU;
///                or a GPU's number, name or UUID
/// @throws what the first proof that failed failed with, naming it if there are several
[[nodiscard]] std::vector<Proof<Curve>> make_proofs(Session& session, const std::string& device,
                                                    const ProofWork& work);

/// The scalars of the options `--insecure-r` and `--insecure-s`, with a loud warning; null without.
/// On the heap: a Blinding is not copied and not moved.
/// @throws InvalidArgument
[[nodiscard]] std::unique_ptr<const Blinding<Curve::Fr>> chosen_blinding(
    Session& session, const std::optional<ChosenBlinding>& chosen);

/// A decimal number below the order. @throws InvalidArgument naming the option
[[nodiscard]] Curve::Fr parse_scalar(const std::string& text, const char* option);

}  // namespace zkgpu::cli
