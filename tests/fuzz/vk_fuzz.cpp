// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "harness/fuzz_target.hpp"

#include <zkgpu/prover/io/binary/vk_file.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace zkgpu;
  using Curve = Bls12_381;
  const fuzz::Input bytes = fuzz::input(data, size);
  io::FullVerifyingKey<Curve> full;
  if (fuzz::accepts([&] { full = io::parse_bellman_vk<Curve>(bytes, "vk"); })) {
    const auto back = fuzz::written([&](io::ByteSink& sink) { io::write_bellman_vk(sink, full); });
    fuzz::require(fuzz::equal(back, bytes), "an accepted bellman key comes back");
  }
  VerifyingKey<Curve> vk;
  if (fuzz::accepts([&] { vk = io::parse_waves_vk<Curve>(bytes, "vk"); })) {
    const auto back = fuzz::written([&](io::ByteSink& sink) { io::write_waves_vk(sink, vk); });
    fuzz::require(fuzz::equal(back, bytes), "an accepted Waves key comes back");
  }
  if (fuzz::accepts([&] { full = io::parse_gnark_vk<Curve>(bytes, "vk"); })) {
    constexpr std::size_t around = 432 + 4 + 8;  // six points, the count of K, two empty lists
    fuzz::require(bytes.size() == around + 48 * full.key.ic.size(),
                  "every byte of an accepted gnark key is accounted for");
  }
  return 0;
}
