// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/io/tables/cuda_table_file_impl.hpp>

namespace zkgpu::io {

using G1 = Bls12_381::G1;
using G2 = Bls12_381::G2;
template void write_cuda_msm_table(ByteSink&, const Cuda&, const CudaQueue&,
                                   const CudaMsmBases<G1>&);
template void write_cuda_msm_table(ByteSink&, const Cuda&, const CudaQueue&,
                                   const CudaMsmBases<G2>&);
template CudaMsmBases<G1> read_cuda_msm_table<G1>(ByteSource&, const Cuda&, const CudaQueue&,
                                                  std::span<const G1::Affine>);
template CudaMsmBases<G2> read_cuda_msm_table<G2>(ByteSource&, const Cuda&, const CudaQueue&,
                                                  std::span<const G2::Affine>);

}  // namespace zkgpu::io
