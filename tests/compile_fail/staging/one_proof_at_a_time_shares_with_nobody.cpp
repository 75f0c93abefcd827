// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: key_stream::shared_by: one proof at a time has the device, and shares with nobody: take
// device_lock or reservation
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/staging/fits.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Lock = process_lock;
#else
using Lock = device_lock;
#endif

struct made : datacenter {
  using LockModel = Lock;
  using Staging = staging<synthesis::matrix_device, upload::registered, g2_tail::device,
                          sync::eager, key_stream::shared_by<2>>;
  using Memory = memory<load_per_proof, cached, recycle, true>;
};

int main() { return parts_fit<made>() ? 0 : 1; }
