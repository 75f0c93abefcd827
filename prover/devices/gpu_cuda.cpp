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

std::vector<ProofResult<Curve>> prove_on_gpu(Session& session, const std::string& device,
                                             const ProofJob& job) {
  const Cuda cuda = device == "auto" ? Cuda(0) : Cuda::select(device);
  session.say("device: " + cuda.info().name);
  ProverOptions<Curve> options = job.options;
  // Multiples of a key's points are for its second proof.
  if (job.requests.size() == 1) options.limits.table_bytes = 1;
  using OnDevice = Prover<Curve, Cuda, pipeline::low_memory>;
  const auto prover = session.timed(
      "load key on device", [&] { return std::make_unique<OnDevice>(cuda, job.key, options); });
  return session.timed("prove", [&] {
    job.begin();
    return prover->prove_each(job.requests, job.call);
  });
}

}  // namespace zkgpu::cli
