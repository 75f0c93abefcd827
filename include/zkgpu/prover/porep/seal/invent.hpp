// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/porep/statement/public_inputs.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

/// Outputs of commit phase 1 of any size without the sector.
///
/// Nobody can check the labels of nodes that are not challenged: a proof opens them, but not what
/// they were hashed from. Here they are invented (hashes of their place), and so are all siblings
/// that no path explains; labels of challenged nodes, columns, trees and commitments are true. The
/// circuit is satisfied, and a proof from it is an ordinary proof of its statement; but no data of
/// that size was ever stored, so it belongs into tests, demonstrations and measurements.
namespace zkgpu::porep {

/// Makes such an output.
///
/// @param partitions  how many; 0: as many as the configuration has
/// @throws InvalidArgument unless challenges are interactive: the others depend on comm_r, which
///   here depends on the challenges
/// @cost  32 GiB: about 20,000 Poseidon hashes of arity 8, on all cores, and 30 MiB
[[nodiscard]] Phase1Output invent_phase1(const SealConfig& config, const SectorId& sector,
                                         const Node& seed, unsigned partitions = 0);

}  // namespace zkgpu::porep
