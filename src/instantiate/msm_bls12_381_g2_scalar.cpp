// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/msm/cpu_impl.hpp>

namespace zkgpu {
template struct Msm<Bls12_381::G2, Cpu<arch::scalar>>;
}  // namespace zkgpu
