// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/iden3/r1cs_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  using Fr = Bls12_381::Fr;
  const fuzz::Input bytes = fuzz::input(data, size);
  io::SpanSource source(bytes, "r1cs");
  io::R1csFile<Fr> file;
  if (!fuzz::accepts([&] { file = io::read_r1cs<Fr>(source); })) return 0;
  fuzz::require(file.system.num_public < file.system.num_wires, "wire 0 is not public");
  for (const auto* matrix : {&file.system.a, &file.system.b, &file.system.c}) {
    for (const std::uint32_t wire : matrix->column) {
      fuzz::require(wire < file.system.num_wires, "every wire is in range");
    }
  }
  const auto back = fuzz::written([&](io::ByteSink& sink) { io::write_r1cs(sink, file); });
  io::SpanSource again_source(back, "again");
  const auto again = io::read_r1cs<Fr>(again_source);
  fuzz::require(again.system == file.system && again.wire_labels == file.wire_labels,
                "a written system is read as the same system");
  return 0;
}
