// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "porep/c1/byte_stream.hpp"
#include "porep/c1/place.hpp"

namespace zkgpu::porep::c1 {

/// The bytes that the base64 text of a JSON string stands for (RFC 4648 section 4: with padding, no
/// line breaks, no bits set behind the last byte). "\/", which JSON allows for a slash, is one.
class Base64Stream final : public ByteStream {
 public:
  /// @param text  stands behind the opening quote; goes past the closing one with the last piece
  Base64Stream(ByteStream& text, const Place& place) : text_(text), place_(place) {}

  /// Of the group of four digits that the byte is from; exact as long as no slash is escaped.
  [[nodiscard]] std::uint64_t offset() const noexcept override {
    if (piece_ends_) return text_.offset();
    return piece_offset_ + static_cast<std::uint64_t>(at_ - bytes_.data()) / 3 * 4;
  }

 private:
  static constexpr std::size_t group = 3;
  bool refill() override;
  /// The next group into `to`. @return how many bytes it has; 0: the text has ended
  std::size_t decode_group(std::byte* to);
  /// A digit's value, `padding` for '=', `quote` at the end.
  int digit();

  ByteStream& text_;
  const Place& place_;
  std::array<std::byte, group << 14> bytes_{};
  std::uint64_t piece_offset_ = 0;
  bool piece_ends_ = true;  // nothing of the piece is left, or there is none
  bool ended_ = false;
};

}  // namespace zkgpu::porep::c1
