// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <unistd.h>
#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/field/sqrt.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/iden3/zkey_file.hpp>
#include <zkgpu/prover/io/key/checked_keys.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include "shared.hpp"

namespace zkgpu::test {

using Bls = Bls12_381;
using Bytes = std::vector<std::byte>;

/// Circuits of fixtures/snarkjs on BLS12-381.
inline constexpr std::array<std::string_view, 9> circuits = {
    "mult",   "mult-beacon", "nopub",    "manypub", "manypub-initial",
    "unused", "bits",        "poseidon", "chain10"};

inline std::filesystem::path snarkjs_dir() { return shared_dir() / "fixtures" / "snarkjs"; }
inline std::filesystem::path snarkjs_file(std::string_view circuit, std::string_view file) {
  return snarkjs_dir() / circuit / file;
}
inline bool snarkjs_present() { return shared_present("fixtures/snarkjs"); }

/// Is the key of this circuit one that must be refused: without a contribution to its second phase?
inline bool is_insecure(std::string_view circuit) { return circuit == "manypub-initial"; }

/// Reads a key from memory.
inline io::ZkeyFile<Bls> read_zkey_bytes(std::span<const std::byte> bytes,
                                         const std::string& name = "test.zkey",
                                         bool allow_insecure = false,
                                         const io::CheckedKeys* checked = nullptr) {
  RealEnv env;
  io::EnvRandom<RealEnv> random(env);
  io::SpanSource source(bytes, name);
  return io::read_zkey<Bls>(
      source, {.random = &random, .checked = checked, .allow_insecure = allow_insecure});
}

/// What `call` threw; `ErrorKind` 0 when it threw nothing.
struct Outcome {
  ErrorKind kind = ErrorKind{0};
  std::string message;
};
template <class Call>
Outcome outcome_of(const Call& call) {
  try {
    call();
    return {};
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
}

/// A point of the curve outside the subgroup.
template <CurveGroup G>
typename G::Affine point_outside_subgroup(int x) {
  for (;; ++x) {
    typename G::BaseField y;
    typename G::BaseField at{};
    if constexpr (std::is_same_v<typename G::BaseField, Bls::Fq>) {
      at = Bls::Fq(x);
    } else {
      at = Bls::Fq2{Bls::Fq(x), Bls::Fq(1)};
    }
    if (!sqrt(at.square() * at + G::b(), y)) continue;
    const typename G::Affine point{at, y};
    if (!is_in_subgroup(point)) return point;
  }
}

/// A folder of its own for one test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "zkgpu-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace zkgpu::test
