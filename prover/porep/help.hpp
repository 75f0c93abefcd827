// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string_view>

/// The texts of `zkgpu porep VERB --help`.
namespace zkgpu::cli::help {

inline constexpr std::string_view porep =
    "Filecoin's proofs of replication: digest, seal, setup, "
    "c2, verify, export";

inline constexpr std::string_view porep_digest =
    R"(Tells counts, densities and the digest of a circuit of one partition.

The digest is SHA-256 over all constraints: equal digests, equal circuits. A partition of
32 GiB has 130 million constraints; they are hashed as they are made, and none is kept.)";

inline constexpr std::string_view porep_seal =
    R"(Seals a sector, and writes what commit phase 1 gives: a C1 file for tests.

OUT  written: JSON if the name ends in .json, else bincode; --form says otherwise

Sectors up to 1 GiB are really sealed. With --synthetic an output of any size is invented:
consistent, so that the circuit holds and proofs are valid, but of no stored data.)";

inline constexpr std::string_view porep_setup =
    R"(Makes parameters for a circuit, all alone.

FOLDER  gets the .params, .vk and .meta files under the network's names

INSECURE for others: this process knows the secret behind the key. The network accepts
proofs of its own parameters only, which come from its ceremony.)";

inline constexpr std::string_view porep_c2 =
    R"(Proves a sector (commit phase 2): C1 in, proof out.

C1, the output of commit phase 1, may be JSON, that JSON in base64 (lotus-bench), or
bincode: the content tells. The proof has 192 bytes a partition. All partitions are
verified before anything is written.)";

inline constexpr std::string_view porep_c2_footer = R"(
Examples:
  zkgpu porep c2 --c1 c1.json --params /var/tmp/filecoin-proof-parameters -o proof.bin
  zkgpu porep c2 --c1 c1.bin --proof StackedDrg32GiBV1_1 --params my.params -o proof.bin

--params and --vk take a file, or a folder where the files have the network's names. Without
--params: $FIL_PROOFS_PARAMETER_CACHE, else /var/tmp/filecoin-proof-parameters.
)";

inline constexpr std::string_view porep_verify =
    R"(Verifies a seal. Says "valid" (status 0) or "invalid" (status 1).

The statement is a JSON object: registered_proof (a name), prover_id, ticket, seed, comm_d,
comm_r (64 hexadecimal digits each), sector_number. Replica id, challenges, their parents
and all public inputs are computed from it.)";

inline constexpr std::string_view porep_export =
    R"(Writes a seal as snarkjs wants it, so that verifiers who know no sectors can judge it.

FOLDER  gets verification_key.json, and proof-K.json and public-K.json of each partition K

The public inputs are computed from the statement, as `porep verify` does; whether the
proofs are valid is not asked: `snarkjs groth16 verify` or `zkgpu verify` tell.)";

}  // namespace zkgpu::cli::help
