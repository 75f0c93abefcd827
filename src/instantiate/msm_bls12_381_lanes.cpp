// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/msm/cpu/lane_sums.hpp>
#include <zkgpu/msm/cpu_impl.hpp>

#if defined(__x86_64__)
namespace zkgpu {
template class CpuMsmBases<Bls12_381::G1, arch::avx512ifma>;
template class CpuMsmBases<Bls12_381::G2, arch::avx512ifma>;
template struct Msm<Bls12_381::G1, Cpu<arch::avx512ifma>>;
template struct Msm<Bls12_381::G2, Cpu<arch::avx512ifma>>;
}  // namespace zkgpu
#endif
