// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX-512 IFMA: nothing but the kernels, whose names carry the architecture.
#if defined(__x86_64__)
#include <zkgpu/msm/cpu/lane_sums_avx512ifma_impl.hpp>

namespace zkgpu::msm_cpu {
template struct LaneSumKernels<Bls12_381::G1, arch::avx512ifma>;
template struct LaneSumKernels<Bls12_381::G2, arch::avx512ifma>;
}  // namespace zkgpu::msm_cpu
#endif
