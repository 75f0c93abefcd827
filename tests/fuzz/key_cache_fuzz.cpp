// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <cstring>
#include <vector>

#include <zkgpu/prover/io/key_cache/key_cache.hpp>

/// The digests of headers cannot be found by mutation: a header is given its own, and every key is
/// taken for the one that is asked for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  constexpr std::size_t digest_at = 4064;
  const fuzz::Input given = fuzz::input(data, size);
  std::vector<std::byte> bytes(given.begin(), given.end());
  if (bytes.size() >= digest_at + sizeof(io::Digest)) {
    const io::Digest digest = io::digest_of(fuzz::Input(bytes).first(digest_at));
    std::memcpy(bytes.data() + digest_at, &digest, sizeof digest);
  }
  io::SpanSource source(bytes, "key cache");
  io::CheckedKeys list;
  io::KeyCacheSource of;
  io::ParamsFile<Bls12_381> file;
  const auto decode = [&] {
    list.insert(io::key_cache_digest<Bls12_381>(source));
    std::memcpy(&of.bytes, bytes.data() + 48, sizeof of.bytes);
    std::memcpy(&of.verifying_key, bytes.data() + 88, sizeof(io::Digest));
    file = io::read_key_cache<Bls12_381>(source, of, {.checked = &list});
  };
  if (!fuzz::accepts(decode)) return 0;
  const auto& key = file.key;
  fuzz::require(key.h.size() + 1 == key.domain_size(), "h has one point fewer than the domain");
  fuzz::require(key.b_g1.size() == key.b_g2.size(), "b has as many points in G1 as in G2");
  fuzz::require(key.num_wires == key.vk.ic.size() + key.l.size(), "every wire is in ic or l");
  const auto back =
      fuzz::written([&](io::ByteSink& sink) { io::write_key_cache<Bls12_381>(sink, file); });
  fuzz::require(back.size() == bytes.size(), "an accepted file comes back");
  // The header names source and its length, which the key alone does not have.
  fuzz::require(fuzz::equal(fuzz::Input(back).subspan(120, digest_at - 120),
                            fuzz::Input(bytes).subspan(120, digest_at - 120)),
                "sections, counts and points come back");
  fuzz::require(fuzz::equal(fuzz::Input(back).subspan(4096), fuzz::Input(bytes).subspan(4096)),
                "all points come back");
  return 0;
}
