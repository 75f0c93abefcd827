// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: phase10: its workers' proofs together do not fit into the device's memory
#include <cstddef>

#include <zkgpu/prover/pipeline/presets.hpp>

using namespace zkgpu::pipeline;  // NOLINT

// Three workers with a and b, 4 GiB each, and the quotient's third column.
constexpr CircuitShape shape{.domain_size = std::size_t{1} << 27, .field_bytes = 32};
#ifdef OFFENCE
constexpr std::size_t device_bytes = std::size_t{16} << 30;
#else
constexpr std::size_t device_bytes = std::size_t{48} << 30;
#endif

int main() { return phase10<shape, device_bytes>::name.empty() ? 1 : 0; }
