// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/point_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zkgpu::fuzz::check_point_decoders<zkgpu::Bls12_381::G2>(zkgpu::fuzz::input(data, size));
  return 0;
}
