// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <zkgpu/core/progress.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/binary/params_file.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>
#include <zkgpu/prover/io/key/key_reading.hpp>

/// Files of decoded keys: a cache of this program's own. The points of a `.params` file as a prover
/// holds them in memory, so that loading them again is reading and hashing on all cores.
///
/// docs/formats/key-cache.md describes every byte, and why such a file can be trusted: it is used
/// only if its digest stands in the list of checked keys.
namespace zkgpu::io {

/// Which `.params` file a decoded key is of, as far as its first bytes tell: two keys of different
/// secrets have different verifying keys.
struct KeyCacheSource {
  std::uint64_t bytes = 0;  ///< length of the file
  Digest verifying_key;     ///< SHA-256 of its bytes up to the end of IC: those of the `.vk` file
  friend bool operator==(const KeyCacheSource&, const KeyCacheSource&) = default;
};

/// Reads the beginning of a `.params` file, and checks nothing but that it has one.
/// @throws Malformed, IoError
/// @cost  868 bytes and IC; one digest of them
[[nodiscard]] KeyCacheSource key_cache_source(ByteSource& params);

/// Where the decoded key of a file belongs: half of the digest of its verifying key is its name.
[[nodiscard]] std::string key_cache_path(const std::string& folder, const KeyCacheSource& of);

/// Writes the decoded key of a `.params` file that was read; the same bytes each time.
///
/// @param observer  is told of the bytes written ("write key cache"); null: nobody
/// @return  the digest of the file, for the list of checked keys
/// @throws InvalidArgument for a key that no `.params` file holds, IoError, ResourceExhausted
/// @cost  one digest of the points on all cores, one write
template <Curve C>
Digest write_key_cache(ByteSink& sink, const ParamsFile<C>& file,
                       ProgressObserver* observer = nullptr);

/// Digest of a decoded key: of its first 4096 bytes, which hold the digests of all sections. All
/// rules of the format but the digests of sections are checked; nothing is allocated.
/// @throws Malformed, IoError
template <Curve C>
[[nodiscard]] Digest key_cache_digest(ByteSource& source);

/// Reads a decoded key. The tail of a ceremony is not in it.
///
/// @param of       the `.params` file in whose place it is read
/// @param reading  `checked` is required, and decides whether the file is believed; `random` is not
///                 needed
/// @throws Malformed naming the section, if a rule of the format is broken or bytes are not those
///         that were written; InvalidArgument if it is of another `.params` file, or there is no
///         list; InsecureKey if the list does not have it, or the key breaks the rules for keys;
///         IoError, ResourceExhausted
/// @cost  one read and one digest on all cores; memory: the key
template <Curve C>
ParamsFile<C> read_key_cache(ByteSource& source, const KeyCacheSource& of,
                             const KeyReading& reading);

extern template Digest write_key_cache(ByteSink&, const ParamsFile<Bls12_381>&, ProgressObserver*);
extern template Digest key_cache_digest<Bls12_381>(ByteSource&);
extern template ParamsFile<Bls12_381> read_key_cache(ByteSource&, const KeyCacheSource&,
                                                     const KeyReading&);

}  // namespace zkgpu::io
