// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <vector>

#include <zkgpu/prover/porep/hash/digests.hpp>

/// Data of users as nodes. Bits of bytes count from the least significant; every 254 bits of data
/// get two zero bits, so that a node is below the modulus: 127 bytes become 128.
namespace zkgpu::porep {

/// @return  whole nodes: the last one is filled up with zeros
[[nodiscard]] std::vector<std::byte> fr32_pad(Bytes raw);

}  // namespace zkgpu::porep
