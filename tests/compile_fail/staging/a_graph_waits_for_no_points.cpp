// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: sync::graph: points that come for a sum keep the host waiting: take resident_device
#include <zkgpu/prover/pipeline/presets.hpp>
#include <zkgpu/prover/pipeline/staging/fits.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Key = resident_host;
#else
using Key = resident_device;
#endif

struct made : datacenter {
  using LockModel = reservation;
  using Staging = staging<synthesis::matrix_device, upload::registered, g2_tail::device,
                          sync::graph, key_stream::per_circuit>;
  using Memory = memory<Key, cached, recycle, true>;
};

int main() { return parts_fit<made>() ? 0 : 1; }
