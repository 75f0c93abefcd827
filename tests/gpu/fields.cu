// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "fields.hpp"

#include <zkgpu/backend/launch.cuh>

namespace zkgpu::gpu_test {

namespace {

template <class Kind>
__global__ void __launch_bounds__(128)
    digests_kernel(std::size_t run, std::uint64_t* sums, std::size_t n) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= n) return;
  std::uint64_t sum = 0;
#pragma unroll 1
  for (std::size_t i = 0; i < run; ++i) sum += digest_of_operations<Kind>(k * run + i);
  sums[k] = sum;
}

template <class Kind>
__global__ void __launch_bounds__(128)
    right_inverses_kernel(std::size_t run, std::uint64_t* counts, std::size_t n) {
  const std::size_t k = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= n) return;
  std::uint64_t count = 0;
#pragma unroll 1
  for (std::size_t i = 0; i < run; ++i) count += has_right_inverse<Kind>(k * run + i) ? 1 : 0;
  counts[k] = count;
}

}  // namespace

template <class Kind>
void digests_on_device(const CudaQueue& queue, std::size_t run, DeviceSpan<std::uint64_t> sums) {
  launch(queue, grid_for(sums.size(), 128), "test.digests", digests_kernel<Kind>, run, sums.data(),
         sums.size());
}

template <class Kind>
void right_inverses_on_device(const CudaQueue& queue, std::size_t run,
                              DeviceSpan<std::uint64_t> counts) {
  launch(queue, grid_for(counts.size(), 128), "test.inverses", right_inverses_kernel<Kind>, run,
         counts.data(), counts.size());
}

using Fr = Bls12_381::Fr;
using Fq = Bls12_381::Fq;
template void digests_on_device<Exact<Fr>>(const CudaQueue&, std::size_t,
                                           DeviceSpan<std::uint64_t>);
template void digests_on_device<Exact<Fq>>(const CudaQueue&, std::size_t,
                                           DeviceSpan<std::uint64_t>);
template void digests_on_device<Lazy<Fq>>(const CudaQueue&, std::size_t, DeviceSpan<std::uint64_t>);
template void digests_on_device<Squared<Lazy<Fq>>>(const CudaQueue&, std::size_t,
                                                   DeviceSpan<std::uint64_t>);
template void right_inverses_on_device<Exact<Fr>>(const CudaQueue&, std::size_t,
                                                  DeviceSpan<std::uint64_t>);
template void right_inverses_on_device<Exact<Fq>>(const CudaQueue&, std::size_t,
                                                  DeviceSpan<std::uint64_t>);
template void right_inverses_on_device<Lazy<Fq>>(const CudaQueue&, std::size_t,
                                                 DeviceSpan<std::uint64_t>);
template void right_inverses_on_device<Squared<Lazy<Fq>>>(const CudaQueue&, std::size_t,
                                                          DeviceSpan<std::uint64_t>);

}  // namespace zkgpu::gpu_test
