// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/porep/node.hpp>

#include "porep/c1/byte_stream.hpp"
#include "porep/c1/place.hpp"

namespace zkgpu::porep::c1 {

/// Reads bincode of version 1 with its fixed widths: little-endian integers, counts of 64 bits,
/// fields in their order and without names. The functions are those of JsonScanner, so that one
/// text reads both.
class BincodeScanner {
 public:
  BincodeScanner(ByteStream& bytes, Place& place) : bytes_(bytes), place_(place) {}

  [[nodiscard]] Place& place() noexcept { return place_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return bytes_.offset(); }

  template <class Read>
  void object(std::span<const Field> fields, const Read& read) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].of_json) continue;
      const Place::Step step = place_.field(fields[i].name);
      read(i);
    }
  }

  template <class Read>
  std::size_t array(std::size_t few, std::size_t many, std::string_view what, const Read& read) {
    const std::uint64_t offset = bytes_.offset();
    const auto count = integer<std::uint64_t>();
    if (count != few && count != many) {
      place_.fail(offset, std::to_string(count) + " " + std::string(what) + ", where " +
                              (few == many ? "" : std::to_string(few) + " or ") +
                              std::to_string(many) + " are expected");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Place::Step step = place_.item(i);
      read(i);
    }
    return static_cast<std::size_t>(count);
  }

  template <class Read>
  void variant(std::string_view name, std::uint32_t number, const Read& read) {
    const std::uint64_t offset = bytes_.offset();
    const auto found = integer<std::uint32_t>();
    if (found != number) {
      place_.fail(offset, "form " + std::to_string(found) + " of a proof, where " +
                              std::to_string(number) + " (" + std::string(name) + ") is expected");
    }
    const Place::Step step = place_.field(name);
    read();
  }

  [[nodiscard]] std::uint64_t integer64(std::uint64_t most) { return at_most<std::uint64_t>(most); }
  [[nodiscard]] std::uint32_t integer32(std::uint32_t most) { return at_most<std::uint32_t>(most); }
  [[nodiscard]] Node bytes32() {
    Node node;
    take(node);
    return node;
  }
  void expect_end() {
    if (bytes_.peek() != ByteStream::end) {
      place_.fail(bytes_.offset(), "more behind the end of the value");
    }
  }

 private:
  void take(std::span<std::byte> out) {
    const std::uint64_t offset = bytes_.offset();
    const std::size_t got = bytes_.read(out);
    if (got != out.size()) {
      place_.fail(offset, "needs " + std::to_string(out.size()) + " bytes, " + std::to_string(got) +
                              " are left");
    }
  }
  template <class U>
  U integer() {
    std::array<std::byte, sizeof(U)> bytes;
    take(bytes);
    return io::load_le<U>(bytes.data());
  }
  template <class U>
  U at_most(U most) {
    const std::uint64_t offset = bytes_.offset();
    const auto value = integer<U>();
    if (value > most) {
      place_.fail(offset, std::to_string(value) + " is above " + std::to_string(most));
    }
    return value;
  }

  ByteStream& bytes_;
  Place& place_;
};

}  // namespace zkgpu::porep::c1
