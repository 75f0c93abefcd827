// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/reduce.cuh>

namespace zkgpu::msm_cuda {

using P = bls12_381::G2Params;
template void enqueue_merge<P>(const CudaQueue&, std::uint32_t*, Xyzz<LazyParams<P>>*, std::size_t,
                               Xyzz<LazyParams<P>>*);
template void enqueue_reduce<P>(const CudaQueue&, const CudaMsmPlan&, const Xyzz<LazyParams<P>>*,
                                Xyzz<LazyParams<P>>*, Xyzz<LazyParams<P>>*, Jacobian<P>*);

}  // namespace zkgpu::msm_cuda
