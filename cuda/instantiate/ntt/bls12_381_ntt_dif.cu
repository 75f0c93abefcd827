// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/cuda_passes.cuh>

namespace zkgpu {

using Fr = bls12_381::Fr;
template void enqueue_ntt_pass<Fr, 6, NttFlow::dif>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 7, NttFlow::dif>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 8, NttFlow::dif>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);
template void enqueue_ntt_pass<Fr, 9, NttFlow::dif>(const CudaQueue&, const NttPass<Fr>&,
                                                    std::size_t);

template void enqueue_ntt_difference<Fr, 6>(const CudaQueue&, const NttPass<Fr>&,
                                            const NttDifference<Fr>&, unsigned);
template void enqueue_ntt_difference<Fr, 7>(const CudaQueue&, const NttPass<Fr>&,
                                            const NttDifference<Fr>&, unsigned);
template void enqueue_ntt_difference<Fr, 8>(const CudaQueue&, const NttPass<Fr>&,
                                            const NttDifference<Fr>&, unsigned);
template void enqueue_ntt_difference<Fr, 9>(const CudaQueue&, const NttPass<Fr>&,
                                            const NttDifference<Fr>&, unsigned);

}  // namespace zkgpu
