// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/groth16/generate_impl.hpp>

namespace zkgpu {

template ProvingKey<Bls12_381> generate_key<Bls12_381>(const R1cs<Bls12_381::Fr>&,
                                                       const ToxicWaste<Bls12_381::Fr>&, KeyForm,
                                                       ProgressObserver*);

}  // namespace zkgpu
