// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/witness/cuda_impl.cuh>

namespace zkgpu {

template struct RowKernels<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
