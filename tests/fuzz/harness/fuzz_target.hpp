// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/key_files.hpp>

/// What the targets share. A target gives bytes to one decoder, and says by `require` what must
/// hold for bytes that the decoder accepts; an error of another kind than a decoder's is a finding
/// too.
namespace zkgpu::fuzz {

using Input = std::span<const std::byte>;

/// Ends the process, as fuzzers want it, with the broken property.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: broken property: %s\n", property);
  std::abort();
}

/// Runs a decoder. @return false if it refused its input as decoders may
template <class Decode>
bool accepts(const Decode& decode) {
  try {
    decode();
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed || error.kind() == ErrorKind::insecure_key,
            "a decoder refuses bytes as malformed or as an insecure key");
    return false;
  }
}

/// The bytes that a writer makes.
template <class Write>
std::vector<std::byte> written(const Write& write) {
  io::MemorySink sink;
  write(sink);
  return sink.take();
}

inline bool equal(Input a, Input b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// For readers of keys: real random bytes, so that joint checks run as in production.
inline io::KeyReading key_reading() {
  static RealEnv env;
  static io::EnvRandom<RealEnv> random(env);
  return {.random = &random, .checked = nullptr, .allow_insecure = false};
}

inline Input input(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span<const std::uint8_t>(data, size));
}

}  // namespace zkgpu::fuzz

/// The entry point that libFuzzer and tests/fuzz/harness/standalone_main.cpp call.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
