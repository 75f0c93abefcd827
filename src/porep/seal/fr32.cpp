// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/porep/seal/fr32.hpp>

namespace zkgpu::porep {

std::vector<std::byte> fr32_pad(Bytes raw) {
  constexpr std::size_t data_bits = 254, node_bytes = sizeof(Node);
  const auto raw_at = [raw](std::size_t i) {
    return i < raw.size() ? std::to_integer<unsigned>(raw[i]) : 0U;
  };
  std::vector<std::byte> padded((8 * raw.size() + data_bits - 1) / data_bits * node_bytes);
  for (std::size_t i = 0; i < padded.size(); ++i) {
    const std::size_t bit = i / node_bytes * data_bits + i % node_bytes * 8;  // of the data
    const unsigned two_bytes = raw_at(bit / 8) | raw_at(bit / 8 + 1) << 8;
    padded[i] = static_cast<std::byte>(two_bytes >> bit % 8);
    if (i % node_bytes == node_bytes - 1) padded[i] &= std::byte{0x3f};
  }
  return padded;
}

}  // namespace zkgpu::porep
