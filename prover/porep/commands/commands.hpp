// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "commands/commands.hpp"

/// The verbs of `zkgpu porep`, one function each, as in commands/commands.hpp.
namespace zkgpu::cli {

struct PorepDigestOptions {
  std::string sector_size;
  bool checkpoints = false;
};
int porep_digest(Session& session, const PorepDigestOptions& options);

/// Which seal: a registered one, or a size with everything else as usual.
struct WantedSeal {
  std::string proof;        ///< "" or the name of a registered proof
  std::string sector_size;  ///< "" or a sector size, of tests too
};

struct PorepSealOptions {
  std::string out;
  WantedSeal kind;
  std::string data;       ///< "" for a sector of zeros
  std::string form;       ///< "json", "wrapper", "bincode", "" for what the extension says
  std::string statement;  ///< "" for none
  std::uint64_t miner = 1000, sector = 1;
  std::string ticket, seed, porep_id;  ///< hexadecimal, "" for the default
  bool invented = false;
};
int porep_seal(Session& session, const PorepSealOptions& options);

struct PorepProveOptions {
  std::string c1, proof_out;
  std::string params, vk;  ///< a file, a folder, "" for the network's folder
  std::string proof;       ///< registered proof of bincode, "" for the usual one
  std::string porep_id;    ///< of a seal of no network: hexadecimal, "" for the proof's own
  std::string statement;   ///< what the seal is to claim, "" for whatever it does
  bool official = false;
  KeyOptions keys;
  std::optional<ChosenBlinding> blinding;
  std::string device = "auto";
};
int porep_c2(Session& session, const PorepProveOptions& options);

struct PorepVerifyOptions {
  std::string statement, proof, vk;
  bool official = false;
  KeyOptions keys;
};
int porep_verify(Session& session, const PorepVerifyOptions& options);

struct PorepExportOptions {
  std::string statement, proof, vk, folder;
  bool official = false;
  KeyOptions keys;
};
int porep_export(Session& session, const PorepExportOptions& options);

/// The secret of a key, for tests: decimal, below the order.
struct ChosenWaste {
  std::string tau, alpha, beta, gamma, delta;
};

struct PorepSetupOptions {
  std::string sector_size, folder;
  std::optional<ChosenWaste> waste;
};
int porep_setup(Session& session, const PorepSetupOptions& options);

}  // namespace zkgpu::cli
