// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/prover_impl.hpp>

namespace zkgpu {

template class Prover<Bls12_381, Cpu<arch::scalar>, pipeline::reference>;
template class Prover<Bls12_381, Cpu<arch::scalar>, pipeline::cpu_only>;
template class Prover<Bls12_381, Cpu<arch::scalar>, pipeline::low_memory>;
#if defined(__x86_64__)
template class Prover<Bls12_381, Cpu<arch::avx2>, pipeline::cpu_only>;
template class Prover<Bls12_381, Cpu<arch::avx512ifma>, pipeline::cpu_only>;
template class Prover<Bls12_381, Cpu<arch::avx2>, pipeline::low_memory>;
template class Prover<Bls12_381, Cpu<arch::avx512ifma>, pipeline::low_memory>;
#endif

}  // namespace zkgpu
