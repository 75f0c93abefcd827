// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/binary/params_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  const fuzz::Input bytes = fuzz::input(data, size);
  io::SpanSource source(bytes, "params");
  io::ParamsFile<Bls12_381> file;
  if (!fuzz::accepts([&] { file = io::read_params<Bls12_381>(source, fuzz::key_reading()); })) {
    return 0;
  }
  const auto& key = file.key;
  fuzz::require(key.h.size() + 1 == key.domain_size(), "h has one point fewer than the domain");
  fuzz::require(key.b_g1.size() == key.b_g2.size(), "b has as many points in G1 as in G2");
  fuzz::require(key.num_wires == key.vk.ic.size() + key.l.size(), "every wire is in ic or l");
  fuzz::require(file.report.digest == io::digest_of(bytes), "the digest is that of the bytes");
  const auto back =
      fuzz::written([&](io::ByteSink& sink) { io::write_params(sink, key, file.ceremony); });
  fuzz::require(fuzz::equal(back, bytes), "an accepted file comes back");
  return 0;
}
