// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/core/error.hpp>

namespace zkgpu::io {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

/// One JSON value with its place in the file.
struct JsonValue {
  JsonKind kind = JsonKind::null;
  std::uint64_t offset = 0;       ///< of the byte behind the value's first or only token
  std::string text;               ///< of a string; of a number that is a non-negative integer
  std::vector<JsonValue> items;   ///< of an array, or the values of an object
  std::vector<std::string> keys;  ///< of an object, beside `items`

  /// nullptr when there is no such key.
  [[nodiscard]] const JsonValue* find(std::string_view key) const noexcept;
};

inline constexpr std::size_t max_json_depth = 64;
/// With 96 bytes a value in doubling arrays, a hostile file costs less than 64 MiB beside itself.
inline constexpr std::size_t max_json_values = std::size_t{1} << 18;
inline constexpr std::uint64_t max_json_bytes = std::uint64_t{64} << 20;

/// Parses a whole file strictly: UTF-8 without a byte order mark, no duplicate keys, depth <= 64, a
/// limit on values, nothing after the value. Numbers are kept when they are integers without sign,
/// fraction or exponent; others are refused.
/// @throws Malformed
JsonValue parse_json(std::span<const std::byte> text, const std::string& file);

/// Walks a parsed file; its functions throw Malformed with the path of the value ("pi_b[1][0]").
class JsonReader {
 public:
  JsonReader(const JsonValue& value, const std::string& file, std::string path)
      : value_(&value), file_(&file), path_(std::move(path)) {}

  [[nodiscard]] const JsonValue& value() const noexcept { return *value_; }
  [[noreturn]] void fail(const std::string& what) const;

  /// An object with these keys and no others; `optional_from` and later ones may be missing.
  void expect_keys(std::span<const std::string_view> keys, std::size_t optional_from) const;
  [[nodiscard]] bool has(std::string_view key) const noexcept {
    return value_->find(key) != nullptr;
  }
  [[nodiscard]] JsonReader at(std::string_view key) const;
  /// An array; any length, or exactly `length`.
  [[nodiscard]] std::size_t array_size() const;
  void expect_array(std::size_t length) const;
  [[nodiscard]] JsonReader at(std::size_t index) const;
  /// A string.
  [[nodiscard]] const std::string& string() const;
  /// The digits of a number, written as a string or as an integer.
  [[nodiscard]] const std::string& digits() const;

 private:
  const JsonValue* value_;
  const std::string* file_;
  std::string path_;
};

/// Outside text for a message: printable ASCII in quotes, others as '?', at most 40 characters.
std::string printable(std::string_view text);

}  // namespace zkgpu::io
