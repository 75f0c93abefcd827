// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/key_cache/key_cache.hpp>
#include "prover/io/io_fixtures.hpp"
#include "prover/io/toy_files.hpp"

/// Decoded keys in memory, and the offsets of docs/formats/key-cache.md.
namespace zkgpu::test {

inline constexpr std::size_t cache_header = 4096, cache_digest_at = 4064, cache_table = 160,
                             cache_entry = 64, cache_head = 544, cache_zeros = 1408;
inline constexpr std::array<const char*, 6> cache_names = {"ic", "h", "l", "a", "b_g1", "b_g2"};

/// One number of a section's entry: offset 8, count 16, bytes 24.
inline std::uint64_t cache_number(const Bytes& bytes, std::size_t section, std::size_t at) {
  return io::load_le<std::uint64_t>(bytes.data() + cache_table + section * cache_entry + at);
}

inline io::ParamsFile<Bls> params_of(std::span<const std::byte> bytes) {
  RealEnv env;
  io::EnvRandom<RealEnv> random(env);
  io::SpanSource source(bytes, "test.params");
  return io::read_params<Bls>(source, {.random = &random});
}

inline io::KeyCacheSource source_of(std::span<const std::byte> params) {
  io::SpanSource source(params, "test.params");
  return io::key_cache_source(source);
}

struct DecodedKey {
  Bytes bytes;
  io::Digest digest;
};
inline DecodedKey decoded(const io::ParamsFile<Bls>& file) {
  io::MemorySink sink;
  const io::Digest digest = io::write_key_cache<Bls>(sink, file);
  return {sink.take(), digest};
}

/// Gives a changed header its digest, as someone who made the file on purpose would.
inline io::Digest seal(Bytes& bytes) {
  const io::Digest digest = io::digest_of(std::span<const std::byte>(bytes).first(cache_digest_at));
  std::memcpy(bytes.data() + cache_digest_at, &digest, sizeof digest);
  return digest;
}

/// Reads a decoded key that the list has.
inline io::ParamsFile<Bls> read_decoded(const Bytes& bytes, const io::KeyCacheSource& of,
                                        const io::Digest& listed) {
  io::CheckedKeys list;
  list.insert(listed);
  io::SpanSource source(bytes, "test.zkgpukey");
  return io::read_key_cache<Bls>(source, of, {.checked = &list});
}

/// A key with points at infinity, one slot a wire, as snarkjs exports it.
inline Bytes snarkjs_params() {
  ProvingKey<Bls> key = toy::proving_key();
  key.h_basis = HBasis::tau_powers;
  key.h = {toy::g1(15)};
  return toy::written([&](io::ByteSink& sink) { io::write_params(sink, key, {}); });
}

}  // namespace zkgpu::test
