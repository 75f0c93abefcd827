// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda_passes.cuh>

namespace zkgpu {

using Fr = bls12_381::Fr;
template void enqueue_ntt_pass<Fr, 6, NttFlow::dit>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 7, NttFlow::dit>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 8, NttFlow::dit>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 9, NttFlow::dit>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);

}  // namespace zkgpu
