// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/tables.cuh>

namespace zkgpu::msm_cuda {

using P = bls12_381::G2Params;
template void enqueue_infinity<P>(const CudaQueue&, const Affine<P>*, std::uint8_t*, std::size_t);
template void enqueue_multiples<P>(const CudaQueue&, const Affine<P>*, Affine<P>*, std::size_t,
                                   unsigned, LazyBucket<P>*, LazyFieldOf<typename P::BaseField>*);

}  // namespace zkgpu::msm_cuda
