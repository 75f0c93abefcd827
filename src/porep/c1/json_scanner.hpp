// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/prover/porep/node.hpp>

#include "porep/c1/byte_stream.hpp"
#include "porep/c1/place.hpp"

namespace zkgpu::porep::c1 {

/// Reads JSON front to back, for who knows what must come: nothing is kept but what is asked for,
/// and nothing is skipped, so that no nesting is followed that the caller does not have.
///
/// Fields come in any order; one that is unknown, missing or there twice is refused. Numbers are
/// whole, without sign, exponent or leading zero. Names hold no escapes. All else is Malformed,
/// with the place.
class JsonScanner {
 public:
  JsonScanner(ByteStream& bytes, Place& place) : bytes_(bytes), place_(place) {}

  [[nodiscard]] Place& place() noexcept { return place_; }
  [[noreturn]] void fail(const std::string& what) const { place_.fail(bytes_.offset(), what); }

  /// An object of exactly these fields; read(i) reads the value of fields[i].
  template <class Read>
  void object(std::span<const Field> fields, const Read& read) {
    std::uint32_t seen = 0;  // bit i: fields[i]
    open('{', "an object");
    for (bool more = !closes('}'); more; more = goes_on('}')) {
      const std::size_t i = name(fields, seen);
      const Place::Step step = place_.field(fields[i].name);
      if (fields[i].of_json) {
        null();
      } else {
        read(i);
      }
    }
    expect_all(fields, seen);
  }

  /// An object of one field, whose name is one of these; read(i) reads the value of names[i].
  template <class Read>
  void one_of(std::span<const Field> names, const Read& read) {
    open('{', "an object");
    if (closes('}')) fail("an object without its one field");
    std::uint32_t seen = 0;
    const std::size_t i = name(names, seen);
    {
      const Place::Step step = place_.field(names[i].name);
      read(i);
    }
    if (goes_on('}')) fail("a second field where there is one");
  }

  /// An array of `few` or of `many` values; read(i) reads each. @return how many
  template <class Read>
  std::size_t array(std::size_t few, std::size_t many, std::string_view what, const Read& read) {
    std::size_t count = 0;
    open('[', "an array");
    for (bool more = !closes(']'); more; more = goes_on(']')) {
      if (count == many) fail_count(count + 1, few, many, what);
      const Place::Step step = place_.item(count);
      read(count++);
    }
    if (count != few && count != many) fail_count(count, few, many, what);
    return count;
  }

  /// One of the forms that an enumeration has: an object of the one field `name`.
  template <class Read>
  void variant(std::string_view name, std::uint32_t, const Read& read) {
    const Field names[] = {{name}};
    one_of(names, [&](std::size_t) { read(); });
  }

  [[nodiscard]] std::uint64_t integer64(std::uint64_t most);
  [[nodiscard]] std::uint32_t integer32(std::uint32_t most) {
    return static_cast<std::uint32_t>(integer64(most));
  }
  /// An array of 32 bytes; any.
  [[nodiscard]] Node bytes32();
  /// A short string without escapes.
  [[nodiscard]] std::string string(std::string_view what);
  /// The opening quote of a string.
  void open_string(std::string_view what) { open('"', what); }
  /// Nothing but blanks is left.
  void expect_end();

  /// Where the next token begins.
  [[nodiscard]] std::uint64_t offset() {
    skip_blanks();
    return bytes_.offset();
  }

 private:
  static constexpr std::size_t longest_string = 100;
  void skip_blanks();
  [[nodiscard]] bool goes_on(char closing);
  [[nodiscard]] std::size_t name(std::span<const Field> fields, std::uint32_t& seen);
  void expect_all(std::span<const Field> fields, std::uint32_t seen) const;
  void open(char opening, std::string_view what);
  [[nodiscard]] bool closes(char closing);
  void expect(char c, std::string_view what);
  void null();
  [[noreturn]] void fail_count(std::size_t count, std::size_t few, std::size_t many,
                               std::string_view what) const;

  ByteStream& bytes_;
  Place& place_;
};

}  // namespace zkgpu::porep::c1
