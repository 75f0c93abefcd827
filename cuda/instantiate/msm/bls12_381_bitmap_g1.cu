// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/cuda/bitmap/bitmap_msm_impl.cuh>

namespace zkgpu {

template struct BitmapMsm<Bls12_381::G1>;

}  // namespace zkgpu
