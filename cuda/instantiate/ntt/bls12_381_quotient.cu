// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/qap/cuda_impl.cuh>

namespace zkgpu {

template class CudaQuotientTables<Bls12_381::Fr>;
template struct Quotient<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
