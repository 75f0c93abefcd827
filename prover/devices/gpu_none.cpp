// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/core/error.hpp>

#include "devices/gpu.hpp"

namespace zkgpu::cli {

bool gpu_is_worthwhile(std::size_t) noexcept { return false; }

void expect_gpu(const std::string& device) {
  throw DeviceError("--device " + device + ": this program was built without CUDA");
}

std::vector<ProofResult<Curve>> prove_on_gpu(Session&, const std::string& device, const ProofJob&) {
  expect_gpu(device);
  return {};
}

}  // namespace zkgpu::cli
