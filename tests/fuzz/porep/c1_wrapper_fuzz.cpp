// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "porep/c1_fuzz.hpp"

/// The bytes as what the base64 of a wrapper stands for, and as a wrapper.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  const fuzz::Input bytes = fuzz::input(data, size);
  porep::C1File file;
  if (fuzz::accepts([&] { file = fuzz::read(bytes); }) && file.form == porep::C1Form::wrapper) {
    fuzz::require(nlohmann::json::accept(fuzz::text(bytes)), "what is accepted is JSON");
    const std::string json = test::c1::JsonText(file.output, file.shape, file.proof->name).text;
    const std::string again = test::c1::wrapper(json, file.shape.bytes(), *file.sector_number);
    fuzz::require(fuzz::read(io::bytes_of(again)).output == file.output,
                  "a written output is read as the same");
  }
  porep::C1File plain, wrapped;
  const bool accepted =
      fuzz::accepts([&] { plain = fuzz::read(bytes); }) && plain.form == porep::C1Form::json;
  const std::string text = test::c1::wrapper(fuzz::text(bytes), 2048);
  if (fuzz::accepts([&] { wrapped = fuzz::read(io::bytes_of(text)); })) {
    fuzz::require(accepted && wrapped.output == plain.output, "base64 changes nothing");
  } else {
    fuzz::require(!accepted || plain.shape.bytes() != 2048, "base64 takes nothing away");
  }
  return 0;
}
