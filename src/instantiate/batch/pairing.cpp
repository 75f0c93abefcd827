// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/batch/pairing_impl.hpp>

namespace zkgpu::batch {
template bool miller_loops_run_in_lanes<Bls12_381>(std::size_t);
template Bls12_381::Fq12 multi_miller_loop<Bls12_381>(std::span<const PairingTerm<Bls12_381>>);
}  // namespace zkgpu::batch
