// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/iden3/zkey_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  using Curve = Bls12_381;
  const fuzz::Input bytes = fuzz::input(data, size);
  io::SpanSource source(bytes, "zkey");
  io::ZkeyFile<Curve> file;
  if (!fuzz::accepts([&] { file = io::read_zkey<Curve>(source, fuzz::key_reading()); })) return 0;
  const auto& key = file.key;
  fuzz::require(key.a.size() == key.num_wires && key.h.size() == key.domain_size() &&
                    key.a_matrix.rows() == key.domain_size(),
                "sizes of an accepted key fit each other");
  fuzz::require(file.report.digest == io::digest_of(bytes), "the digest is that of the bytes");
  // Order of sections and of coefficients is free: what is written is read as the same key.
  const auto back =
      fuzz::written([&](io::ByteSink& sink) { io::write_zkey(sink, key, file.ceremony); });
  io::SpanSource again_source(back, "again");
  const auto again = io::read_zkey<Curve>(again_source, fuzz::key_reading());
  fuzz::require(again.key.vk == key.vk && again.key.a == key.a && again.key.b_g2 == key.b_g2 &&
                    again.key.h == key.h && again.key.a_matrix == key.a_matrix &&
                    again.key.b_matrix == key.b_matrix,
                "a written key is read as the same key");
  fuzz::require(fuzz::equal(fuzz::written([&](io::ByteSink& sink) {
                              io::write_zkey(sink, again.key, again.ceremony);
                            }),
                            back),
                "a written key is written again as the same bytes");
  return 0;
}
