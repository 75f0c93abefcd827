// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/msm/cpu_impl.hpp>

namespace zkgpu {
template class CpuMsmBases<Bls12_381::G2, arch::scalar>;
template struct Msm<Bls12_381::G2, Cpu<arch::scalar>>;
#if defined(__x86_64__)
template class CpuMsmBases<Bls12_381::G2, arch::x86_adx>;
template struct Msm<Bls12_381::G2, Cpu<arch::x86_adx>>;
template class CpuMsmBases<Bls12_381::G2, arch::avx2>;
template struct Msm<Bls12_381::G2, Cpu<arch::avx2>>;
#endif
}  // namespace zkgpu
