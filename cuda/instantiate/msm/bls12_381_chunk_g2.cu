// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/steps/chunk_impl.cuh>

namespace zkgpu::msm_cuda {

using P = bls12_381::G2Params;
template void begin_list<P>(const CudaQueue&, const CudaMsmPlan&, const Arrays<P>&, std::size_t);
template void append_digits<P>(const CudaQueue&, const CudaMsmPlan&, const Arrays<P>&,
                               DeviceSpan<const typename P::ScalarField::Integer>,
                               DeviceSpan<const std::uint8_t>, std::size_t, std::size_t);
template void sum_digits<P>(const CudaQueue&, const CudaMsmPlan&, const Affine<P>*,
                            const Arrays<P>&, std::size_t, LazyBucket<P>*);
template void sum_sorted<P>(const CudaQueue&, const CudaMsmPlan&, const Affine<P>*,
                            const Arrays<P>&, EntryList, ListLength, LazyBucket<P>*);
template void add_buckets<P>(const CudaQueue&, LazyBucket<P>*, const LazyBucket<P>*, std::size_t);

}  // namespace zkgpu::msm_cuda
