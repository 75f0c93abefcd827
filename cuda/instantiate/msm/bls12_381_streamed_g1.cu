// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/streamed/streamed_msm_impl.cuh>

namespace zkgpu {

template struct StreamedMsm<Bls12_381::G1>;

}  // namespace zkgpu
