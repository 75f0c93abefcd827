// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "files/keys.hpp"
#include "session/session.hpp"

/// One function a verb. Each gives the exit status, or throws what `report` turns into one.
namespace zkgpu::cli {

inline constexpr int exit_success = 0;
inline constexpr int exit_invalid_proof = 1;  ///< a well-formed proof of a false statement

/// Both scalars of a proof's blinding, for reproducible tests. Whoever knows them learns about the
/// witness.
struct ChosenBlinding {
  std::string r, s;  ///< canonical decimal, below the order
};

struct ProveOptions {
  std::string key, witness, proof, public_values;
  std::string r1cs;  ///< "" for none
  KeyOptions keys;
  std::optional<ChosenBlinding> blinding;
  std::string device = "auto";  ///< "cpu", "auto", or a GPU's number, name or UUID
};
int prove(Session& session, const ProveOptions& options);

struct VerifyOptions {
  std::string key, public_values, proof;
  KeyOptions keys;
};
int verify(Session& session, const VerifyOptions& options);

struct SetupOptions {
  std::string r1cs, key;
};
int setup(Session& session, const SetupOptions& options);

struct CheckOptions {
  std::string r1cs, witness;
};
int check(Session& session, const CheckOptions& options);

struct InfoOptions {
  std::string file;
  KeyOptions keys;
};
int info(Session& session, const InfoOptions& options);

struct ExportVkOptions {
  std::string key, out;
  KeyOptions keys;
};
int export_vk(Session& session, const ExportVkOptions& options);

struct ConvertOptions {
  std::string in, out;
  KeyOptions keys;
};
int convert(Session& session, const ConvertOptions& options);

/// A circuit of a given size with a witness, for trying things out and for benchmarks.
struct ExampleOptions {
  enum class Circuit : std::uint8_t { chain, bits };
  static constexpr unsigned min_log = 7;   // one 64-bit range check
  static constexpr unsigned max_log = 24;  // 2.8 GB of .r1cs
  Circuit circuit = Circuit::chain;
  unsigned log_constraints = 0;
  std::string folder;
};
int example(Session& session, const ExampleOptions& options);

}  // namespace zkgpu::cli
