// SPDX-License-Identifier: Apache-2.0 OR MIT
// expect: sync::graph: the host waits for a ring's pieces, and the driver for pageable memory
#include <zkgpu/prover/pipeline/staging/staging.hpp>

using namespace zkgpu::pipeline;  // NOLINT
#ifdef OFFENCE
using Upload = upload::pinned_ring;
#else
using Upload = upload::registered;
#endif

int main() {
  using Made = staging<synthesis::matrix_device, Upload, g2_tail::device, sync::graph,
                       key_stream::per_circuit>;
  return Made::one_wait ? 0 : 1;
}
