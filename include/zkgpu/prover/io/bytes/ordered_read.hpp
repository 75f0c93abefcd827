// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <zkgpu/core/progress.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>
#include <zkgpu/prover/io/bytes/digest.hpp>

namespace zkgpu::io {

/// Takes chunks of a stretch as they arrive: in any order, on several threads at once.
class ChunkDecoder {
 public:
  virtual ~ChunkDecoder() = default;
  /// @param at     bytes from the start of the stretch, a multiple of its item size
  /// @param chunk  whole items; gone after the call
  virtual void decode(std::uint64_t at, std::span<const std::byte> chunk) = 0;
};

/// One stretch of a file and where its bytes go: into `to`, or through `decoder`.
struct ReadStretch {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::byte* to = nullptr;  ///< `size` bytes, when there is no decoder
  ChunkDecoder* decoder = nullptr;
  std::size_t item_bytes = 1;  ///< chunks hold whole items of this size
};

/// Reads all stretches once, in chunks, on several threads; returns the digest of the bytes in file
/// order, computed on the very memory that is used, while later chunks are being read.
///
/// @param stretches  ascending, without gap or overlap: the digest is that of the whole file
/// @param observer  is told of every byte; null: nobody
/// @throws what the source or a decoder throws
/// @cost  at most `chunks_in_flight` · `chunk_bytes` of buffers beside the destinations
Digest read_stretches(ByteSource& source, std::span<const ReadStretch> stretches,
                      ProgressObserver* observer = nullptr);

inline constexpr std::size_t chunk_bytes = std::size_t{1} << 20;  // 2 MiB: the same; 128 KiB: −10 %
inline constexpr std::size_t chunks_in_flight = 8;

}  // namespace zkgpu::io
