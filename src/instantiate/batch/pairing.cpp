// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/batch/pairing_impl.hpp>

namespace zkgpu::batch {
template bool miller_loops_run_in_lanes<Bls12_381>(std::size_t);
template Bls12_381::Fq12 multi_miller_loop<Bls12_381>(std::span<const PairingTerm<Bls12_381>>);
template Bls12_381::Fq12 final_exponentiation_cubed<Bls12_381>(const Bls12_381::Fq12&);
template Bls12_381::Fq12 final_exponentiation<Bls12_381>(const Bls12_381::Fq12&);
template Bls12_381::Fq12 pairing<Bls12_381>(const Bls12_381::G1::Affine&,
                                            const Bls12_381::G2::Affine&);
template bool pairing_check<Bls12_381>(std::span<const PairingTerm<Bls12_381>>);
}  // namespace zkgpu::batch
