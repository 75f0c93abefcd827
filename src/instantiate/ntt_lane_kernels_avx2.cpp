// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX2 and FMA: nothing but the kernels, whose names carry the architecture.
#if defined(__x86_64__)
#include <zkgpu/ntt/cpu/lane_arithmetic_avx2_impl.hpp>
#include <zkgpu/ntt/cpu/lane_kernels_impl.hpp>

namespace zkgpu::ntt_cpu {
template struct LaneKernels<Bls12_381::Fr, arch::avx2>;
}  // namespace zkgpu::ntt_cpu
#endif
