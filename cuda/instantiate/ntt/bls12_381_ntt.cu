// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda_impl.cuh>

namespace zkgpu {

template class CudaNttTwiddles<Bls12_381::Fr>;
template struct Ntt<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
