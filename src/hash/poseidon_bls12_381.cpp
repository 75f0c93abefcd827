// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/hash/poseidon_impl.hpp>

namespace zkgpu {

template PoseidonConstants<Bls12_381::Fr> derive_poseidon_constants(unsigned);
template class Poseidon<Bls12_381::Fr>;
template const Poseidon<Bls12_381::Fr>& poseidon<Bls12_381::Fr>(unsigned);

}  // namespace zkgpu
