// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <string_view>

/// The texts of --help. Short lines: they are printed as they stand.
namespace zkgpu::cli::help {

inline constexpr std::string_view program =
    "Groth16 proofs over BLS12-381: make keys, prove, verify, look into files.";

inline constexpr std::string_view program_footer = R"(
Examples:
  zkgpu prove circuit.zkey witness.wtns proof.json public.json
  zkgpu verify verification_key.json public.json proof.json
  zkgpu check circuit.r1cs witness.wtns        which constraint does not hold?
  zkgpu info circuit.zkey
  zkgpu example chain --log-constraints 16 /tmp/chain
  zkgpu VERB --help, zkgpu help VERB           options and examples of one verb

The command lines of snarkjs work too: groth16 prove|verify, wtns check, r1cs info,
zkey export verificationkey, and the short forms g16p, g16v, wchk, ri, zkev.

Files: .zkey .r1cs .wtns and JSON of snarkjs and circom, .params .vk and binary proofs
of bellman. What a file is, its content says. Nothing in a file is trusted: every
number, point and count is checked. Outputs appear complete or not at all.

Exit status:
   0  done, or the proof is valid
   1  verify: the proof is well formed, and not valid
   2  InvalidArgument     the command line, or counts that do not fit together
   3  Malformed           a file breaks the rules of its format; file and byte are named
   4  InsecureKey         a key that anyone can forge proofs for
   5  WitnessUnsatisfied  the witness does not satisfy the constraints
   6  ResourceExhausted   memory or disk is full
   7  DeviceError         a device failed, and there was no other way
   8  SelfCheckFailed     the proof that was made does not verify; it is not written
   9  Io                  a file is missing, unreadable, not writable, or changed while in use
  10  Cancelled           by a signal
  70  Internal            a bug: please report it
Errors are one line on standard error, "zkgpu: error: <kind>: <message>"; with --json an
object {"error": {"kind", "exit", "message", ...}}.
)";

inline constexpr std::string_view prove = R"(Proves that a witness satisfies a circuit.

KEY      .zkey of snarkjs, or .params of bellman together with --r1cs
WITNESS  .wtns
PROOF    written: JSON as snarkjs writes it, or 192 bytes if the name ends in .bin or .proof
PUBLIC   written: JSON array of the public values

A key is checked point by point when it is first used; its SHA-256 then goes to a list,
and the next time only the digest is compared. The proof is verified before it is written.)";

inline constexpr std::string_view prove_footer = R"(
Examples:
  zkgpu prove circuit.zkey witness.wtns proof.json public.json
  zkgpu prove circuit.zkey witness.wtns proof.json public.json --r1cs circuit.r1cs -v
  zkgpu prove circuit.params witness.wtns proof.bin public.json --r1cs circuit.r1cs

A .zkey does not hold all of the circuit: with a wrong witness the prover can only say
that the proof does not verify (status 8). With --r1cs it names the constraint (status 5).
)";

inline constexpr std::string_view verify =
    R"(Verifies a proof. Says "valid" (status 0) or "invalid" (status 1).

VK      verification_key.json, .vk of bellman, or any proving key (.zkey, .params)
PUBLIC  JSON array of the public values
PROOF   JSON, or 192 bytes)";

inline constexpr std::string_view setup = R"(Makes a proving key for a circuit, all alone.

R1CS  .r1cs
KEY   written: .zkey, or .params of bellman if the name ends so

INSECURE for others: this process knows the secret behind the key, and whoever knows it
can prove false statements. Fit for tests, benchmarks, and where prover and verifier are one.
Keys for others come from a ceremony (snarkjs: powersoftau, zkey contribute).)";

inline constexpr std::string_view check = R"(Checks a witness against all constraints of a circuit.

R1CS     .r1cs
WITNESS  .wtns

If one does not hold (status 5), the first such constraint is named with its three values
a = (A z), b = (B z), c = (C z), of which a*b = c should be true. They come from the witness:
do not show them to others.)";

inline constexpr std::string_view info =
    R"(Reads a file as strictly as any other verb, and tells what it is.

FILE  .zkey .r1cs .wtns .params .vk, JSON keys, proofs and public values, binary proofs

Counts, curve, points at infinity, SHA-256, and the contributions to a key's ceremony.
No value of a witness is ever shown.)";

inline constexpr std::string_view export_vk = R"(Takes the verifying key out of a key.

KEY  .zkey, .params, or a verifying key of any form
OUT  written: verification_key.json as snarkjs writes it, or .vk of bellman if the name
     ends so (from keys that have beta and delta in G1))";

inline constexpr std::string_view convert =
    R"(Converts between forms of the same thing, or rewrites a file.

  proof       JSON <-> 192 bytes (.bin, .proof)
  key         .zkey, .params, .vk -> verification_key.json; .zkey, .params, .vk -> .vk
  rewrite     .zkey, .params, .r1cs, .wtns, public.json: read strictly, written canonically

The form of OUT is that of its extension. A .zkey cannot become a .params or the other way
round: their h queries stand in different bases.)";

inline constexpr std::string_view example =
    R"(Writes a circuit and a witness, for trying things out and for benchmarks.

FOLDER  gets circuit.r1cs and witness.wtns; made if it is not there, with those above it

  chain   x -> x^2 + k, again and again: nearly every scalar is of full size
  bits    64-bit range checks: nearly every scalar is 0 or 1, as in circuits that hash

The witness is always the same.)";

inline constexpr std::string_view example_footer = R"(
Example, from nothing to a verified proof:
  zkgpu example chain --log-constraints 14 demo
  zkgpu setup demo/circuit.r1cs demo/circuit.zkey
  zkgpu prove demo/circuit.zkey demo/witness.wtns demo/proof.json demo/public.json
  zkgpu verify demo/circuit.zkey demo/public.json demo/proof.json
)";

}  // namespace zkgpu::cli::help
