// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <zkgpu/prover/porep/hash/digests.hpp>

namespace zkgpu::porep {

/// Random numbers from a ChaCha stream of 8 rounds with a 64-bit block counter and nonce 0, as the
/// sampling of DRG parents draws them (the Rust crate rand_chacha's ChaCha8Rng).
///
/// @see D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008
class ChaCha8 {
 public:
  using Block = std::array<std::uint32_t, 16>;

  explicit ChaCha8(const Node& key) noexcept {
    state_ = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
    for (std::size_t i = 0; i < 8; ++i) {
      state_[4 + i] = static_cast<std::uint32_t>(read_little_endian<4>(key.data() + 4 * i));
    }
  }

  /// The next word of the stream.
  std::uint32_t next_u32() noexcept {
    if (used_ == block_.size()) {
      next_block();
      used_ = 0;
    }
    return block_[used_++];
  }
  /// The next two words, the low one first.
  std::uint64_t next_u64() noexcept {
    const std::uint64_t low = next_u32();
    return low | std::uint64_t{next_u32()} << 32;
  }

 private:
  void next_block() noexcept {
    block_ = state_;
    for (int double_round = 0; double_round < 4; ++double_round) {
      for (std::size_t i = 0; i < 4; ++i) quarter_round(i, 4 + i, 8 + i, 12 + i);
      for (std::size_t i = 0; i < 4; ++i) {  // diagonals
        quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
      }
    }
    for (std::size_t i = 0; i < block_.size(); ++i) block_[i] += state_[i];
    if (++state_[12] == 0) ++state_[13];
  }
  void quarter_round(std::size_t a, std::size_t b, std::size_t c, std::size_t d) noexcept {
    const auto step = [this](std::size_t to, std::size_t from, std::size_t mixed, int turn) {
      block_[to] += block_[from];
      block_[mixed] = std::rotl(block_[mixed] ^ block_[to], turn);
    };
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
  }

  Block state_{}, block_{};
  std::size_t used_ = 16;  // words of block_ that are spent
};

}  // namespace zkgpu::porep
