// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <zkgpu/core/progress.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

namespace zkgpu::io {

class CheckedKeys;   // key/checked_keys.hpp
class RandomSource;  // key/point_checks.hpp

/// How a proving key is read.
struct KeyReading {
  RandomSource* random = nullptr;        ///< for the joint subgroup checks; required
  const CheckedKeys* checked = nullptr;  ///< keys in this list skip the checks of their queries
  /// For tests only: accept a key that anyone can forge proofs for, or whose halves disagree.
  bool allow_insecure = false;
  /// Is told of the bytes read ("read key"), then of the points checked ("check points").
  ProgressObserver* observer = nullptr;
};

/// What a decoded key (key_cache/key_cache.hpp) was for a loaded key.
enum class KeyCacheUse : std::uint8_t {
  none,     ///< not asked for, or not there and not to be had
  read,     ///< the key comes from it
  written,  ///< the next load will find it
};

/// What reading a key found out beside the key.
struct KeyReport {
  Digest digest;            ///< of every byte of the file, as it was read
  bool was_listed = false;  ///< the list of checked keys had it: points were not checked again
  KeyCacheUse cache = KeyCacheUse::none;
  std::vector<std::string> warnings;
};

}  // namespace zkgpu::io
