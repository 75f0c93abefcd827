// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstdint>

namespace zkgpu {

/// Where the points of a key's queries are while proofs run on a device.
enum class KeyPlace : std::uint8_t {
  load_per_proof,   ///< copied to the device before each sum, given back after it
  resident_host,    ///< in the host's memory: each sum brings them to the device in chunks
  budgeted_lru,     ///< on the device from their first use on; where the budget is full, the query
                    ///< that was used the longest ago, and not now, goes
  resident_device,  ///< on the device, with as many multiples as there is room for
  split_resident,   ///< as many queries as the budget holds on the device, the others as in
                    ///< `resident_host`
};

}  // namespace zkgpu
