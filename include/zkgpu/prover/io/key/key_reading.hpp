// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

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

/// What reading a key found out beside the key.
struct KeyReport {
  Digest digest;            ///< of every byte of the file, as it was read
  bool was_listed = false;  ///< the list of checked keys had it: points were not checked again
  std::vector<std::string> warnings;
};

}  // namespace zkgpu::io
