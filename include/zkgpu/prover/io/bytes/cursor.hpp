// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <zkgpu/core/error.hpp>

namespace zkgpu::io {

static_assert(std::endian::native == std::endian::little, "the readers copy little-endian memory");

/// An unsigned integer from little-endian bytes, aligned or not.
template <class U>
requires std::is_unsigned_v<U>
inline U load_le(const std::byte* from) noexcept {
  U value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// An unsigned integer from big-endian bytes, aligned or not.
template <class U>
requires std::is_unsigned_v<U>
inline U load_be(const std::byte* from) noexcept {
  if constexpr (sizeof(U) == 4) return static_cast<U>(__builtin_bswap32(load_le<U>(from)));
  if constexpr (sizeof(U) == 8) return static_cast<U>(__builtin_bswap64(load_le<U>(from)));
}

template <class U>
requires std::is_unsigned_v<U>
inline void store_le(std::byte* to, U value) noexcept { std::memcpy(to, &value, sizeof value); }

template <class U>
requires std::is_unsigned_v<U>
inline void store_be(std::byte* to, U value) noexcept {
  if constexpr (sizeof(U) == 4) value = static_cast<U>(__builtin_bswap32(value));
  if constexpr (sizeof(U) == 8) value = static_cast<U>(__builtin_bswap64(value));
  store_le(to, value);
}

/// Walks over bytes of one section, and knows where in the file they stand.
///
/// Every step is checked by subtraction from what is left; a failure names file, section, offset
/// and field. Nothing is allocated.
class Cursor {
 public:
  /// @param base  offset of bytes[0] in the file
  Cursor(std::span<const std::byte> bytes, std::string file, std::string section,
         std::uint64_t base)
      : bytes_(bytes), file_(std::move(file)), section_(std::move(section)), base_(base) {}

  [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + at_; }
  [[nodiscard]] Location here() const { return {file_, section_, offset()}; }

  /// @throws Malformed at the offset `back` bytes before the present one
  [[noreturn]] void fail(const std::string& what, std::size_t back = 0) const {
    throw Malformed({file_, section_, offset() - back}, what);
  }

  /// The next n bytes.
  std::span<const std::byte> take(std::size_t n, const char* field) {
    if (n > left()) {
      fail(std::string(field) + ": needs " + std::to_string(n) + " bytes, " +
           std::to_string(left()) + " are left");
    }
    const auto taken = bytes_.subspan(at_, n);
    at_ += n;
    return taken;
  }

  std::uint32_t u32_le(const char* field) { return load_le<std::uint32_t>(take(4, field).data()); }
  std::uint64_t u64_le(const char* field) { return load_le<std::uint64_t>(take(8, field).data()); }
  std::uint32_t u32_be(const char* field) { return load_be<std::uint32_t>(take(4, field).data()); }

  /// A 32-bit little- or big-endian count of items of at least `item_bytes`, which must still fit.
  std::uint32_t count_le(std::size_t item_bytes, const char* field) {
    return fitting(u32_le(field), item_bytes, field);
  }
  std::uint32_t count_be(std::size_t item_bytes, const char* field) {
    return fitting(u32_be(field), item_bytes, field);
  }

  /// Every byte is accounted for.
  void expect_end(const char* what) const {
    if (left() != 0) {
      fail(std::to_string(left()) + " bytes too many after " + what);
    }
  }

 private:
  std::uint32_t fitting(std::uint32_t count, std::size_t item_bytes, const char* field) const {
    if (count > left() / item_bytes) {
      fail(std::string(field) + ": a count of " + std::to_string(count) + " items of " +
               std::to_string(item_bytes) + " bytes does not fit the " + std::to_string(left()) +
               " bytes left",
           4);
    }
    return count;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::string file_, section_;
  std::uint64_t base_;
};

}  // namespace zkgpu::io
