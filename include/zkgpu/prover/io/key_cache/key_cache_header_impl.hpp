// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <zkgpu/core/error.hpp>
#include <zkgpu/curve/encoding.hpp>
#include <zkgpu/prover/io/binary/vk_file.hpp>
#include <zkgpu/prover/io/bytes/cursor.hpp>
#include <zkgpu/prover/io/key/point_checks.hpp>
#include <zkgpu/prover/io/key_cache/key_cache.hpp>

/// The first 4096 bytes of a decoded key: docs/formats/key-cache.md.
namespace zkgpu::io::detail {

/// Sections stand in the file in this order.
inline constexpr std::array<const char*, 6> key_cache_sections = {"ic", "h",    "l",
                                                                  "a",  "b_g1", "b_g2"};
enum KeyCacheKind : std::size_t { kind_ic, kind_h, kind_l, kind_a, kind_b_g1, kind_b_g2 };

struct KeyCacheSection {
  std::uint64_t offset = 0, count = 0, bytes = 0;
  Digest digest;
  [[nodiscard]] std::uint64_t end() const noexcept { return offset + bytes; }
};

template <Curve C>
struct KeyCacheHeader {
  using G1 = typename C::G1;
  using G2 = typename C::G2;

  static constexpr std::size_t bytes = 4096;
  static constexpr std::size_t alignment = 4096;  // a page, and what unbuffered reads want
  static constexpr std::string_view magic = "zkgpukey";
  static constexpr std::size_t fields_bytes = 160, section_bytes = 64;
  static constexpr std::size_t head_bytes =
      3 * sizeof(typename G1::Affine) + 3 * sizeof(typename G2::Affine);
  static constexpr std::size_t digest_at = bytes - 32;
  static constexpr std::size_t zeros =
      digest_at - fields_bytes - key_cache_sections.size() * section_bytes - head_bytes;

  std::uint64_t file_bytes = 0;
  KeyCacheSource source;
  Digest source_digest;
  QueryLayout layout = QueryLayout::filtered;
  std::uint32_t num_wires = 0, log_domain = 0;
  std::array<KeyCacheSection, key_cache_sections.size()> sections;
  FullVerifyingKey<C> head;  // without IC
  Digest digest;             // of all before

  static constexpr std::uint32_t item_bytes(std::size_t kind) noexcept {
    return kind == kind_b_g2 ? sizeof(typename G2::Affine) : sizeof(typename G1::Affine);
  }
  static constexpr std::uint64_t aligned(std::uint64_t offset) noexcept {
    return (offset + alignment - 1) / alignment * alignment;
  }
  /// Sections follow each other as closely as they may.
  void place_sections() noexcept {
    std::uint64_t at = bytes;
    for (std::size_t kind = 0; kind < sections.size(); ++kind) {
      KeyCacheSection& section = sections[kind];
      section.offset = aligned(at);
      section.bytes = section.count * item_bytes(kind);
      at = section.end();
    }
    file_bytes = at;
  }
  /// fields(name, wanted): what decides how memory must be read, in file order after the magic.
  template <class Fields>
  static void for_each_constant(const Fields& fields) {
    using Fq = typename C::Fq;
    fields("version", 1u);
    fields("byte order", 0x01020304u);
    fields("curve", 1u);  // BLS12-381
    fields("form of elements", 1u);
    fields("bytes of a limb", std::uint32_t{sizeof(Fq::Integer::limb[0])});
    fields("bytes of an element", std::uint32_t{sizeof(Fq)});
    fields("bytes of a point of G1", std::uint32_t{sizeof(typename G1::Affine)});
    fields("bytes of a point of G2", std::uint32_t{sizeof(typename G2::Affine)});
  }
  /// points(point, name): those of the head, in file order.
  template <class Head, class Points>
  static void for_each_head_point(Head& head, const Points& points) {
    points(head.key.alpha_g1, "alpha_g1");
    points(head.beta_g1, "beta_g1");
    points(head.delta_g1, "delta_g1");
    points(head.key.beta_g2, "beta_g2");
    points(head.key.gamma_g2, "gamma_g2");
    points(head.key.delta_g2, "delta_g2");
  }
};

/// The block of a header; its digest goes into both.
template <Curve C>
std::array<std::byte, KeyCacheHeader<C>::bytes> format_key_cache_header(KeyCacheHeader<C>& header) {
  using H = KeyCacheHeader<C>;
  std::array<std::byte, H::bytes> block{};
  std::byte* at = block.data();
  const auto put = [&at](const void* from, std::size_t n) {
    std::memcpy(at, from, n);
    at += n;
  };
  const auto put_number = [&](auto value) { put(&value, sizeof value); };  // little-endian machines
  put(H::magic.data(), H::magic.size());
  H::for_each_constant([&](const char*, std::uint32_t value) { put_number(value); });
  put_number(header.file_bytes);
  put_number(header.source.bytes);
  put(&header.source_digest, sizeof(Digest));
  put(&header.source.verifying_key, sizeof(Digest));
  put_number(std::uint32_t{header.layout == QueryLayout::filtered ? 1u : 2u});
  put_number(header.num_wires);
  put_number(header.log_domain);
  put_number(static_cast<std::uint32_t>(header.sections.size()));
  at = block.data() + H::fields_bytes;
  for (std::size_t kind = 0; kind < header.sections.size(); ++kind) {
    const KeyCacheSection& section = header.sections[kind];
    put_number(static_cast<std::uint32_t>(kind + 1));
    put_number(H::item_bytes(kind));
    put_number(section.offset);
    put_number(section.count);
    put_number(section.bytes);
    put(&section.digest, sizeof(Digest));
  }
  H::for_each_head_point(header.head, [&](const auto& point, auto) { put(&point, sizeof point); });
  header.digest = digest_of(std::span<const std::byte>(block).first(H::digest_at));
  std::memcpy(block.data() + H::digest_at, &header.digest, sizeof(Digest));
  return block;
}

/// Reads a header and holds it against every rule that can be told without the sections.
template <Curve C>
class KeyCacheHeaderReader {
 public:
  using H = KeyCacheHeader<C>;

  explicit KeyCacheHeaderReader(ByteSource& source)
      : source_(source), at_(block_, source.name(), "header", 0) {}

  H read() {
    if (source_.size() < H::bytes) {
      throw Malformed({source_.name(), "header", source_.size()},
                      "truncated: the file has " + std::to_string(source_.size()) +
                          " bytes, the header alone " + std::to_string(H::bytes));
    }
    source_.read(0, block_);
    take_constants();
    expect_digest();
    take_fields();
    for (std::size_t kind = 0; kind < header_.sections.size(); ++kind) take_section(kind);
    take_head();
    check_counts();
    check_source_bytes();
    return header_;
  }

 private:
  static std::string differs(const char* field, std::uint64_t found, std::uint64_t wanted) {
    return std::string(field) + ": " + std::to_string(found) + " where " + std::to_string(wanted) +
           " was expected";
  }
  void expect(const char* field, std::uint32_t wanted) {
    const std::uint32_t found = at_.u32_le(field);
    if (found != wanted) at_.fail(differs(field, found, wanted), 4);
  }
  Digest take_digest(const char* field) {
    Digest digest;
    std::memcpy(digest.bytes.data(), at_.take(sizeof digest, field).data(), sizeof digest);
    return digest;
  }
  [[noreturn]] void refuse_counts(const std::string& what) const {
    throw Malformed({source_.name(), "counts of points", H::fields_bytes}, what);
  }

  void take_constants() {
    const auto found = at_.take(H::magic.size(), "magic");
    if (std::memcmp(found.data(), H::magic.data(), H::magic.size()) != 0) {
      at_.fail("not a decoded key", H::magic.size());
    }
    H::for_each_constant([this](const char* field, std::uint32_t wanted) {
      if (std::string_view(field) == "byte order" &&
          load_be<std::uint32_t>(block_.data() + at_.offset()) == wanted) {
        at_.fail("byte order: made on a machine of the other byte order");
      }
      expect(field, wanted);
    });
  }

  /// Before anything that only damage can make wrong.
  void expect_digest() {
    header_.digest = digest_of(std::span<const std::byte>(block_).first(H::digest_at));
    if (std::memcmp(block_.data() + H::digest_at, &header_.digest, sizeof(Digest)) != 0) {
      throw Malformed({source_.name(), "header", H::digest_at},
                      "digest: the header is not the one that was written");
    }
  }

  void take_fields() {
    header_.file_bytes = at_.u64_le("bytes of the file");
    if (source_.size() != header_.file_bytes) {
      const bool truncated = source_.size() < header_.file_bytes;
      at_.fail((truncated ? "truncated: the file has " : "bytes too many: the file has ") +
                   std::to_string(source_.size()) + " bytes of " +
                   std::to_string(header_.file_bytes),
               8);
    }
    header_.source.bytes = at_.u64_le("bytes of the source");
    header_.source_digest = take_digest("digest of the source");
    header_.source.verifying_key = take_digest("digest of the verifying key");
    const std::uint32_t layout = at_.u32_le("layout of queries");
    if (layout != 1 && layout != 2) at_.fail("layout of queries: 1 or 2 can be", 4);
    header_.layout = layout == 1 ? QueryLayout::filtered : QueryLayout::per_wire;
    header_.num_wires = at_.u32_le("number of wires");
    header_.log_domain = at_.u32_le("logarithm of the domain");
    if (header_.log_domain > 31) at_.fail("logarithm of the domain: 0 to 31 can be", 4);
    expect("number of sections", static_cast<std::uint32_t>(header_.sections.size()));
    for (const std::byte b : at_.take(H::fields_bytes - at_.offset(), "reserved")) {
      if (b != std::byte{0}) at_.fail("reserved bytes are not zero", 1);
    }
  }

  void take_section(std::size_t kind) {
    KeyCacheSection& section = header_.sections[kind];
    const std::string name = std::string("section ") + key_cache_sections[kind];
    const auto fail = [&](const std::string& what) { at_.fail(name + ": " + what, 8); };
    expect((name + ": kind").c_str(), static_cast<std::uint32_t>(kind + 1));
    expect((name + ": bytes of a point").c_str(), H::item_bytes(kind));
    const std::uint64_t before = kind == 0 ? H::bytes : header_.sections[kind - 1].end();
    section.offset = at_.u64_le("offset");
    if (section.offset % H::alignment != 0) fail("its offset is no multiple of 4096");
    if (section.offset < before) fail("overlaps what stands before it");
    if (section.offset != H::aligned(before)) {
      fail(differs("offset", section.offset, H::aligned(before)));
    }
    section.count = at_.u64_le("count");
    if (section.offset > header_.file_bytes ||
        section.count > (header_.file_bytes - section.offset) / H::item_bytes(kind)) {
      fail("a count of " + std::to_string(section.count) + " points does not fit the file");
    }
    section.bytes = at_.u64_le("bytes");
    const std::uint64_t wanted = section.count * H::item_bytes(kind);
    if (section.bytes != wanted) fail(differs("bytes", section.bytes, wanted));
    section.digest = take_digest("digest");
    if (kind + 1 == header_.sections.size() && section.end() != header_.file_bytes) {
      throw Malformed({source_.name(), key_cache_sections[kind], section.end()},
                      "bytes too many: the file has " +
                          std::to_string(header_.file_bytes - section.end()) + " after it");
    }
  }

  void take_head() {
    const auto take = [this]<class Affine>(Affine& point, const char* name) {
      using G = std::conditional_t<std::is_same_v<Affine, typename C::G1::Affine>, typename C::G1,
                                   typename C::G2>;
      std::memcpy(static_cast<void*>(&point), at_.take(sizeof point, name).data(), sizeof point);
      const std::string problem = point_problem<G>(point, true);  // infinity: the rules for keys
      if (!problem.empty()) at_.fail(std::string(name) + ": " + problem, sizeof point);
    };
    H::for_each_head_point(header_.head, take);
    for (const std::byte b : at_.take(H::zeros, "reserved")) {
      if (b != std::byte{0}) at_.fail("reserved bytes are not zero", 1);
    }
  }

  /// The rules of `.params` files.
  void check_counts() const {
    const auto count = [this](std::size_t kind) { return header_.sections[kind].count; };
    const std::uint64_t wires = header_.num_wires;
    if (count(kind_ic) == 0) refuse_counts("ic has no point: it has that of the constant one");
    if (count(kind_ic) + count(kind_l) != wires) {
      refuse_counts(differs("points of ic and l", count(kind_ic) + count(kind_l), wires));
    }
    const std::uint64_t domain = std::uint64_t{1} << header_.log_domain;
    if (count(kind_h) + 1 != domain)
      refuse_counts(differs("points of h", count(kind_h), domain - 1));
    const bool per_wire = header_.layout == QueryLayout::per_wire;
    for (const auto kind : {kind_a, kind_b_g1}) {
      if (count(kind) > wires || (per_wire && count(kind) != wires)) {
        refuse_counts(differs(("points of " + std::string(key_cache_sections[kind])).c_str(),
                              count(kind), wires));
      }
    }
    if (count(kind_b_g1) != count(kind_b_g2)) {
      refuse_counts(differs("points of b_g2", count(kind_b_g2), count(kind_b_g1)));
    }
  }

  /// A `.params` file with so many points has this length, or more by the tail of a ceremony.
  void check_source_bytes() const {
    constexpr std::uint64_t g1 = uncompressed_bytes<typename H::G1::Params>;
    constexpr std::uint64_t g2 = uncompressed_bytes<typename H::G2::Params>;
    std::uint64_t points = 3 * g1 + 3 * g2;
    for (std::size_t kind = 0; kind < header_.sections.size(); ++kind) {
      points += 4 + header_.sections[kind].count * (kind == kind_b_g2 ? g2 : g1);
    }
    constexpr std::uint64_t tail = 68, contribution = 3 * g1 + g2 + 64;
    if (header_.source.bytes == points) return;
    if (header_.source.bytes >= points + tail &&
        (header_.source.bytes - points - tail) % contribution == 0) {
      return;
    }
    refuse_counts("a source of " + std::to_string(header_.source.bytes) +
                  " bytes does not hold them; without a ceremony it would have " +
                  std::to_string(points));
  }

  ByteSource& source_;
  std::array<std::byte, H::bytes> block_{};
  Cursor at_;
  H header_;
};

}  // namespace zkgpu::io::detail
