// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/prover/qap/quotient_impl.hpp>
#include <zkgpu/prover/witness/evaluate_impl.hpp>

namespace zkgpu {

template struct Evaluate<Bls12_381::Fr, Cpu<arch::scalar>>;
template struct Quotient<Bls12_381::Fr, Cpu<arch::scalar>>;
#if defined(__x86_64__)
template struct Evaluate<Bls12_381::Fr, Cpu<arch::avx2>>;
template struct Quotient<Bls12_381::Fr, Cpu<arch::avx2>>;
template struct Evaluate<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
template struct Quotient<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
#endif

}  // namespace zkgpu
