// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/backend/cuda.hpp>

#include "devices/gpu.hpp"

namespace zkgpu::cli {

bool gpu_is_worthwhile(std::size_t domain_size) noexcept {
  // A driver's start and the way of a key to the device take about as long as this on 16 cores.
  constexpr std::size_t least = std::size_t{1} << 18;
  if (domain_size < least) return false;
  try {
    return !Cuda::devices().empty();
  } catch (const std::exception&) {  // no driver, or none that fits
    return false;
  }
}

void expect_gpu(const std::string& device) { static_cast<void>(Cuda::select(device)); }

Proof<Curve> prove_on_gpu(Session& session, const std::string& device,
                          const ProofRequest& request) {
  const Cuda cuda = device == "auto" ? Cuda(0) : Cuda::select(device);
  session.say("device: " + cuda.info().name);
  ProverOptions<Curve> options = request.options;
  options.limits.table_bytes = 1;  // multiples of a key's points are for its second proof
  using OnDevice = Prover<Curve, Cuda, pipeline::low_memory>;
  const auto prover = session.timed(
      "load key on device", [&] { return std::make_unique<OnDevice>(cuda, request.key, options); });
  return session.timed("prove", [&] {
    request.begin();
    return prover->prove(request.witness, request.call);
  });
}

}  // namespace zkgpu::cli
