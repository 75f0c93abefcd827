// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/iden3/container.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <zkgpu/prover/io/bytes/cursor.hpp>

namespace zkgpu::io {

const Section* Container::find(std::uint32_t id) const noexcept {
  const auto at =
      std::find_if(sections.begin(), sections.end(), [id](const Section& s) { return s.id == id; });
  return at == sections.end() ? nullptr : &*at;
}

std::string Container::name_of(std::uint32_t id) const {
  std::string text = "section " + std::to_string(id);
  if (id >= 1 && id <= rules.names.size()) text += " (" + std::string(rules.names[id - 1]) + ")";
  return text;
}

const Section& Container::require(std::uint32_t id) const {
  const Section* section = find(id);
  if (section == nullptr) {
    throw Malformed({file, "", container_header_bytes}, name_of(id) + " is missing");
  }
  return *section;
}

void Container::expect_items(const Section& section, std::uint64_t count, std::uint64_t item_bytes,
                             const char* what) const {
  if (section.size % item_bytes == 0 && section.size / item_bytes == count) return;
  throw Malformed({file, name_of(section.id), section.offset},
                  "the section has " + std::to_string(section.size) + " bytes, but " + what +
                      " asks for " + std::to_string(count) + " items of " +
                      std::to_string(item_bytes) + " bytes");
}

namespace {

/// Reads one section header at `at` and appends its bytes to the container's.
Section read_section_header(ByteSource& source, Container& container, std::uint64_t at,
                            std::uint32_t index) {
  const std::string section = "header of section number " + std::to_string(index + 1);
  if (source.size() - at < section_header_bytes) {
    throw Malformed({source.name(), section, at},
                    "needs 12 bytes, " + std::to_string(source.size() - at) + " are left");
  }
  std::array<std::byte, section_header_bytes> raw;
  source.read(at, raw);
  container.header_bytes.insert(container.header_bytes.end(), raw.begin(), raw.end());
  const Section found{.id = load_le<std::uint32_t>(raw.data()),
                      .offset = at + section_header_bytes,
                      .size = load_le<std::uint64_t>(raw.data() + 4)};
  if (found.size > source.size() - found.offset) {
    throw Malformed({source.name(), section, at + 4},
                    "length " + std::to_string(found.size) + " of " + container.name_of(found.id) +
                        " exceeds the " + std::to_string(source.size() - found.offset) +
                        " bytes left");
  }
  return found;
}

}  // namespace

Container read_container(ByteSource& source, const ContainerRules& rules) {
  Container container{
      .file = source.name(), .rules = rules, .sections = {}, .warnings = {}, .header_bytes = {}};
  const std::string where = "file header";
  if (source.size() < container_header_bytes) {
    throw Malformed({source.name(), where, 0},
                    "needs 12 bytes, the file has " + std::to_string(source.size()));
  }
  container.header_bytes.resize(container_header_bytes);
  source.read(0, container.header_bytes);
  Cursor cursor(container.header_bytes, source.name(), where, 0);
  const auto magic = cursor.take(4, "magic");
  if (std::memcmp(magic.data(), rules.magic.data(), 4) != 0) {
    cursor.fail("magic is not '" + std::string(rules.magic) + "': this is no ." +
                    std::string(rules.magic) + " file",
                4);
  }
  if (const std::uint32_t version = cursor.u32_le("version"); version != rules.version) {
    cursor.fail("version " + std::to_string(version) + " is not supported, only " +
                    std::to_string(rules.version),
                4);
  }
  const std::uint32_t count = cursor.u32_le("section count");
  if (count > max_sections) {
    cursor.fail(
        "section count " + std::to_string(count) + " is above " + std::to_string(max_sections), 4);
  }

  std::uint64_t at = container_header_bytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Section section = read_section_header(source, container, at, i);
    if (section.id == 0 || section.id > rules.names.size()) {
      container.warnings.push_back(source.name() + ": skipped unknown section " +
                                   std::to_string(section.id) + " at byte " + std::to_string(at));
    } else if (container.find(section.id) != nullptr) {
      throw Malformed({source.name(), container.name_of(section.id), at},
                      "the section occurs twice");
    }
    container.sections.push_back(section);
    at = section.offset + section.size;  // cannot overflow: both are bounded by the file's size
  }
  if (at != source.size()) {
    throw Malformed({source.name(), "", at},
                    std::to_string(source.size() - at) + " bytes too many after the last section");
  }
  return container;
}

Array<std::byte> read_section(ByteSource& source, const Container& container,
                              const Section& section, std::uint64_t limit_bytes) {
  if (section.size > limit_bytes) {
    throw Malformed({source.name(), container.name_of(section.id), section.offset},
                    "the section has " + std::to_string(section.size) + " bytes, at most " +
                        std::to_string(limit_bytes) + " are sensible");
  }
  auto bytes = allocate_array<std::byte>(source, static_cast<std::size_t>(section.size));
  source.read(section.offset, bytes);
  return bytes;
}

void write_u32_le(ByteSink& sink, std::uint32_t value) {
  std::array<std::byte, 4> raw;
  store_le(raw.data(), value);
  sink.write(raw);
}

void write_u64_le(ByteSink& sink, std::uint64_t value) {
  std::array<std::byte, 8> raw;
  store_le(raw.data(), value);
  sink.write(raw);
}

void write_container_header(ByteSink& sink, std::string_view magic, std::uint32_t version,
                            std::uint32_t section_count) {
  sink.write(bytes_of(magic.substr(0, 4)));
  write_u32_le(sink, version);
  write_u32_le(sink, section_count);
}

void write_section_header(ByteSink& sink, std::uint32_t id, std::uint64_t size) {
  write_u32_le(sink, id);
  write_u64_le(sink, size);
}

namespace {

/// Primes that people's files carry, by their lowest eight bytes, for a message that helps.
struct KnownPrime {
  std::uint64_t lowest_limb;
  std::size_t bytes;
  std::string_view name;
};
constexpr KnownPrime known_primes[] = {
    {0x43e1f593f0000001, 32, "BN254 (bn128) scalar field"},
    {0x3c208c16d87cfd47, 32, "BN254 (bn128) base field"},
    {0xffffffff00000001, 32, "BLS12-381 scalar field"},
    {0xb9feffffffffaaab, 48, "BLS12-381 base field"},
    {0x0a11800000000001, 32, "BLS12-377 scalar field"},
    {0x8508c00000000001, 48, "BLS12-377 base field"},
    {0x992d30ed00000001, 32, "Pallas base field"},
    {0x8c46eb2100000001, 32, "Vesta base field"},
    {0xfffffffefffffc2f, 32, "secp256k1 base field"},
};

/// @param expected  the prime that it is not, so that a prime with the same low bytes is shown in
///         full
std::string name_prime(std::span<const std::byte> prime, std::span<const std::byte> expected) {
  const bool looks_alike = prime.size() == expected.size() && prime.data() != expected.data() &&
                           std::memcmp(prime.data(), expected.data(), 8) == 0;
  if (prime.size() >= 8 && !looks_alike) {
    const auto lowest = load_le<std::uint64_t>(prime.data());
    for (const KnownPrime& known : known_primes) {
      if (known.bytes == prime.size() && known.lowest_limb == lowest)
        return std::string(known.name);
    }
  }
  std::string hex;
  for (std::size_t i = prime.size(); i-- > 0;) {
    hex += "0123456789abcdef"[std::to_integer<unsigned>(prime[i]) >> 4];
    hex += "0123456789abcdef"[std::to_integer<unsigned>(prime[i]) & 15];
  }
  return "prime 0x" + hex;
}

}  // namespace

void expect_prime(Cursor& cursor, std::span<const std::byte> modulus, const char* field) {
  constexpr std::uint32_t largest = 96;  // bytes of the largest prime worth naming (BW6-761)
  const std::uint32_t size = cursor.u32_le(field);
  if (size == 0 || size > largest) {
    cursor.fail(std::string(field) + ": a field element of " + std::to_string(size) +
                    " bytes, expected " + std::to_string(modulus.size()),
                4);
  }
  const auto prime = cursor.take(size, field);
  if (prime.size() != modulus.size() ||
      std::memcmp(prime.data(), modulus.data(), modulus.size()) != 0) {
    cursor.fail("unsupported curve: " + std::string(field) + " is " + name_prime(prime, modulus) +
                    " of " + std::to_string(size) + " bytes, expected " +
                    name_prime(modulus, modulus),
                prime.size());
  }
}

}  // namespace zkgpu::io
