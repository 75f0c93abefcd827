// SPDX-License-Identifier: Apache-2.0 OR MIT
// Compiled for AVX-512 IFMA: nothing but the kernels, whose names carry the architecture.
#if defined(__x86_64__)
#include <zkgpu/batch/across_pairing_avx512ifma_impl.hpp>

namespace zkgpu::batch {
template struct PairingAcross<Bls12_381, arch::avx512ifma>;
}  // namespace zkgpu::batch
#endif
