// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/ntt/cpu_impl.hpp>

namespace zkgpu {
template class NttTwiddles<Bls12_381::Fr>;
template struct Ntt<Bls12_381::Fr, Cpu<arch::scalar>>;
#if defined(__x86_64__)
template struct Ntt<Bls12_381::Fr, Cpu<arch::x86_adx>>;
template struct Ntt<Bls12_381::Fr, Cpu<arch::avx2>>;
template struct Ntt<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
#endif
}  // namespace zkgpu
