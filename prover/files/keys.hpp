// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/keys.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>

#include "files/kind.hpp"
#include "session/session.hpp"

namespace zkgpu::cli {

using Curve = Bls12_381;  // the one that this program proves for

/// How much a key from outside is trusted.
struct KeyOptions {
  std::string checked_keys;         ///< path of the list, "none", or "" for the default place
  std::string key_cache;            ///< folder of decoded keys, "" for none
  bool allow_insecure_key = false;  ///< for tests only
};

/// A folder of decoded keys has a list of checked keys, by which they are believed, and is no file.
/// @throws InvalidArgument
void expect_key_cache(CommandEnv& env, const KeyOptions& options);

/// What became of the decoded key, for results: "read", "written", "none".
[[nodiscard]] std::string_view to_string(io::KeyCacheUse use) noexcept;

/// Says loudly that the rules about insecure keys are off, where they are.
void announce(Session& session, const KeyOptions& options);

/// A proving key with what its file says about it.
struct LoadedProvingKey {
  FileKind kind = FileKind::unknown;  ///< zkey or bellman_params
  ProvingKey<Curve> key;
  io::KeyReport report;
  std::variant<io::ZkeyCeremony, io::ParamsCeremony> ceremony;
};

/// Reads and checks a proving key, and puts it on the list of checked keys.
/// @throws Malformed, InsecureKey, IoError, ResourceExhausted
LoadedProvingKey load_proving_key(Session& session, const std::string& path,
                                  const KeyOptions& options);

/// Runs f, which proves with the key; if its proof does not hold and the key was decoded before,
/// the error says what else there is to try.
/// @throws SelfCheckFailed, and whatever f does
template <class F>
auto proving_with(const LoadedProvingKey& loaded, const F& f) {
  try {
    return f();
  } catch (const SelfCheckFailed& error) {
    if (loaded.report.cache != io::KeyCacheUse::read) throw;
    throw SelfCheckFailed(std::string(error.what()) +
                          "; the key was a decoded one, perhaps of other parameters: try without "
                          "--key-cache");
  }
}

/// A verifying key from any file that has one. The halves in G1 of beta and delta are there when
/// the file carries them.
struct LoadedVerifyingKey {
  FileKind kind = FileKind::unknown;
  VerifyingKey<Curve> key;
  std::optional<io::FullVerifyingKey<Curve>> full;
};

/// verification_key.json, .zkey, bellman's .params and .vk, gnark's and Waves's binary keys.
/// @throws Malformed, InsecureKey, IoError, ResourceExhausted
LoadedVerifyingKey load_verifying_key(Session& session, const std::string& path,
                                      const KeyOptions& options);

/// The list of the keys whose points were once checked here.
struct CheckedKeysPlace {
  std::string path;     ///< "" for none
  std::string why_not;  ///< why there is no default place, for who asks; else ""
};

/// The default is `$XDG_STATE_HOME/zkgpu/checked-keys`, or below `$HOME/.local/state`. A home that
/// does not exist is not made: then there is no list.
CheckedKeysPlace checked_keys_place(CommandEnv& env, const std::string& option);

/// None of the outputs is a proving key or powers of tau that stand there already: a ceremony
/// cannot be held again because two arguments were exchanged.
/// @throws InvalidArgument naming the file
void expect_no_key_replaced(CommandEnv& env, std::span<const std::string> outputs);

}  // namespace zkgpu::cli
