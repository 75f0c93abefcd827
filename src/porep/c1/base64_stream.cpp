// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/c1/base64_stream.hpp"

#include <string_view>

namespace zkgpu::porep::c1 {

namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int padding = 64, quote = 65, no_digit = 66;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  values['='] = padding;
  values['"'] = quote;
  return values;
}
constexpr std::array<std::uint8_t, 256> value_of = make_values();

}  // namespace

int Base64Stream::digit() {
  const std::uint64_t offset = text_.offset();
  int byte = text_.take();
  if (byte == '\\') {
    byte = text_.take();
    if (byte != '/') byte = 0;  // no other escape stands for a digit
  }
  if (byte == end) place_.fail(offset, "the file ends inside of base64 text");
  const int value = value_of[static_cast<std::size_t>(byte)];
  if (value == no_digit) place_.fail(offset, "not a digit of base64");
  return value;
}

std::size_t Base64Stream::decode_group(std::byte* to) {
  const std::uint64_t offset = text_.offset();
  std::array<int, 4> values{};
  std::size_t count = 0;
  for (int& value : values) {
    value = digit();
    if (value == quote) {
      if (&value == values.data()) return 0;
      place_.fail(offset, "base64 text without the padding at its end");
    }
    if (value == padding) break;
    ++count;
  }
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word = word << 6 | (i < count ? static_cast<std::uint32_t>(values[i]) : 0);
  }
  for (std::size_t i = 0; i < group; ++i) to[i] = static_cast<std::byte>(word >> (16 - 8 * i));
  if (count == 4) return group;
  if (count < 2 || (count == 2 && digit() != padding)) {
    place_.fail(offset, "padding where base64 has none");
  }
  const std::uint32_t unused = count == 2 ? 0xffff : 0xff;
  if ((word & unused) != 0) place_.fail(offset, "bits behind the last byte of base64 text");
  if (digit() != quote) place_.fail(offset, "text behind the padding of base64");
  ended_ = true;
  return count - 1;
}

bool Base64Stream::refill() {
  piece_ends_ = true;
  if (ended_) return false;
  piece_offset_ = text_.offset();
  std::size_t n = 0;
  while (n < bytes_.size() && !ended_) {
    const std::size_t got = decode_group(bytes_.data() + n);
    n += got;
    if (got == 0) ended_ = true;
  }
  at_ = bytes_.data();
  stop_ = at_ + n;
  piece_ends_ = n == 0;
  return n != 0;
}

}  // namespace zkgpu::porep::c1
