// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/msm/cuda/pair_lists.hpp>

/// Bodies of the device's sums with bitmaps: which bases a word of bits adds, and where wide
/// scalars' bases stand.
namespace zkgpu {

/// Eight flags of a byte each, 0 or 1, as eight bits.
ZKGPU_HD constexpr std::uint64_t bits_of_flags(std::uint64_t flags) noexcept {
  return flags * 0x0102040810204080ull >> 56;  // bit i of the product's top byte is flag i
}

/// Bases in work, and the bits of a bitmap for them.
struct BitmapRange {
  const std::uint64_t* words = nullptr;    ///< the first is that of base 0
  const std::uint8_t* infinity = nullptr;  ///< of base 0; 16-byte aligned
  std::size_t bases = 0;
  std::uint32_t place = 0;  ///< of base 0 in the table

  [[nodiscard]] ZKGPU_HD constexpr std::size_t word_count() const noexcept {
    return (bases + 63) / 64;
  }
  /// Bits of word w whose base is not at infinity.
  [[nodiscard]] ZKGPU_HD std::uint64_t ones(std::size_t w) const noexcept {
    std::uint64_t bits = words[w];
    if (bits == 0) return 0;
    const std::uint8_t* const flags = infinity + 64 * w;
    if (64 * w + 64 > bases) {
      for (std::size_t i = 0; 64 * w + i < bases; ++i) bits &= ~(std::uint64_t{flags[i]} << i);
      return bits & ~(~std::uint64_t{0} << (bases - 64 * w));
    }
    ZKGPU_UNROLL for (unsigned i = 0; i < 4; ++i) {
      const MemoryPiece piece = load_wide(reinterpret_cast<const MemoryPiece*>(flags) + i);
      bits &= ~(bits_of_flags(piece.word[0]) << 16 * i);
      bits &= ~(bits_of_flags(piece.word[1]) << (16 * i + 8));
    }
    return bits;
  }
  /// Lists the bases of such bits, in order.
  ZKGPU_HD void list(std::size_t w, std::uint64_t bits, std::uint32_t key, std::uint32_t* keys,
                     std::uint32_t* places) const noexcept {
    std::uint32_t at = place + static_cast<std::uint32_t>(64 * w);
    for (; bits != 0; bits >>= 1, ++at) {
      if ((bits & 1) == 0) continue;
      *keys++ = key;
      *places++ = at;
    }
  }
};

/// Where the bases of wide scalars stand in a table that has runs of `run` points.
struct WidePlaces {
  const std::uint32_t* places = nullptr;  ///< of the scalars in work
  std::uint32_t first = 0;                ///< place that counts as 0
  unsigned log_batch = 0;                 ///< scalars in work: at most 2^log_batch
  std::size_t run = 0;

  /// The place of an entry that was made with the scalars' own numbers, in runs of 2^log_batch.
  [[nodiscard]] ZKGPU_HD constexpr std::uint32_t in_table(std::uint32_t entry) const noexcept {
    const std::uint32_t sign = entry & 0x80000000u;
    const std::uint32_t place = entry & 0x7fffffffu;
    const std::uint32_t scalar = place & ((std::uint32_t{1} << log_batch) - 1);
    const std::size_t table = place >> log_batch;
    return static_cast<std::uint32_t>(table * run + (places[scalar] - first)) | sign;
  }
};

}  // namespace zkgpu
