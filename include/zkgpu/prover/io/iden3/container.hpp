// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/prover/io/bytes/byte_sink.hpp>
#include <zkgpu/prover/io/bytes/byte_source.hpp>

/// The section container of iden3's tools (.r1cs, .wtns, .zkey):
/// magic[4], u32 version, u32 section count, then sections {u32 id, u64 length, payload}; all
/// little-endian, sections in any order.
namespace zkgpu::io {

class Cursor;

inline constexpr std::uint32_t max_sections = 64;
inline constexpr std::uint64_t container_header_bytes = 12;
inline constexpr std::uint64_t section_header_bytes = 12;

/// Where one section lies. `offset` is that of the payload; the header stands in front of it.
struct Section {
  std::uint32_t id = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// What a format allows.
struct ContainerRules {
  std::string_view magic;                   ///< four characters
  std::uint32_t version = 1;                ///< the only one accepted
  std::span<const std::string_view> names;  ///< name of section id i + 1, for messages
};

/// The table of sections of one file, with the bytes that it was read from.
struct Container {
  std::string file;
  ContainerRules rules;
  std::vector<Section> sections;      ///< in file order; together with headers, every byte
  std::vector<std::string> warnings;  ///< unknown sections, which are skipped
  /// File header, then each section's header: the bytes behind `sections`.
  std::vector<std::byte> header_bytes;

  /// @throws Malformed when the section is missing
  [[nodiscard]] const Section& require(std::uint32_t id) const;
  /// nullptr when the section is missing
  [[nodiscard]] const Section* find(std::uint32_t id) const noexcept;
  /// "section 5 (A)"
  [[nodiscard]] std::string name_of(std::uint32_t id) const;
  /// @throws Malformed unless the section has exactly `count` items of `item_bytes`
  void expect_items(const Section& section, std::uint64_t count, std::uint64_t item_bytes,
                    const char* what) const;
};

/// Reads the table of sections. At most 64 sections, none of the known ones twice, no byte of the
/// file outside a section.
/// @throws Malformed, IoError
/// @cost one small read a section
Container read_container(ByteSource& source, const ContainerRules& rules);

/// The payload of a section in memory.
/// @param limit_bytes  a longer section is refused unread
Array<std::byte> read_section(ByteSource& source, const Container& container,
                              const Section& section, std::uint64_t limit_bytes);

/// Writes the file header. @param magic  four characters
void write_container_header(ByteSink& sink, std::string_view magic, std::uint32_t version,
                            std::uint32_t section_count);
void write_section_header(ByteSink& sink, std::uint32_t id, std::uint64_t size);
void write_u32_le(ByteSink& sink, std::uint32_t value);
void write_u64_le(ByteSink& sink, std::uint64_t value);

/// Reads {u32 size, prime} and compares it with a field's modulus.
///
/// @param modulus  little-endian bytes of the expected prime
/// @param field    what the prime is for ("r"); an unexpected one of a known curve is named
/// @throws Malformed "unsupported curve"
void expect_prime(Cursor& cursor, std::span<const std::byte> modulus, const char* field);

}  // namespace zkgpu::io
