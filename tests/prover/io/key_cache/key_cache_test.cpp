// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include "cache_fixtures.hpp"
#include "same_key.hpp"

#include <atomic>

using namespace zkgpu;
using namespace zkgpu::test;

namespace {

/// A file of so many points of a, and what belongs to them; nobody checks that they are a key.
io::ParamsFile<Bls> file_with(std::size_t points) {
  io::ParamsFile<Bls> file = params_of(toy::params());
  ProvingKey<Bls>& key = file.key;
  key.num_wires = 1u << 16;
  key.l.assign(key.num_wires - key.vk.ic.size(), toy::g1(3));
  key.a.resize(points);
  for (std::size_t i = 0; i < points; ++i) key.a[i] = i % 3 == 0 ? toy::g1(4) : key.l[0];
  for (std::size_t i = 0; i < points; i += 1000) key.a[i].x = Bls::Fq(static_cast<int>(i));
  return file;
}

/// Memory that counts what is asked of it, and may refuse.
class MeteredSource final : public io::ByteSource {
 public:
  MeteredSource(const Bytes& bytes, bool refuse)
      : ByteSource("metered", bytes.size()), bytes_(bytes), refuse_(refuse) {}
  void read(std::uint64_t offset, std::span<std::byte> out) override {
    REQUIRE(offset + out.size() <= bytes_.size());
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
    read_bytes += out.size();
  }
  void admit_memory(std::size_t n) override {
    if (refuse_) throw std::bad_alloc();
    admitted += n;
  }
  std::atomic<std::uint64_t> read_bytes = 0;
  std::uint64_t admitted = 0;

 private:
  const Bytes& bytes_;
  bool refuse_;
};

}  // namespace

TEST_CASE("a decoded key is the key it was made of", "[io][key]") {
  for (const Bytes& params : {toy::params(), snarkjs_params()}) {
    const auto file = params_of(params);
    const auto cache = decoded(file);
    CHECK(decoded(file).bytes == cache.bytes);  // the same bytes each time
    const auto back = read_decoded(cache.bytes, source_of(params), cache.digest);
    expect_same_key(back.key, file.key);
    CHECK(back.report.digest == io::digest_of(params));
    CHECK(back.report.was_listed);
    CHECK_FALSE(back.ceremony.present);
    io::SpanSource source(cache.bytes, "test.zkgpukey");
    CHECK(io::key_cache_digest<Bls>(source) == cache.digest);
  }
}

TEST_CASE("the decoded keys of published parameters are the keys", "[io][key][vec]") {
  if (!shared_present("golden/reference/groth16")) return;
  for (const char* name : {"squarings-4", "squarings-8", "squarings-10", "xor"}) {
    INFO(name);
    RealEnv env;
    const auto path = shared_dir() / "golden/reference/groth16" / (std::string(name) + ".params");
    const auto raw = io::read_file(env, path.string(), std::uint64_t{1} << 24);
    const auto file = params_of(raw);
    const auto cache = decoded(file);
    expect_same_key(read_decoded(cache.bytes, source_of(raw), cache.digest).key, file.key);
  }
}

TEST_CASE("sections of many chunks come back, whatever their last one is", "[io][key]") {
  constexpr std::size_t three_chunks = (std::size_t{3} << 20) / 96;
  for (const std::size_t points :
       {std::size_t{0}, three_chunks - 1, three_chunks, three_chunks + 1}) {
    INFO(points << " points");
    const auto file = file_with(points);
    const auto cache = decoded(file);
    MeteredSource source(cache.bytes, false);
    io::CheckedKeys list;
    list.insert(cache.digest);
    const io::KeyCacheSource of{io::load_le<std::uint64_t>(cache.bytes.data() + 48),
                                source_of(toy::params()).verifying_key};
    const auto back = io::read_key_cache<Bls>(source, of, {.checked = &list});
    CHECK(back.key.a == file.key.a);
    CHECK(back.key.l == file.key.l);
    CHECK(source.read_bytes == cache.bytes.size());  // every byte, once
    CHECK(source.admitted <= cache.bytes.size());
    if (points == 0) continue;
    for (const std::size_t at : {std::size_t{0}, points * 96 / 2, points * 96 - 1}) {
      Bytes bad = cache.bytes;
      bad[cache_number(bad, 3, 8) + at] ^= std::byte{1};
      CHECK(outcome_of([&] { read_decoded(bad, of, cache.digest); }).kind == ErrorKind::malformed);
    }
  }
}

TEST_CASE("a decoded key has the layout that its page describes", "[io][key]") {
  const Bytes params = toy::params();
  const auto file = params_of(params);
  const Bytes bytes = decoded(file).bytes;
  CHECK(std::memcmp(bytes.data(), "zkgpukey", 8) == 0);
  const std::uint32_t constants[] = {1, 0x01020304, 1, 1, 8, 48, 96, 192};
  CHECK(std::memcmp(bytes.data() + 8, constants, sizeof constants) == 0);
  CHECK(io::load_le<std::uint64_t>(bytes.data() + 40) == bytes.size());
  CHECK(io::load_le<std::uint64_t>(bytes.data() + 48) == params.size());
  CHECK(std::memcmp(bytes.data() + 56, &file.report.digest, 32) == 0);
  const auto vk = std::span<const std::byte>(params).first(864 + 4 + 2 * 96);
  const io::Digest vk_digest = io::digest_of(vk);
  CHECK(std::memcmp(bytes.data() + 88, &vk_digest, 32) == 0);
  const std::uint32_t shape[] = {1, 3, 1, 6};  // filtered, wires, domain of 2, sections
  CHECK(std::memcmp(bytes.data() + 120, shape, sizeof shape) == 0);
  const std::uint64_t counts[] = {2, 1, 1, 3, 2, 2};
  for (std::size_t k = 0; k < 6; ++k) {
    INFO(cache_names[k]);
    const std::size_t size = k == 5 ? 192 : 96;
    CHECK(cache_number(bytes, k, 0) == (k + 1) + (size << 32));
    CHECK(cache_number(bytes, k, 8) == 4096 * (k + 1));
    CHECK(cache_number(bytes, k, 16) == counts[k]);
    CHECK(cache_number(bytes, k, 24) == counts[k] * size);
    // One chunk: the digest of its digest.
    const io::Digest inner =
        io::digest_of(std::span<const std::byte>(bytes).subspan(4096 * (k + 1), counts[k] * size));
    const io::Digest outer = io::digest_of(inner.bytes);
    CHECK(std::memcmp(bytes.data() + cache_table + k * cache_entry + 32, &outer, 32) == 0);
  }
  CHECK(bytes.size() == 4096 * 6 + 2 * 192);
  CHECK(std::memcmp(bytes.data() + cache_head, &file.key.vk.alpha_g1, 96) == 0);
  CHECK(std::memcmp(bytes.data() + cache_zeros - 192, &file.key.vk.delta_g2, 192) == 0);
  CHECK(std::memcmp(bytes.data() + 4096 * 4, file.key.a.data(), 3 * 96) == 0);
}

TEST_CASE("a decoded key is used for its own source and by its own list only", "[io][key][fault]") {
  const Bytes params = toy::params();
  const auto cache = decoded(params_of(params));
  const io::KeyCacheSource of = source_of(params);
  const auto refused = [&](const io::KeyCacheSource& other, ErrorKind kind, const char* words) {
    const Outcome outcome = outcome_of([&] { read_decoded(cache.bytes, other, cache.digest); });
    CHECK(outcome.kind == kind);
    CHECK(outcome.message.find("test.zkgpukey: a decoded key of another file") == 0);
    CHECK(outcome.message.find(words) != std::string::npos);
  };
  refused({of.bytes + 544, of.verifying_key}, ErrorKind::invalid_argument, "that had");
  refused({of.bytes, io::digest_of(params)}, ErrorKind::invalid_argument, "verifying key");
  const Outcome unlisted =
      outcome_of([&] { read_decoded(cache.bytes, of, io::digest_of(params)); });
  CHECK(unlisted.kind == ErrorKind::insecure_key);
  CHECK(unlisted.message.find("not in the list of checked keys") != std::string::npos);
  io::SpanSource source(cache.bytes, "test");
  CHECK_THROWS_AS(io::read_key_cache<Bls>(source, of, {}), InvalidArgument);
}

TEST_CASE("memory that cannot be had for a decoded key is told as such", "[io][key][fault]") {
  const Bytes params = toy::params();
  const auto cache = decoded(params_of(params));
  io::CheckedKeys list;
  list.insert(cache.digest);
  MeteredSource source(cache.bytes, true);
  CHECK_THROWS_AS(io::read_key_cache<Bls>(source, source_of(params), {.checked = &list}),
                  ResourceExhausted);
}

TEST_CASE("a key that no params file holds is not written decoded", "[io][key]") {
  io::ParamsFile<Bls> file;
  file.key = toy::proving_key();
  CHECK_THROWS_AS(decoded(file), InvalidArgument);
}

TEST_CASE("the beginning of params names their decoded key", "[io][key]") {
  const Bytes params = toy::params();
  const io::KeyCacheSource of = source_of(params);
  CHECK(io::key_cache_path("folder", of) ==
        "folder/" + io::to_hex(of.verifying_key).substr(0, 32) + ".zkgpukey");
  for (const std::size_t cut : {std::size_t{0}, std::size_t{867}, std::size_t{868 + 2 * 96 - 1}}) {
    CHECK_THROWS_AS(source_of(std::span(params).first(cut)), Malformed);
  }
  CHECK(source_of(std::span(params).first(868 + 2 * 96)).verifying_key == of.verifying_key);
  Bytes many = params;
  many[864] = std::byte{0xff};
  CHECK_THROWS_AS(source_of(many), Malformed);
}
