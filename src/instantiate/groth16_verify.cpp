// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/groth16/verify_impl.hpp>

namespace zkgpu {

template class detail::LazyPreparedG2<Bls12_381>;
template Bls12_381::Fq12 detail::cubed_pairings<Bls12_381>(
    std::span<const PairingTerm<Bls12_381>>,
    std::span<const detail::LazyPreparedG2<Bls12_381>* const>);
template class PreparedVerifyingKey<Bls12_381>;
template Bls12_381::G1::Affine public_sum<Bls12_381>(const VerifyingKey<Bls12_381>&,
                                                     std::span<const Bls12_381::Fr::Integer>);
template bool verify<Bls12_381>(const PreparedVerifyingKey<Bls12_381>&,
                                std::span<const Bls12_381::Fr::Integer>, const Proof<Bls12_381>&);
template bool verify_batch<Bls12_381>(const PreparedVerifyingKey<Bls12_381>&,
                                      std::span<const Statement<Bls12_381>>, EntropySource&);

}  // namespace zkgpu
