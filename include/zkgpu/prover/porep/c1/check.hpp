// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <zkgpu/prover/porep/statement/public_inputs.hpp>
#include <zkgpu/prover/porep/vanilla_proof.hpp>

/// Whether the output of commit phase 1 proves what it says: everything that the circuit would
/// find, in a fraction of a second, and with a name for the place.
///
/// They throw Malformed naming partition, challenge and path or label. Of several mistakes one is
/// named: commitments come first, then challenge by challenge what each says, at last what follows
/// from all of them.
namespace zkgpu::porep {

/// What holds whoever made it:
/// - counts, arities and indices are those of the sector size; nodes are below the modulus;
/// - comm_d, comm_r and seed are not zero; comm_r is the hash of comm_c and comm_r_last, and all
///   proofs are about the same trees;
/// - leaves and siblings hash up to the roots, at the place of their node; leaves of tree C are
///   hashes of their columns, the leaf of tree R is the encoded leaf of tree D;
/// - labels of challenged nodes hash what the columns of their parents say.
/// @cost  32 GiB, 180 challenges: 30,000 Poseidon hashes of arity 8 on all cores
void check(const Phase1Output& output, const SectorShape& shape);

/// The same, and what a verifier derives: there are as many partitions as the configuration has,
/// the challenged nodes are those of replica id, comm_r and seed, their parents are those of the
/// graph.
void check(const Phase1Output& output, const SealConfig& config);

/// That the replica belongs to this sector: prover, number, ticket, data and configuration make its
/// replica id.
void check_sector(const Phase1Output& output, const SealConfig& config, const SectorId& sector);

}  // namespace zkgpu::porep
