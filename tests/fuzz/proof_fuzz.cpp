// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/binary/proof_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  const fuzz::Input bytes = fuzz::input(data, size);
  std::vector<Proof<Bls12_381>> proofs;
  if (!fuzz::accepts([&] { proofs = io::parse_proofs<Bls12_381>(bytes, "proof"); })) return 0;
  fuzz::require(!proofs.empty(), "an accepted file has a proof");
  for (const auto& proof : proofs) {
    fuzz::require(!proof.a.is_infinity() && !proof.b.is_infinity() && !proof.c.is_infinity(),
                  "no point of a proof is infinity");
  }
  const auto back = fuzz::written([&](io::ByteSink& sink) {
    for (const auto& proof : proofs) io::write_proof(sink, proof);
  });
  fuzz::require(fuzz::equal(back, bytes), "an accepted proof comes back");
  return 0;
}
