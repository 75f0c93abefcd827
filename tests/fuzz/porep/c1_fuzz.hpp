// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include <zkgpu/prover/porep/c1/read.hpp>

#include "fuzz_target.hpp"
#include "prover/porep/c1/toy_c1.hpp"

namespace zkgpu::fuzz {

inline porep::C1File read(Input bytes) {
  io::SpanSource source(bytes, "c1");
  return porep::read_c1(source);
}

inline std::string_view text(Input bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace zkgpu::fuzz
