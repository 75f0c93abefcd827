// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/c1_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  const fuzz::Input bytes = fuzz::input(data, size);
  porep::C1File file;
  if (!fuzz::accepts([&] { file = fuzz::read(bytes); })) return 0;
  if (file.form != porep::C1Form::bincode) return 0;
  fuzz::require(test::c1::BincodeBytes(file.output, file.shape).text == fuzz::text(bytes),
                "accepted bincode is the one that its content has");
  return 0;
}
