// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "cache_fixtures.hpp"

#include <vector>

using namespace zkgpu;
using namespace zkgpu::test;

/// Decoded keys that were damaged, and those that someone made on purpose and had listed.
namespace {

struct Sound {
  Bytes params = toy::params();
  io::KeyCacheSource of = source_of(params);
  DecodedKey cache = decoded(params_of(params));
};

Outcome reading(const Bytes& bytes, const io::KeyCacheSource& of, const io::Digest& listed) {
  return outcome_of([&] { read_decoded(bytes, of, listed); });
}

void expect_malformed(const Outcome& outcome, const std::string& words) {
  CAPTURE(words, outcome.message);
  CHECK(outcome.kind == ErrorKind::malformed);
  CHECK(outcome.message.find("test.zkgpukey: ") == 0);
  CHECK(outcome.message.find(words) != std::string::npos);
}

/// A number of the header, what it becomes, and what the refusal says.
struct Change {
  std::size_t at, width;
  std::uint64_t value;
  const char* words;
};

std::size_t entry(std::size_t section, std::size_t at) {
  return cache_table + section * cache_entry + at;
}

std::vector<Change> changes(const Bytes& bytes) {
  const std::uint64_t size = bytes.size();
  std::vector<Change> all = {
      {0, 8, 0, "header at byte 0: not a decoded key"},
      {8, 4, 2, "version: 2 where 1 was expected"},
      {12, 4, 0x04030201, "byte order: made on a machine of the other byte order"},
      {12, 4, 5, "byte order: 5 where"},
      {16, 4, 2, "curve: 2 where 1"},
      {20, 4, 0, "form of elements: 0 where 1"},
      {24, 4, 4, "bytes of a limb: 4 where 8"},
      {28, 4, 56, "bytes of an element: 56 where 48"},
      {32, 4, 104, "bytes of a point of G1: 104 where 96"},
      {36, 4, 208, "bytes of a point of G2: 208 where 192"},
      {40, 8, size + 1, "truncated: the file has"},
      {40, 8, size - 1, "bytes too many: the file has"},
      {40, 8, ~std::uint64_t{0}, "truncated"},
      {48, 8, 1, "a source of 1 bytes does not hold them"},
      {120, 4, 0, "layout of queries: 1 or 2"},
      {120, 4, 2, "points of b_g1: 2 where 3"},  // one slot a wire
      {124, 4, 4, "points of ic and l: 3 where 4"},
      {124, 4, 0, "points of ic and l: 3 where 0"},
      {128, 4, 2, "points of h: 1 where 3"},
      {128, 4, 32, "logarithm of the domain: 0 to 31"},
      {132, 4, 5, "number of sections: 5 where 6"},
      {136, 8, 1, "reserved bytes are not zero"},
      {152, 8, std::uint64_t{1} << 63, "reserved bytes are not zero"},
      {cache_zeros, 8, 1, "reserved bytes are not zero"},
      {cache_digest_at - 8, 8, std::uint64_t{1} << 63, "reserved bytes are not zero"},
      {cache_head + 8, 8, 1, "alpha_g1: "},
      {cache_head + 96, 8, 1, "beta_g1: "},
      {cache_zeros - 8, 8, ~std::uint64_t{0}, "delta_g2: "},
  };
  for (std::size_t k = 0; k < 6; ++k) {
    const std::uint64_t offset = cache_number(bytes, k, 8), count = cache_number(bytes, k, 16);
    all.push_back({entry(k, 0), 4, 7, "kind: 7 where"});
    all.push_back({entry(k, 4), 4, 97, "bytes of a point: 97 where"});
    all.push_back({entry(k, 8), 8, offset + 1, "no multiple of 4096"});
    all.push_back({entry(k, 8), 8, offset - 4096, "overlaps what stands before it"});
    all.push_back({entry(k, 8), 8, 0, "overlaps what stands before it"});
    all.push_back({entry(k, 8), 8, offset + 4096, "offset: "});
    all.push_back({entry(k, 8), 8, ~std::uint64_t{4095}, "offset: "});
    for (const std::uint64_t many : {size, ~std::uint64_t{0}, std::uint64_t{1} << 58}) {
      all.push_back({entry(k, 16), 8, many, "points does not fit the file"});
    }
    all.push_back({entry(k, 16), 8, count - 1, "bytes: "});
    all.push_back({entry(k, 24), 8, 0, "bytes: "});
    all.push_back({entry(k, 24), 8, ~std::uint64_t{0}, "bytes: "});
    all.push_back({entry(k, 32), 8, 0, "digest: its"});
  }
  return all;
}

}  // namespace

TEST_CASE("every field of a decoded key's header is held against its rule", "[io][key][fault]") {
  const Sound sound;
  for (const Change& change : changes(sound.cache.bytes)) {
    CAPTURE(change.at, change.value);
    Bytes bytes = sound.cache.bytes;
    std::memcpy(bytes.data() + change.at, &change.value, change.width);
    if (change.at >= 40) {  // what comes before is told by itself, the rest is damage
      expect_malformed(reading(bytes, sound.of, sound.cache.digest), "digest: the header is not");
    }
    const io::Digest listed = seal(bytes);
    expect_malformed(reading(bytes, sound.of, listed), change.words);
  }
}

TEST_CASE("a flipped bit in any byte of a decoded key is refused", "[io][key][fault]") {
  const Sound sound;
  const Bytes& good = sound.cache.bytes;
  REQUIRE(reading(good, sound.of, sound.cache.digest).kind == ErrorKind{0});
  const auto in_section = [&](std::size_t at) {
    for (std::size_t k = 0; k < 6; ++k) {
      const std::size_t first = cache_number(good, k, 8);
      if (at >= first && at < first + cache_number(good, k, 24)) return true;
    }
    return at < cache_header;
  };
  // All bytes, but of the zeros between sections a few.
  const auto next = [&](std::size_t at) {
    constexpr std::size_t zeros_step = 61;
    std::size_t to = at + 1;
    while (!in_section(to) && to < at + zeros_step) ++to;
    return to;
  };
  for (std::size_t at = 0; at < good.size(); at = next(at)) {
    Bytes bytes = good;
    bytes[at] ^= std::byte{1} << (at % 8);
    const Outcome outcome = reading(bytes, sound.of, sound.cache.digest);
    CAPTURE(at, outcome.message);
    REQUIRE(outcome.kind == ErrorKind::malformed);
    if (at < cache_header) continue;
    // Sections and the zeros before them are named; here each begins at a page of its own.
    std::size_t section = at / 4096 - 1;
    if (at >= cache_number(good, section, 8) + cache_number(good, section, 24)) ++section;
    REQUIRE(outcome.message.find(std::string("test.zkgpukey: ") + cache_names[section] +
                                 " at byte") == 0);
  }
}

TEST_CASE("a header that was changed on purpose is not in the list", "[io][key][fault]") {
  const Sound sound;
  for (std::size_t at = 0; at < cache_digest_at; at += 3) {
    Bytes bytes = sound.cache.bytes;
    bytes[at] ^= std::byte{0x10};
    seal(bytes);
    CAPTURE(at);
    REQUIRE(reading(bytes, sound.of, sound.cache.digest).kind != ErrorKind{0});
  }
}

TEST_CASE("points that were changed with their digests are not in the list", "[io][key][fault]") {
  const Sound sound;
  auto file = params_of(sound.params);
  std::swap(file.key.a[0], file.key.a[1]);  // sound points: only the digest tells
  const auto other = decoded(file);
  CHECK(reading(other.bytes, sound.of, sound.cache.digest).kind == ErrorKind::insecure_key);
  CHECK(reading(other.bytes, sound.of, other.digest).kind == ErrorKind{0});
}

TEST_CASE("a decoded key that ends early or late is refused", "[io][key][fault]") {
  const Sound sound;
  const Bytes& good = sound.cache.bytes;
  std::vector<std::size_t> ends = {0, 1, 8, 40, cache_table, cache_head, cache_digest_at};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t first = cache_number(good, k, 8);
    for (const std::size_t at : {first, first + cache_number(good, k, 24)}) {
      ends.insert(ends.end(), {at - 1, at, at + 1});
    }
  }
  for (const std::size_t end : ends) {
    CAPTURE(end);
    if (end == good.size()) continue;
    Bytes bytes = good;
    bytes.resize(end);
    expect_malformed(reading(bytes, sound.of, sound.cache.digest),
                     end < good.size() ? "truncated: the file has" : "bytes too many");
    if (end < cache_header) continue;
    // Also where the header says so.
    const std::uint64_t size = end;
    std::memcpy(bytes.data() + 40, &size, 8);
    const io::Digest listed = seal(bytes);
    expect_malformed(reading(bytes, sound.of, listed),
                     end < good.size() ? "does not fit the file" : "bytes too many");
  }
}

TEST_CASE("a listed key that anyone can forge proofs for is refused", "[io][key][fault]") {
  Sound sound;
  auto file = params_of(sound.params);
  file.key.vk.delta_g2 = file.key.vk.gamma_g2;
  io::MemorySink params;
  io::write_params(params, file.key, file.ceremony);
  const auto cache = decoded(file);
  const Outcome outcome = reading(cache.bytes, source_of(params.bytes()), cache.digest);
  CHECK(outcome.kind == ErrorKind::insecure_key);
  CHECK(outcome.message.find("delta equals gamma") != std::string::npos);
}
