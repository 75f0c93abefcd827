// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/groth16/stages/cuda.hpp>
#include <zkgpu/prover/prover_impl.hpp>

namespace zkgpu {

template class Prover<Bls12_381, Cuda, pipeline::datacenter>;
template class Prover<Bls12_381, Cuda, pipeline::low_memory>;

}  // namespace zkgpu
