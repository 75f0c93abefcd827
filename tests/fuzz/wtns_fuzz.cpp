// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/iden3/wtns_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  using Fr = Bls12_381::Fr;
  const fuzz::Input bytes = fuzz::input(data, size);
  io::SpanSource source(bytes, "wtns");
  Witness<Fr> witness;
  if (!fuzz::accepts([&] { witness = io::read_wtns<Fr>(source); })) return 0;
  fuzz::require(witness.values[0] == Fr::Integer::from_uint64(1), "value 0 is one");
  const auto back = fuzz::written([&](io::ByteSink& sink) { io::write_wtns(sink, witness); });
  io::SpanSource again_source(back, "again");
  const auto again = io::read_wtns<Fr>(again_source);
  fuzz::require(again.values == witness.values, "a written witness is read as the same values");
  return 0;
}
