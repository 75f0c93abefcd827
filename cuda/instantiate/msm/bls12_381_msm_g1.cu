// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda_impl.cuh>

namespace zkgpu {

template class CudaMsmBases<Bls12_381::G1>;
template struct Msm<Bls12_381::G1, Cuda>;

}  // namespace zkgpu
