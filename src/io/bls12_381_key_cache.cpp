// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/io/key_cache/key_cache_impl.hpp>

namespace zkgpu::io {

KeyCacheSource key_cache_source(ByteSource& params) {
  constexpr std::size_t g1 = uncompressed_bytes<Bls12_381::G1::Params>;
  constexpr std::size_t head = 3 * g1 + 3 * uncompressed_bytes<Bls12_381::G2::Params>;
  std::array<std::byte, head + 4> begin;
  if (params.size() < begin.size()) {
    throw Malformed({params.name(), "head", params.size()}, "too short for a .params file");
  }
  params.read(0, begin);
  const std::uint64_t points = std::uint64_t{load_be<std::uint32_t>(begin.data() + head)} * g1;
  if (points > params.size() - begin.size()) {
    throw Malformed({params.name(), "IC", head}, "more points than the file has bytes for");
  }
  DigestStream digest;
  digest.update(begin);
  std::array<std::byte, 64 * g1> buffer;
  for (std::uint64_t done = 0; done < points;) {
    const auto piece = std::span<std::byte>(buffer).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), points - done)));
    params.read(begin.size() + done, piece);
    digest.update(piece);
    done += piece.size();
  }
  return {params.size(), digest.finish()};
}

std::string key_cache_path(const std::string& folder, const KeyCacheSource& of) {
  return folder + "/" + to_hex(of.verifying_key).substr(0, 32) + ".zkgpukey";
}

template Digest write_key_cache(ByteSink&, const ParamsFile<Bls12_381>&, ProgressObserver*);
template Digest key_cache_digest<Bls12_381>(ByteSource&);
template ParamsFile<Bls12_381> read_key_cache(ByteSource&, const KeyCacheSource&,
                                              const KeyReading&);

}  // namespace zkgpu::io
