// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/c1_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  const fuzz::Input bytes = fuzz::input(data, size);
  porep::C1File file;
  if (!fuzz::accepts([&] { file = fuzz::read(bytes); })) return 0;
  if (file.form == porep::C1Form::bincode) return 0;
  fuzz::require(nlohmann::json::accept(fuzz::text(bytes)), "what is accepted is JSON");
  fuzz::require(file.proof.has_value(), "JSON says of which type it is");
  const std::string again = test::c1::JsonText(file.output, file.shape, file.proof->name).text;
  fuzz::require(fuzz::read(io::bytes_of(again)).output == file.output,
                "a written output is read as the same");
  return 0;
}
